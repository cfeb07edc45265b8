"""Notes and voids of staff, and the reversal of voids by reviewers."""

from typing import Any

import pytest

from playtest.center.interventions.queries import standing_voids, voided_attempts
from playtest.center.interventions.services import MOST_CHARACTERS, add_note, reverse_void, void_attempt
from playtest.center.models import Void, VoidReason, VoidReversal
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Event, EventKind, Session, SessionEnd
from playtest.play.sessions.attempts import open_next
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.reads import Stage, stage
from playtest.rules.attempt import Outcome
from tests import make
from tests.refusals import refused
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(scope="module")
def made(module_db: None) -> tuple[int, int]:
    """Two sessions: one before its first environment, one that plays."""
    study = make.study()
    waits, plays = make.session(study), make.session(study)
    make.play(plays, [4, 4], None)
    return waits.pk, plays.pk


@pytest.fixture
def session(made: tuple[int, int], request: pytest.FixtureRequest) -> Session:
    """The one that plays, for a test of its attempt."""
    return Session.objects.get(pk=made["attempt" in request.fixturenames])


@pytest.fixture
def attempt(made: tuple[int, int]) -> Attempt:
    return Attempt.objects.get(session=made[1])


def voided(attempt: Attempt, reason: str = VoidReason.TECHNICAL, text: str = "") -> Void:
    return void_attempt(attempt, staff(Role.PROCTOR), reason, text)


def refused_void(attempt: Attempt, *arguments: Any) -> str:
    before = (Void.objects.count(), Event.objects.count())
    with pytest.raises(Refusal) as raised:
        voided(attempt, *arguments)
    assert (Void.objects.count(), Event.objects.count()) == before
    return raised.value.code


def events(session: Session, kind: EventKind) -> list[tuple[Any, ...]]:
    found = session.events.filter(kind=kind).order_by("pk")
    return list(found.values_list("attempt", "staff__username", "details"))


def test_an_open_attempt_is_ended_by_staff_and_voided(session: Session, attempt: Attempt) -> None:
    void = voided(attempt, VoidReason.WRONG_PERSON, "  the brother played ")
    attempt.refresh_from_db()
    assert (attempt.outcome, attempt.ended_at, attempt.actions) == (
        Outcome.ENDED_BY_STAFF, void.voided_at, 2,
    )  # fmt: skip
    details = {"reason": "wrong_person", "text": "the brother played"}
    assert events(session, EventKind.ATTEMPT_VOIDED) == [(attempt.pk, "proctor", details)]
    assert list(voided_attempts()) == [attempt]
    assert stage(session, void.voided_at) == Stage.PAUSE


def test_an_ended_attempt_of_the_same_session_keeps_its_outcome(session: Session) -> None:
    attempt = make.play(session, [4, 4], Outcome.GAVE_UP)
    ended_at = attempt.ended_at
    voided(attempt)
    attempt.refresh_from_db()
    assert (attempt.outcome, attempt.ended_at) == (Outcome.GAVE_UP, ended_at)


def test_the_other_attempt_of_the_session_is_untouched() -> None:
    pool = [make.environment("wk01"), make.environment("ck01")]
    session = make.session(make.study(pool=pool))
    first = make.play(session, [0])
    second = make.play(session, [0], None)
    voided(first)
    second.refresh_from_db()
    assert second.ended_at is None
    assert list(voided_attempts()) == [first]


def test_an_attempt_before_its_first_frame_can_be_voided(session: Session) -> None:
    attempt = open_next(session)
    assert attempt is not None
    voided(attempt)
    attempt.refresh_from_db()
    assert (attempt.outcome, attempt.first_frame_at) == (Outcome.ENDED_BY_STAFF, None)


@pytest.mark.services
def test_an_attempt_is_voided_once_until_that_is_reversed(attempt: Attempt) -> None:
    void = voided(attempt)
    assert refused_void(attempt) == "voided_already"
    reverse_void(void, staff(Role.RESEARCHER), "the wrong station")
    assert not voided_attempts().exists()
    again = voided(attempt)
    assert list(standing_voids()) == [again]


def test_a_reversal_needs_a_reason_and_is_recorded_with_it(session: Session, attempt: Attempt) -> None:
    void = voided(attempt)
    for text, code in ((" ", "text_missing"), ("a\nb", "text_not_one_line")):
        with refused(code):
            reverse_void(void, staff(Role.RESEARCHER), text)
    assert not VoidReversal.objects.exists()
    reverse_void(void, staff(Role.RESEARCHER), "the wrong station")
    found = events(session, EventKind.VOID_REVERSED)
    assert found == [(attempt.pk, "researcher", {"text": "the wrong station"})]


def test_a_void_is_reversed_once_also_after_the_session(session: Session, attempt: Attempt) -> None:
    void = voided(attempt)
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    reverse_void(void, staff(Role.RESEARCHER), "the wrong station")
    with pytest.raises(Refusal) as raised:
        reverse_void(void, staff(Role.RESEARCHER), "the wrong station")
    assert raised.value.code == "reversed_already"


def test_a_void_without_a_proper_reason_is_refused(attempt: Attempt) -> None:
    for reason, text, code in (
        ("nothing", "", "reason_unknown"),
        ("", "", "reason_unknown"),
        (VoidReason.OTHER, "  ", "text_missing"),
        (VoidReason.TECHNICAL, "x" * (MOST_CHARACTERS + 1), "text_too_long"),
        (VoidReason.TECHNICAL, "a\x07b", "text_not_one_line"),
        (VoidReason.TECHNICAL, "a\u202eb", "text_not_one_line"),
    ):
        assert refused_void(attempt, reason, text) == code
    attempt.refresh_from_db()
    assert attempt.ended_at is None


def test_an_attempt_can_be_voided_after_its_session(session: Session, attempt: Attempt) -> None:
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    void_attempt(attempt, staff(Role.PROCTOR), VoidReason.TECHNICAL)
    assert attempt in voided_attempts()


def recorded(session: Session, kind: EventKind) -> list[tuple[Any, ...]]:
    found = session.events.filter(kind=kind).order_by("pk")
    return list(found.values_list("attempt__number", "staff__username", "details"))


@pytest.mark.usefixtures("attempt")
def test_a_note_belongs_to_the_open_attempt(session: Session) -> None:
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


def test_other_text_is_refused(session: Session) -> None:
    for text, code in (
        ("", "text_missing"),
        ("\n", "text_missing"),
        ("x" * (MOST_CHARACTERS + 1), "text_too_long"),
        *(
            (text, "text_not_one_line")
            for text in ("two\nlines", "a\x1b[31mred", "a\0b", "a\u2028b", "a\ud800b")
        ),
    ):
        with refused(code):
            add_note(session, staff(Role.PROCTOR), text)
    assert not recorded(session, EventKind.NOTE_ADDED)
