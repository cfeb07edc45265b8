"""Checks the record of an attempt without a replay: chain, end, times, signed days.

After a damaged fact the check goes on with the next one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256

import numpy as np

from engine.errors import PayloadError
from engine.play.frames import Frame
from playtest.play.journal.days import Head
from playtest.play.journal.entries import entry_value, seal_after, start_of
from playtest.play.journal.heartbeat import MOST_SECONDS_APART
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.attempts import granted_to, stopped_of
from playtest.play.sessions.reads import deadline_of
from playtest.rules.adjustments import Adjustments
from playtest.rules.attempt import Outcome

RECORD_CODES = frozenset(
    {
        "gap", "chain_broken", "seal_broken", "not_sealed", "entries_missing", "entries_added",
        "first_frame_differs", "outcome_differs", "identity_differs", "source_changed", "time_implausible",
        "head_differs",
    }
)  # fmt: skip
"""The codes of differences that are found without a replay (`review.record_check`)."""


@dataclass(frozen=True, eq=False)
class Difference:
    """A place where the record was changed, or where a replay differs from it.

    `seq` is the first entry concerned, or the number of entries where the end differs. `facts` names what
    differs: columns of the journal or the attempt, "seq" for a gap, "chain", "seal" or "head". `frame` counts
    from 0 within the turn; `recorded` and `played` are that frame, None where there is none.

    `code` is "differs" where the replay has another turn. Where there is no turn to compare it is
    the engine's own code, payload_malformed, unreadable or host_lost. The record itself: gap, chain_broken,
    seal_broken, not_sealed, entries_missing, entries_added, first_frame_differs, outcome_differs,
    identity_differs, source_changed, time_implausible, head_differs.
    """

    seq: int
    facts: tuple[str, ...]
    recorded_hash: str = ""
    played_hash: str = ""
    frame: int = 0
    recorded: Frame | None = None
    played: Frame | None = None
    code: str = "differs"
    message: str = "The replay differs from what is stored."

    @property
    def cells(self) -> int:
        """How many cells differ between the two frames; every one if a frame is missing."""
        if self.recorded is None or self.played is None:
            return 0 if self.recorded is self.played else 64 * 64
        return int(np.count_nonzero(self.recorded != self.played))


@dataclass(frozen=True, eq=False)
class Verification:
    """The differences of one attempt, by entry; those of the replay before those of the record.

    `recorded_from` is the first entry of an imported attempt that its version does not play as recorded: from
    there on nothing was played again.
    """

    attempt_id: int
    checked: int
    differences: tuple[Difference, ...] = ()
    recorded_from: int | None = None

    @property
    def difference(self) -> Difference | None:
        """The first difference."""
        return self.differences[0] if self.differences else None

    @property
    def entries(self) -> int:
        """How many entries agree before the first difference."""
        return self.checked if self.difference is None else self.difference.seq


type Listed = Sequence[tuple[date, Head]]
"""The signed heads of one attempt, oldest day first."""


def record_differences(
    attempt: Attempt, entries: Sequence[Entry], listed: Listed, adjustments: Adjustments
) -> Iterator[Difference]:
    """The first place of every kind of difference, in no order.

    `attempt` comes with its version and its session's study, `entries` by seq, and `adjustments` are those of
    its session. Of an imported attempt its names at the source are read besides.
    """
    for check in (
        _identity(attempt),
        _order(entries),
        _chain(attempt, entries),
        _end(attempt, entries, adjustments.of_attempt(attempt.pk)),
    ):
        yield from check
    yield from _first(_times(attempt, entries, adjustments))
    yield from _first(_heads(attempt, entries, listed))


def _first(found: Iterator[Difference]) -> Iterator[Difference]:
    if (difference := next(found, None)) is not None:
        yield difference


def _identity(attempt: Attempt) -> Iterator[Difference]:
    version = attempt.version
    whose = attempt.session_id is None or attempt.participant_id == attempt.session.participant_id
    if not whose or attempt.environment_id != version.environment_id:
        fact = "environment" if whose else "participant"
        message = f"The {fact} of this attempt is not the one of its {'version' if whose else 'session'}."
        yield Difference(0, (fact,), code="identity_differs", message=message)
    if sha256(version.source.encode()).hexdigest() != version.digest:
        message = "The source of the environment's version is not what its digest says."
        yield Difference(0, ("source",), code="source_changed", message=message)


def _order(entries: Sequence[Entry]) -> Iterator[Difference]:
    for number, entry in enumerate(entries):
        if entry.seq != number:
            message = f"Entry {number} is missing: the next one is {entry.seq}."
            yield Difference(number, ("seq",), code="gap", message=message)
            return


def _chain(attempt: Attempt, entries: Sequence[Entry]) -> Iterator[Difference]:
    """The first entry whose chain value does not follow from the one before, and all unreadable frames."""
    before, broken = start_of(attempt), False
    for number, entry in enumerate(entries):
        stored = bytes(entry.chain)
        try:
            follows = entry_value(before, entry, inflate(entry.frames)) == stored
        except PayloadError as error:
            message = f"Entry {entry.seq}: {error.message}"
            yield Difference(entry.seq, ("frames",), code=error.code, message=message)
            follows = False
        if not follows and not broken:
            broken = True
            yield Difference(min(number, entry.seq), ("chain",), code="chain_broken", message=_broken(entry))
        before = stored


def _broken(entry: Entry) -> str:
    if entry.seq == 0:
        return (
            "This entry, or the attempt's own seed, version, session, number or time of assignment, is not "
            "what was recorded."
        )
    return "This entry, or the one before it, is not what was recorded: the chain of hashes breaks."


def _end(attempt: Attempt, entries: Sequence[Entry], adjustments: Adjustments) -> Iterator[Difference]:
    opened = entries[0].server_time if entries else None
    if attempt.ended_at is not None:
        yield from _seal(attempt, entries)
    elif attempt.seal is not None:
        message = "The attempt has a seal, so it ended, but it is open now."
        yield Difference(len(entries), ("ended_at",), code="seal_broken", message=message)
    if attempt.first_frame_at != opened and (attempt.ended_at or attempt.first_frame_at):
        message = f"The first frame has the time {attempt.first_frame_at}, but entry 0 has {opened}."
        yield Difference(0, ("first_frame_at",), code="first_frame_differs", message=message)
    if attempt.ended_at is not None:
        yield from _paused(attempt, adjustments)
    if attempt.outcome == Outcome.COMPLETED and not (entries and entries[-1].state == "WIN"):
        message = "The outcome is completed, but the last entry is not a win."
        yield Difference(len(entries), ("outcome",), code="outcome_differs", message=message)


def _paused(attempt: Attempt, adjustments: Adjustments) -> Iterator[Difference]:
    """The stored time of pauses and the granted one, if the log of events says another one."""
    said = stopped_of(attempt, adjustments)
    if said != attempt.paused:
        message = f"The attempt was paused for {attempt.paused}, but the events say {said}."
        yield Difference(0, ("paused",), code="paused_differs", message=message)
    if (granted := granted_to(attempt, adjustments)) != attempt.granted:
        message = f"The attempt was granted {attempt.granted}, but the events say {granted}."
        yield Difference(0, ("granted",), code="granted_differs", message=message)


def _seal(attempt: Attempt, entries: Sequence[Entry]) -> Iterator[Difference]:
    count = len(entries)
    if attempt.seal is None:
        message = "The attempt has ended without a seal."
        yield Difference(count, ("seal",), code="not_sealed", message=message)
        return
    last = bytes(entries[-1].chain) if entries else start_of(attempt)
    if seal_after(attempt, last, count) == bytes(attempt.seal):
        return
    if (expected := attempt.actions + 1) != count and count:
        code, place = ("entries_missing", count) if count < expected else ("entries_added", expected)
        message = f"The attempt ended after {expected} entries, but there are {count}: see entry {place}."
        yield Difference(place, ("seq", "seal"), code=code, message=message)
        return
    message = (
        "The end is not what was sealed: the number of entries, the first frame, the outcome, the fault or "
        "the time of the end was changed."
    )
    yield Difference(count, ("seal",), code="seal_broken", message=message)


def _times(attempt: Attempt, entries: Sequence[Entry], adjustments: Adjustments) -> Iterator[Difference]:
    """Times before the assignment or the entry before, after the deadline, or in a pause of the clock.

    `adjustments` are the session's, whose own time runs on while the attempt is set aside.
    """
    own = adjustments.of_attempt(attempt.pk)
    before, what = attempt.assigned_at, "its environment was assigned"
    here = attempt.session_id is not None and not attempt.session.study.is_outside
    began = here and attempt.session.checked_in_at and attempt.first_frame_at
    limit = deadline_of(attempt, adjustments) if began else None
    deadline = limit.at if limit is not None else None
    for entry in entries:
        if entry.server_time < before:
            yield _implausible(entry, f"before {what}")
        if deadline is not None and entry.seq > 0 and entry.server_time >= deadline:
            yield _implausible(entry, "after the time limit that its study has now")
        if own.pauses and _is_within_a_pause(entry.server_time, own):
            yield _implausible(entry, "while its clock stood still")
        before, what = entry.server_time, f"entry {entry.seq}"


def _is_within_a_pause(moment: datetime, adjustments: Adjustments) -> bool:
    """At its edges a time may be off by as much as two clocks may disagree."""
    edge = timedelta(seconds=MOST_SECONDS_APART)
    return any(
        pause.start + edge <= moment and (pause.end is None or moment < pause.end - edge)
        for pause in adjustments.pauses
    )


def _implausible(entry: Entry, why: str) -> Difference:
    message = f"Entry {entry.seq} has the time {entry.server_time}, which is {why}."
    return Difference(entry.seq, ("server_time",), code="time_implausible", message=message)


def _heads(attempt: Attempt, entries: Sequence[Entry], listed: Listed) -> Iterator[Difference]:
    """Places where the journal differs from a signed day."""
    chains = {entry.seq + 1: bytes(entry.chain).hex() for entry in entries} | {0: start_of(attempt).hex()}
    agreed = 0
    for day, head in listed:
        if chains.get(head.entries) != head.chain:
            message = (
                f"The list signed for {day} has {head.entries} entries with another head: "
                f"a value from entry {agreed} on was changed since."
            )
            yield Difference(agreed, ("head",), code="head_differs", message=message)
        if head.seal and head.seal != bytes(attempt.seal or b"").hex():
            message = f"The list signed for {day} has another seal of this attempt."
            yield Difference(len(entries), ("seal", "head"), code="head_differs", message=message)
        agreed = head.entries
