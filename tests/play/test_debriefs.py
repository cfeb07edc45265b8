"""What people say of an environment is stored for its attempt, and asked of nobody else."""

from typing import Any

import pytest
from django.core import signing
from django.test import Client

from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Attempt, Debrief, SessionEnd
from playtest.play.page.status_messages import session_message
from playtest.play.sessions.debriefs import ANSWERABLE_FOR, asked_about
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.reads import last_attempt
from playtest.play.sessions.status import session_status
from playtest.review.services.withdrawal import withdraw
from playtest.rules.attempt import Outcome
from playtest.rules.debrief import Answers
from tests import make
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def played(**study: Any) -> Attempt:
    """An attempt that was given up, in a session that goes on."""
    pool = [make.environment("wk01"), make.environment("ck01")]
    return make.play(make.session(make.study(pool=pool, **study)), {"wk01": [4, 4], "ck01": [(1, 1)]})


def token(attempt: Attempt) -> str:
    asked = asked_about(attempt)
    assert asked is not None
    return asked.token


def answer(client: Client, **said: Any) -> Any:
    said = {"difficulty": None, "about": "", **said}
    return client.post("/session/debrief/", said, content_type="application/json")


def stored(attempt: Attempt) -> tuple[int | None, str] | None:
    return Debrief.objects.filter(attempt=attempt).values_list("difficulty", "about").first()


def test_answers_are_stored_corrected_and_taken_back(client: Client) -> None:
    attempt = played()
    key = token(attempt)
    assert answer(client, token=key, difficulty=4).json() == {"saved": True}
    assert stored(attempt) == (4, "")
    answer(client, token=key, difficulty=4, about=" moving the door ")
    assert stored(attempt) == (4, "moving the door")
    asked = asked_about(attempt)
    assert asked is not None
    assert asked.answers == Answers(4, "moving the door")
    answer(client, token=key)
    assert stored(attempt) is None


def test_the_pause_asks_about_the_environment_that_has_ended() -> None:
    attempt = played()
    message = session_message(session_status(attempt.session_pk, now()), now())
    assert message["stage"] == "pause"
    assert (message["debrief"]["attempt"], message["debrief"]["difficulty"]) == (1, None)
    assert message["debrief"]["about"] == ""


def test_a_protocol_without_the_questions_asks_nothing() -> None:
    attempt = played(debrief=False)
    assert asked_about(attempt) is None
    assert session_message(session_status(attempt.session_pk, now()), now())["debrief"] is None


def test_nothing_is_asked_before_the_first_environment() -> None:
    session = make.session(make.study())
    assert session_message(session_status(session.pk, now()), now())["debrief"] is None


def test_nobody_is_asked_about_an_environment_that_failed() -> None:
    session = make.session(make.study())
    attempt = make.play(session, [4], Outcome.FAULT, fault_code="x", fault_message="x")
    assert asked_about(attempt) is None


def test_the_last_page_asks_although_it_frees_the_seat(client: Client) -> None:
    session = make.session(make.study())
    make.play(session, [4, 4])
    end_session(session, SessionEnd.POOL_USED_UP)
    last = last_attempt(session)
    assert last is not None
    client.cookies.clear()
    assert answer(client, token=token(last), difficulty=1).status_code == 200
    assert stored(last) == (1, "")


def test_a_token_that_was_not_given_answers_nothing(client: Client) -> None:
    attempt = played()
    for wrong in ("", "1", None, signing.dumps(attempt.pk), token(attempt)[:-1], token(attempt) + "x"):
        refused = answer(client, token=wrong, difficulty=3)
        assert (refused.status_code, refused.json()["code"]) == (403, "debrief_unknown")
    assert stored(attempt) is None


@pytest.mark.parametrize(("late", "status"), [(-1, 200), (2, 409)])
def test_a_page_may_answer_for_half_an_hour(
    client: Client, monkeypatch: pytest.MonkeyPatch, late: int, status: int
) -> None:
    attempt = played()
    key = token(attempt)
    then = now().timestamp() + ANSWERABLE_FOR.total_seconds() + late
    monkeypatch.setattr("django.core.signing.time.time", lambda: then)
    assert answer(client, token=key, difficulty=3).status_code == status


def test_bad_answers_are_refused_with_a_code_and_change_nothing(client: Client) -> None:
    attempt = played()
    key = token(attempt)
    answer(client, token=key, difficulty=2)
    for wrong, code in (({"difficulty": 6}, "difficulty_unknown"), ({"about": "a" * 501}, "about_too_long")):
        refused = answer(client, token=key, **wrong)
        assert (refused.status_code, refused.json()["code"]) == (400, code)
    for body in (b"", b"\xff", b"[]", b"{"):
        refused = client.post("/session/debrief/", body, content_type="application/json")
        assert (refused.status_code, refused.json()["code"]) == (400, "debrief_malformed")
    refused = client.post("/session/debrief/", {"token": key, "difficulty": "3", "about": ""})
    assert (refused.status_code, refused.json()["code"]) == (400, "debrief_malformed")
    assert stored(attempt) == (2, "")


def test_a_withdrawal_deletes_the_answers_and_late_ones_are_refused(client: Client) -> None:
    attempt = played()
    key = token(attempt)
    answer(client, token=key, about="a door")
    assert attempt.session is not None
    end_session(attempt.session, SessionEnd.ENDED_BY_STAFF)
    withdraw(attempt.participant, None)
    assert not Debrief.objects.exists()
    assert answer(client, token=key, about="a door").json()["code"] == "debrief_over"
    assert not Debrief.objects.exists()


def test_staff_read_the_answers_beside_the_replay(client: Client) -> None:
    attempt = played()
    answer(client, token=token(attempt), difficulty=5, about="<b>a door</b>")
    page = signed_in(Role.RESEARCHER).get(f"/staff/attempts/{attempt.pk}/").content.decode()
    assert "Very hard (5 of 5)" in page
    assert "&lt;b&gt;a door&lt;/b&gt;" in page
