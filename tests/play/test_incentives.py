"""Participants read how long it takes and what it pays before they agree, from their own protocol."""

from decimal import Decimal

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Session, SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.seats import COOKIE, hashed
from playtest.play.sessions.services import create_session
from playtest.play.sessions.status import session_status
from playtest.rules.attempt import Outcome
from playtest.rules.protocol import DEFAULT, incentive
from tests import make
from tests.refusals import rule_refused
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()


def test_the_consent_page_has_the_numbers_of_the_sessions_protocol(client: Client) -> None:
    study = make.study(fee=Decimal("120.50"), bonus=Decimal("7.25"), session_seconds=45 * 60)
    client.post("/", {"code": create_session(study, new_participant(), None)[1]})
    make.change(study, bonus=Decimal("1.00"))
    page = client.get("/session/consent/").content.decode()
    assert "up to 45 minutes" in page
    assert "You are paid $120.50 for taking part" in page
    assert "earns $7.25 more" in page
    assert "Trying many games without solving them earns nothing more." in page


def test_time_and_pay_are_told_once_before_consent(client: Client) -> None:
    study = make.study(bonus=Decimal("6.00"), consent_text=DEFAULT.consent_text)
    assert "6.00" not in client.get("/").content.decode()
    client.post("/", {"code": create_session(study, new_participant(), None)[1]})
    page = client.get("/session/consent/").content.decode()
    assert (page.count("6.00"), page.count("90 minutes")) == (1, 1)


def test_the_last_page_says_what_was_solved_what_that_earns_and_why_it_ended(client: Client) -> None:
    study = make.study(pool=[make.environment("wk01")], fee=Decimal("100.00"), bonus=Decimal("6.00"))
    session = make.session(study)
    Session.objects.filter(pk=session.pk).update(seat_hash=hashed("here"))
    client.cookies[COOKIE] = f"{session.pk}.here"
    make.play(session, [], Outcome.COMPLETED)
    end_session(session, SessionEnd.TIME_OVER)
    page = client.get("/session/thanks/").content.decode()
    assert "<dd>1</dd>" in page
    assert "$106.00" in page
    assert "The time of your session is over." in page


def test_an_environment_counts_as_solved_when_it_is_completed() -> None:
    study = make.study(pool=[make.environment("wk01"), make.environment("ck01")])
    session = make.session(study)
    solved = []
    for outcome in (Outcome.GAVE_UP, Outcome.COMPLETED):
        make.play(session, [], outcome)
        solved.append(session_status(session.pk, now()).solved)
    assert solved == [0, 1]


def test_staff_read_and_enter_amounts_in_the_centers_currency(settings: Settings) -> None:
    settings.CENTER_CURRENCY = "CHF"
    lead, study = signed_in(Role.LEAD), make.study(fee=Decimal("120.50"))
    assert "CHF 120.50" in lead.get(reverse("play:protocol-versions", args=[study.pk])).content.decode()
    form = lead.get(reverse("play:study-edit", args=[study.pk])).content.decode()
    assert "Fee per session (CHF)" in form
    assert "$" not in form


def test_changing_the_centers_currency_relabels_no_study(settings: Settings) -> None:
    settings.CENTER_CURRENCY = "JPY"
    lead, study = signed_in(Role.LEAD), make.study(fee=Decimal(19_000), bonus=Decimal(500))
    settings.CENTER_CURRENCY = "KWD"
    later = make.study(fee=Decimal("3.125"), bonus=Decimal("0.5"))
    pages = [
        lead.get(reverse(f"play:{name}", args=[one.pk])).content.decode()
        for one in (study, later)
        for name in ("protocol-versions", "study-edit")
    ]
    assert "¥19,000" in pages[0]
    assert 'value="19000"' in pages[1]
    assert "KWD 3.125" in pages[2]
    assert 'value="3.125"' in pages[3]
    assert "You are paid ¥19,000 for taking part" in " ".join(incentive(study.protocol, study.currency))
    with rule_refused("amount_invalid"):
        make.change(study, fee=Decimal("19000.5"))
