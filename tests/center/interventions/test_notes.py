"""Notes of proctors."""

from typing import Any

import pytest

from playtest.center.interventions.services import MOST_CHARACTERS, add_note
from playtest.people.roles import Role
from playtest.play.models import EventKind, Session, SessionEnd
from playtest.play.sessions.ends import end_session
from tests import make
from tests.refusals import refused
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def session() -> Session:
    return make.session(make.study())


def recorded(session: Session, kind: EventKind) -> list[tuple[Any, ...]]:
    found = session.events.filter(kind=kind).order_by("pk")
    return list(found.values_list("attempt__number", "staff__username", "details"))


def test_a_note_belongs_to_the_open_attempt(session: Session) -> None:
    make.play(session, [4], None)
    add_note(session, staff(Role.PROCTOR), " rubs her eyes ")
    assert recorded(session, EventKind.NOTE_ADDED) == [(1, "proctor", {"text": "rubs her eyes"})]


def test_a_note_without_an_open_attempt_belongs_to_the_session(session: Session) -> None:
    make.play(session, [4])
    add_note(session, staff(Role.PROCTOR), "asks for water")
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    add_note(session, staff(Role.PROCTOR), "left a scarf")
    assert [note[0] for note in recorded(session, EventKind.NOTE_ADDED)] == [None, None]


@pytest.mark.services
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
    with refused(code):
        add_note(session, staff(Role.PROCTOR), text)
    assert not recorded(session, EventKind.NOTE_ADDED)
