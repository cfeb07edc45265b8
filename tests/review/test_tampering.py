"""Whoever takes the triggers off and changes the record is found out, and the first place is named."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from io import StringIO
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command
from django.db import transaction
from pytest_django import Settings

from playtest.play.clock import now
from playtest.play.journal.days import sign_days
from playtest.play.models import Attempt, Entry, InputKind, SessionEnd, SignedDay
from playtest.play.sessions.ends import end_session
from playtest.review.record_check import Verification
from playtest.review.services.verification import verify, verify_one
from playtest.review.services.withdrawal import withdraw
from playtest.rules.attempt import Outcome
from tests import make
from tests.make import days_later
from tests.review import tampering

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.programs]

ACTS = [4, 4, 4, 2, 2]
ENTRIES = len(ACTS) + 1
MILLISECOND = timedelta(milliseconds=1)

type Tamper = Callable[[Attempt], object]


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path


def played(**how: Any) -> Attempt:
    return make.play(make.session(make.study()), ACTS, **how)


def check(attempt: Attempt) -> Verification:
    return async_to_sync(verify_one)(attempt.pk)


def found(attempt: Attempt) -> list[tuple[int, str]]:
    """The place and the code of every difference."""
    return _places(check(attempt))


def _places(checked: Verification) -> list[tuple[int, str]]:
    return [(one.seq, one.code) for one in checked.differences]


def swap(attempt: Attempt, one: int, other: int) -> None:
    for seq, to in ((one, 99), (other, one), (99, other)):
        tampering.move_entry(attempt, seq, to)


def shift_down(attempt: Attempt, removed: int) -> None:
    tampering.remove_entry(attempt, removed)
    for seq in range(removed + 1, ENTRIES):
        tampering.move_entry(attempt, seq, seq - 1)


def forget_last(attempt: Attempt) -> None:
    """The last action, and what the attempt repeats of it."""
    tampering.remove_entry(attempt, ENTRIES - 1)
    tampering.set_attempt(attempt, actions=ENTRIES - 2)


def shifted(attempt: Attempt, name: str) -> None:
    """One of the attempt's own times, a millisecond later."""
    tampering.set_attempt(attempt, **{name: getattr(attempt, name) + MILLISECOND})


def moved(attempt: Attempt, seq: int, **by: timedelta) -> None:
    """The times of an entry, moved on."""
    entry = Entry.objects.get(attempt=attempt, seq=seq)
    tampering.set_entry(attempt, seq, **{name: getattr(entry, name) + delta for name, delta in by.items()})


TAMPERINGS: dict[str, tuple[Tamper, tuple[int, str]]] = {
    "server time": (lambda attempt: moved(attempt, 3, server_time=MILLISECOND), (3, "chain_broken")),
    "client time": (lambda attempt: moved(attempt, 2, client_time=MILLISECOND), (2, "chain_broken")),
    "input kind": (
        lambda attempt: tampering.set_entry(attempt, 4, input_kind=InputKind.KEY_REPEAT), (4, "chain_broken"),
    ),
    "time to paint": (
        lambda attempt: tampering.set_entry(attempt, 4, previous_paint_ms=16), (4, "chain_broken"),
    ),
    "last action deleted": (
        lambda attempt: tampering.remove_entry(attempt, ENTRIES - 1), (ENTRIES - 1, "entries_missing"),
    ),
    "last action deleted from the summary too": (forget_last, (ENTRIES - 1, "seal_broken")),
    "every entry deleted": (
        lambda attempt: tampering.execute("DELETE FROM play_entry WHERE attempt_id = %s", attempt.pk),
        (0, "seal_broken"),
    ),
    "middle action deleted": (lambda attempt: tampering.remove_entry(attempt, 3), (3, "gap")),
    "middle action deleted, the rest moved up": (lambda attempt: shift_down(attempt, 3), (3, "chain_broken")),
    "order swapped": (lambda attempt: swap(attempt, 3, 4), (3, "chain_broken")),
    "entry added": (lambda attempt: tampering.add_entry(attempt, ENTRIES), (ENTRIES, "entries_added")),
    "frames byte": (lambda attempt: tampering.flip_byte(attempt, 2), (2, "payload_malformed")),
    "chain value": (lambda attempt: tampering.set_entry(attempt, 2, chain=bytes(32)), (2, "chain_broken")),
    "outcome": (
        lambda attempt: tampering.set_attempt(attempt, outcome=Outcome.TIMED_OUT), (ENTRIES, "seal_broken"),
    ),
    "outcome completed": (
        lambda attempt: tampering.set_attempt(attempt, outcome=Outcome.COMPLETED),
        (ENTRIES, "outcome_differs"),
    ),
    "end": (
        lambda attempt: shifted(attempt, "ended_at"), (ENTRIES, "seal_broken"),
    ),
    "fault": (
        lambda attempt: tampering.set_attempt(attempt, fault_code="x", fault_message="y"),
        (ENTRIES, "seal_broken"),
    ),
    "opened again": (
        lambda attempt: tampering.set_attempt(attempt, ended_at=None, outcome=""),
        (ENTRIES, "seal_broken"),
    ),
    "first frame": (
        lambda attempt: shifted(attempt, "first_frame_at"), (0, "first_frame_differs"),
    ),
    "seed": (lambda attempt: tampering.set_attempt(attempt, seed=attempt.seed + 1), (0, "chain_broken")),
    "assignment": (
        lambda attempt: shifted(attempt, "assigned_at"), (0, "chain_broken"),
    ),
    "number": (lambda attempt: tampering.set_attempt(attempt, number=2), (0, "chain_broken")),
    "participant": (
        lambda attempt: tampering.set_attempt(
            attempt, participant=make.session(attempt.session.study).participant
        ),
        (0, "identity_differs"),
    ),
    "seal": (lambda attempt: tampering.set_attempt(attempt, seal=None), (ENTRIES, "not_sealed")),
}  # fmt: skip


def test_every_tampering_is_found_at_its_first_place() -> None:
    """In one sweep over an attempt for each way, and one that nobody touched."""
    study = make.study(people=100)
    names = [*TAMPERINGS, "untouched"]
    attempts = {name: make.play(make.session(study), ACTS) for name in names}
    for name, (tamper, _) in TAMPERINGS.items():
        tamper(attempts[name])
    checked: dict[int, Verification] = {}
    everyone = [attempt.pk for attempt in attempts.values()]
    async_to_sync(verify)(everyone, lambda one: checked.update({one.attempt_id: one}))
    places = {name: _places(checked[attempt.pk]) for name, attempt in attempts.items()}
    assert places.pop("untouched") == []
    for name, (_, place) in TAMPERINGS.items():
        assert place in places[name], name
        assert min(seq for seq, _ in places[name]) == place[0], name


@pytest.mark.parametrize(
    ("seq", "delta"),
    [(3, timedelta(seconds=-3)), (0, timedelta(hours=-1)), (5, timedelta(hours=1))],
    ids=["before the entry before it", "before the assignment", "past the deadline"],
)
def test_times_that_cannot_be_are_found_even_with_the_chain_computed_anew(seq: int, delta: timedelta) -> None:
    attempt = played()
    moved(attempt, seq, server_time=delta)
    if seq == 0:
        tampering.set_attempt(attempt, first_frame_at=Entry.objects.get(attempt=attempt, seq=0).server_time)
    tampering.chain_again(attempt)
    assert found(attempt) == [(seq, "time_implausible")]


def test_an_open_attempt_agrees_until_something_is_removed() -> None:
    attempt = played(outcome=None)
    assert found(attempt) == []
    tampering.remove_entry(attempt, 3)
    assert found(attempt) == [(3, "gap"), (3, "chain_broken")]


def signed(*, days_from_now: int = 1) -> list[SignedDay]:
    """The days until today, as signed once they are over."""
    return sign_days(days_later(days_from_now))


def test_a_chain_computed_anew_differs_from_the_signed_head() -> None:
    attempt = played()
    signed()
    assert found(attempt) == []
    moved(attempt, 3, server_time=MILLISECOND)
    tampering.chain_again(attempt)
    assert (0, "head_differs") in found(attempt)


def test_an_outcome_sealed_anew_differs_from_the_signed_end() -> None:
    attempt = played()
    signed()
    tampering.set_attempt(attempt, outcome=Outcome.CONCLUDED)
    tampering.chain_again(attempt)
    assert found(attempt) == [(ENTRIES, "head_differs")]


def test_the_place_is_after_the_last_head_that_agrees() -> None:
    attempt = played(outcome=None)
    signed()
    began = Entry.objects.get(attempt=attempt, seq=5)
    tampering.unprotect()
    began.pk, began.seq, began.server_time = None, 6, began.server_time + timedelta(days=1)
    began.save()
    tampering.chain_again(attempt)
    signed(days_from_now=2)
    moved(attempt, 6, server_time=MILLISECOND)
    tampering.chain_again(attempt)
    assert (6, "head_differs") in found(attempt)


def sweep() -> str:
    """What the command says; it must fail."""
    out = StringIO()
    with pytest.raises(CommandError, match="attempts_differ"):
        call_command("verify_attempts", stdout=out)
    return out.getvalue()


def test_an_attempt_that_is_gone_with_all_its_rows_is_named_by_the_signed_day() -> None:
    attempt = played()
    [day] = signed()
    tampering.remove_attempt(attempt, events=True)
    said = sweep()
    assert f"attempt {attempt.pk} is gone: the list signed for {day.day} has {ENTRIES} entries" in said


def test_an_attempt_that_is_gone_is_named_by_its_events_before_any_day_is_signed() -> None:
    attempt = played()
    with transaction.atomic():
        tampering.remove_attempt(attempt, events=False)
        assert f"attempt {attempt.pk} is gone: 1 events of it are left" in sweep()
        transaction.set_rollback(True)  # no test may end with a reference to nothing


def test_an_attempt_that_is_gone_from_within_a_session_leaves_a_gap() -> None:
    study = make.study()
    study.pool.add(make.environment("rn01"))
    session = make.session(study)
    first = make.play(session, [0] * 3)
    make.play(session, [0] * 3)
    tampering.remove_attempt(first, events=True)
    assert f"session {session.pk} has no attempt number 1 any more" in sweep()


def test_a_withdrawn_attempt_is_reported_as_withdrawn_and_its_heads_remain() -> None:
    attempt = played()
    [day] = signed()
    end_session(attempt.session, SessionEnd.ENDED_BY_STAFF)
    withdraw(attempt.participant, None)
    out = StringIO()
    call_command("verify_attempts", stdout=out)
    label = attempt.participant.label
    assert (
        f"attempt {attempt.pk}: withdrawn by {label} on {now():%Y-%m-%d}; 1 signed heads remain"
        in out.getvalue()
    )
    assert "1 signed days, 0 not valid; 0 signs of missing attempts, 1 attempts withdrawn" in out.getvalue()
    day.refresh_from_db()
    assert json.loads(day.document)["attempts"][0][:2] == [attempt.pk, ENTRIES]


def test_a_changed_day_is_found() -> None:
    played()
    [day] = signed()
    tampering.unprotect()
    for changed, code in (
        ({"document": day.document.replace("[", "[ ", 1)}, "document_changed"),
        ({"document": "nothing"}, "document_malformed"),
        ({"signature": bytes(64)}, "signature_invalid"),
        ({"public_key": bytes(31)}, "signature_invalid"),
        ({"day": date(2020, 1, 1)}, "document_changed"),
    ):
        with transaction.atomic():
            SignedDay.objects.update(**changed)
            assert f"NOT VALID ({code})" in sweep(), changed
            transaction.set_rollback(True)
