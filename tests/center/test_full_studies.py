"""A full study gives no code and no seat, and pages say why."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from playtest.center.pay.accounts import session_pay
from playtest.people.models import Participant
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Event, EventKind, Session, SessionEnd, Study
from playtest.play.sessions.ends import end_what_is_over, open_next_or_end
from playtest.play.sessions.services import (
    answer_survey,
    check_in,
    create_session,
    give_consent,
    reissue_code,
)
from playtest.play.sessions.status import session_status
from playtest.play.sessions.studies import change_study
from playtest.rules.attempt import Outcome
from tests import make
from tests.refusals import refused
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

COUNTS = [2] * 31
"""Actions of an attempt that counts."""


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()


def fill(study: Study) -> Participant:
    """Fills a study for one person by playing its environment, whoever was promised a place."""
    session = make.session(study)
    make.play(session, COUNTS)
    return session.participant


def widen(study: Study) -> None:
    """Adds another environment to the pool."""
    pool = [*study.pool.all(), make.as_external(make.environment("ck01"))]
    change_study(study, pool=pool, staff=staff(Role.LEAD), reason="another candidate is ready")


def seated(study: Study) -> tuple[Client, Session]:
    """A browser at the tutorial, after consent and survey."""
    session, code = create_session(study, new_participant(), None)
    browser = Client()
    browser.post("/", {"code": code})
    session.refresh_from_db()
    give_consent(session)
    answer_survey(session, {})
    return browser, session


def page_of(session: Session) -> str:
    client = signed_in(Role.PROCTOR)
    return client.get(reverse("center:session", args=[session.pk])).content.decode()


def test_no_code_or_participant_is_created_for_a_full_study() -> None:
    study = make.study(people=1)
    fill(study)
    people, sessions = Participant.objects.count(), Session.objects.count()
    form = {"study": study.pk, "new": "on", "name": "R-17"}
    page = signed_in(Role.PROCTOR).post("/staff/sessions/new/", form).content.decode()
    assert "<code>study_full</code>" in page
    assert "This study is full" in page
    assert (Participant.objects.count(), Session.objects.count()) == (people, sessions)


def test_no_code_is_created_for_a_person_with_nothing_left_to_play() -> None:
    study = make.study(people=2)
    person = fill(study)
    with refused("everything_met"):
        create_session(study, person, None, another=True)
    create_session(study, new_participant(), None)


def test_no_new_code_is_created_once_the_study_is_full() -> None:
    study = make.study(people=1)
    waiting, _ = create_session(study, new_participant(), None)
    fill(study)
    with refused("study_full"):
        reissue_code(waiting, staff(Role.PROCTOR))


def test_nobody_can_check_in_to_a_full_study() -> None:
    study = make.study(people=1)
    session, code = create_session(study, new_participant(), None)
    fill(study)
    answer = Client().post("/", {"code": code})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert 'data-code="study_full"' in page
    assert "There is nothing left to play here" in page
    assert "You did nothing wrong. Please tell a member of staff." in page
    session.refresh_from_db()
    assert session.checked_in_at is None
    assert session_pay(session) is None
    assert "has not checked in" in page_of(session)


def test_a_person_who_has_played_everything_cannot_check_in() -> None:
    study = make.study(people=2)
    person = new_participant()
    (_, first), (_, second) = (create_session(study, person, None) for _ in "12")
    browser = Client()
    browser.post("/", {"code": first})
    early, late = (Session.objects.order_by("pk")[number] for number in (0, 1))
    give_consent(early)
    answer_survey(early, {})
    browser.post("/session/tutorial/")
    page = Client().post("/", {"code": second}).content.decode()
    assert 'data-code="everything_met"' in page
    assert "you have played everything here before" in page
    late.refresh_from_db()
    assert late.checked_in_at is None


def test_the_code_works_once_something_is_left_to_play_again() -> None:
    study = make.study(people=1)
    _, code = create_session(study, new_participant(), None)
    fill(study)
    with refused("study_full"):
        check_in(code, station=1)
    widen(study)
    check_in(code, station=1)


def test_a_running_session_continues_in_a_full_study() -> None:
    study = make.study(people=1)
    session, code = create_session(study, new_participant(), None)
    session, _ = check_in(code, station=1)
    fill(study)
    check_in(reissue_code(session, staff(Role.PROCTOR)), station=2)


def test_a_study_that_fills_up_before_the_first_environment_ends_the_session_with_nothing_left() -> None:
    study = make.study(people=1)
    browser, session = seated(study)
    fill(study)
    answer = browser.post("/session/tutorial/", follow=True)
    assert answer.redirect_chain[-1][0] == "/session/thanks/"
    assert "<h1>Nothing was left to play</h1>" in answer.content.decode()
    session.refresh_from_db()
    assert session.end_reason == SessionEnd.NOTHING_LEFT
    shown = page_of(session)
    assert "ended: nothing was left to play" in shown
    assert "every environment was met" not in shown
    assert "<strong>$115.00</strong> = $115.00 fee + $0.00 for 0 solved" in shown
    assert "The fee is owed because the participant gave consent" in shown
    assert "No environment was opened in this session." in shown


def test_the_pause_after_the_last_environment_is_the_end() -> None:
    study = make.study()
    session = make.session(study)
    make.play(session, [4], Outcome.GAVE_UP)
    assert session_status(session.pk, now()).stage == "pause", "reading where it stands writes nothing"
    end_what_is_over(session.pk, now())
    status = session_status(session.pk, now())
    assert status.stage == "over"
    assert status.session.end_reason == SessionEnd.POOL_USED_UP
    assert Event.objects.filter(session=session, kind=EventKind.SESSION_ENDED).count() == 1


def test_full_environments_do_not_count_as_played() -> None:
    study = make.study(people=1)
    session = make.session(study)
    make.play(session, [4], Outcome.GAVE_UP)  # too short to count: it takes nobody's place
    widen(study)
    for _ in "12":
        make.play(make.session(study), [], None)  # under way, each in another environment
    open_next_or_end(session.pk)
    session.refresh_from_db()
    assert session.end_reason == SessionEnd.NOTHING_LEFT


def test_a_pause_with_something_left_continues() -> None:
    study = make.study()
    widen(study)
    session = make.session(study)
    make.play(session, [], Outcome.GAVE_UP)
    end_what_is_over(session.pk, now())
    assert session_status(session.pk, now()).stage == "pause"


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        (Outcome.COMPLETED, "You solved the last one. Nothing else is left for you to play."),
        (Outcome.FAULT, "It had a technical problem, and you did nothing wrong."),
        (Outcome.GAVE_UP, "<p>Nothing else is left for you to play."),
    ],
)
def test_the_end_page_names_the_outcome_of_the_last_environment(outcome: Outcome, sentence: str) -> None:
    browser, session = seated(make.study())
    browser.post("/session/tutorial/")
    attempt = session.attempts.get()
    attempt.ended_at, attempt.outcome = session.created_at, outcome
    attempt.save()
    end_what_is_over(session.pk, now())
    page = " ".join(browser.get("/session/thanks/").content.decode().split())
    assert sentence in page
