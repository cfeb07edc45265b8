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
from playtest.play.sessions.services import create_session
from playtest.play.sessions.status import session_status
from playtest.rules.attempt import Outcome
from tests import make
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LATER = "How long it takes and what it pays is on the next pages"


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


def test_the_welcome_page_says_what_all_open_studies_agree_on(client: Client) -> None:
    assert LATER in client.get("/").content.decode()
    make.study(bonus=Decimal("6.00"))
    assert "earns $6.00 more" in client.get("/").content.decode()
    make.study(bonus=Decimal("9.00"), open=False)
    make.study(bonus=Decimal("9.00"), rehearsal=True)
    make.study(bonus=Decimal("6.00"))
    assert "earns $6.00 more" in client.get("/").content.decode()
    make.study(bonus=Decimal("9.00"))
    page = client.get("/").content.decode()
    assert LATER in page
    assert "6.00" not in page


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
