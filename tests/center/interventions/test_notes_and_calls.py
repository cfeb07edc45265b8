"""Notes of proctors, and their answers to calls."""

from typing import Any

import pytest

from playtest.center.interventions.queries import call_of, calls
from playtest.center.interventions.services import MOST_CHARACTERS, add_note, answer_call
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import EventKind, Session, SessionEnd
from playtest.play.services.sessions import end_session, log
from tests import sittings
from tests.staff import staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    return sittings.sit_down(sittings.study())


def recorded(session: Session, kind: EventKind) -> list[tuple[Any, ...]]:
    found = session.events.filter(kind=kind).order_by("pk")
    return list(found.values_list("attempt__number", "staff__username", "details"))


def test_a_note_belongs_to_the_open_attempt(session: Session) -> None:
    sittings.play(session, [4], None)
    add_note(session, staff(Role.PROCTOR), " rubs her eyes ")
    assert recorded(session, EventKind.NOTE_ADDED) == [(1, "proctor", {"text": "rubs her eyes"})]


def test_a_note_without_an_open_attempt_belongs_to_the_session(session: Session) -> None:
    sittings.play(session, [4])
    add_note(session, staff(Role.PROCTOR), "asks for water")
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    add_note(session, staff(Role.PROCTOR), "left a scarf")
    assert [note[0] for note in recorded(session, EventKind.NOTE_ADDED)] == [None, None]


def test_letters_of_every_script_are_accepted(session: Session) -> None:
    for text in ("schläft fast", "眠い", "<b>&'\"", "🙂", "x" * MOST_CHARACTERS):
        add_note(session, staff(Role.PROCTOR), text)
    assert len(recorded(session, EventKind.NOTE_ADDED)) == 5


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "text_missing"),
        ("\n", "text_missing"),
        ("x" * (MOST_CHARACTERS + 1), "text_too_long"),
        ("two\nlines", "text_not_one_line"),
        ("a\x1b[31mred", "text_not_one_line"),
        ("a\0b", "text_not_one_line"),
        ("a\u2028b", "text_not_one_line"),
        ("a\ud800b", "text_not_one_line"),
    ],
)
def test_other_text_is_refused(session: Session, text: str, code: str) -> None:
    with pytest.raises(Refusal) as raised:
        add_note(session, staff(Role.PROCTOR), text)
    assert raised.value.code == code
    assert not recorded(session, EventKind.NOTE_ADDED)


def test_a_call_is_answered_once(session: Session) -> None:
    log(session, EventKind.PROCTOR_CALLED)
    log(session, EventKind.PROCTOR_CALLED)
    assert call_of(session) is not None
    answer_call(session, staff(Role.PROCTOR))
    assert call_of(session) is None
    with pytest.raises(Refusal) as raised:
        answer_call(session, staff(Role.PROCTOR))
    assert raised.value.code == "no_call"
    assert recorded(session, EventKind.CALL_ANSWERED) == [(None, "proctor", {})]


def test_a_call_after_an_answer_waits_again(session: Session) -> None:
    for _ in range(2):
        log(session, EventKind.PROCTOR_CALLED)
        answer_call(session, staff(Role.PROCTOR))
    assert len(recorded(session, EventKind.CALL_ANSWERED)) == 2


def test_no_call_of_an_ended_session_is_answered(session: Session) -> None:
    log(session, EventKind.PROCTOR_CALLED)
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    with pytest.raises(Refusal) as raised:
        answer_call(session, staff(Role.PROCTOR))
    assert raised.value.code == "session_ended"


def test_calls_of_a_room_are_read_at_once(session: Session, django_assert_num_queries: Any) -> None:
    others = [sittings.sit_down(session.study) for _ in range(3)]
    for one in others[:2]:
        log(one, EventKind.PROCTOR_CALLED)
    with django_assert_num_queries(1):
        found = calls([one.pk for one in (session, *others)])
    assert set(found) == {one.pk for one in others[:2]}
