"""What one attempt at a static task shows of each test input, from its journal.

The results are those of levels (`rules.results.LevelResult`), with a test input for a level. Inputs are shown
in any order and several times, so everything of one is collected over all the times in which it was shown.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.errors import RuleError
from playtest.rules.results import ACTIVE_GAP_SECONDS, LevelResult


class TaskEntry(NamedTuple):
    """The fields of an entry that results of test inputs use.

    `input` is where the edit was made, from 1. `opens` is the input that an edit opens, if it is one that
    does. `moves_on`: it is a submission after which the next input is shown that is not closed. `solves`: a
    submission that solved its input. `finished`, `changed` and `state_hash` hold after it.
    """

    seq: int
    input: int
    opens: int | None
    submits: bool
    moves_on: bool
    solves: bool
    finished: bool
    changed: bool
    state_hash: bytes
    at: datetime


def input_results(
    entries: Iterable[TaskEntry],
    inputs: int,
    ended_at: datetime | None = None,
    adjustments: Adjustments = NO_ADJUSTMENTS,
) -> list[LevelResult]:
    """The results of the test inputs that were shown, by input; `inputs` is how many the task has.

    The last one shown was shown until `ended_at`, or until the last edit while the attempt is open. No time
    passes while staff have paused the session. Raises RuleError entries_out_of_order.
    """
    entries = list(entries)
    found: dict[int, _Shown] = {}
    shown = None
    for before, entry, showing in zip([None, *entries], entries, _shown_after(entries, inputs), strict=False):
        if before is not None:
            if entry.seq != before.seq + 1:
                raise RuleError("entries_out_of_order", f"Entry {entry.seq} follows {before.seq}.")
            _wait(found, shown, before.at, entry.at, adjustments)
            if entry.opens is None:
                found[entry.input].edited(entry, stays=showing == entry.input)
        if showing is not None:
            found.setdefault(showing, _Shown(entry)).states.add(entry.state_hash)
        shown = showing
    if ended_at is not None and entries:
        _wait(found, shown, entries[-1].at, ended_at, adjustments)
    return [found[number].result(number) for number in sorted(found)]


def _shown_after(entries: Sequence[TaskEntry], inputs: int) -> Iterator[int | None]:
    """The input that is shown after each entry; None once the task is finished."""
    closed = set[int]()
    for entry, after in zip(entries, [*entries[1:], None], strict=True):
        if entry.moves_on:
            closed.add(entry.input)
        if entry.finished:
            yield None
        elif after is not None:
            yield after.input
        elif entry.moves_on:
            order = (*range(entry.input + 1, inputs + 1), *range(1, entry.input))
            yield next((number for number in order if number not in closed), None)
        else:
            yield entry.opens or entry.input


def _wait(
    found: dict[int, "_Shown"], shown: int | None, start: datetime, end: datetime, adjustments: Adjustments
) -> None:
    if shown is not None:
        found[shown].waits.append(adjustments.running(start, end))


@dataclass
class _Shown:
    """What was done on one input so far; `first` is the entry that showed it first."""

    first: TaskEntry
    last: TaskEntry | None = None
    actions: int = 0
    no_ops: int = 0
    repeated: int = 0
    unsuccessful: int = 0
    first_change: int | None = None
    solved_by: int | None = None
    states: set[bytes] = field(default_factory=set)
    waits: list[timedelta] = field(default_factory=list)

    def edited(self, entry: TaskEntry, *, stays: bool) -> None:
        """Adds an edit or a submission, after which the input `stays` shown or not."""
        self.last = entry
        self.actions += 1
        self.no_ops += not entry.changed
        self.repeated += stays and entry.state_hash in self.states
        if entry.changed and self.first_change is None:
            self.first_change = self.actions
        if self.solved_by is None:
            if entry.solves:
                self.solved_by = self.actions
            self.unsuccessful += entry.submits and not entry.solves

    def result(self, number: int) -> LevelResult:
        last = self.last or self.first
        most = timedelta(seconds=ACTIVE_GAP_SECONDS)
        return LevelResult(
            level=number, entered_seq=self.first.seq, last_seq=last.seq, entered_at=self.first.at,
            last_at=last.at, completed=self.solved_by is not None, actions=self.actions,
            actions_since_reset=self.actions, resets=0, no_ops=self.no_ops, repeated_states=self.repeated,
            unique_states=len(self.states), first_change=self.first_change,
            first_score_change=self.solved_by, game_overs=self.unsuccessful,
            seconds=sum(self.waits, timedelta()).total_seconds(),
            active_seconds=sum((min(wait, most) for wait in self.waits), timedelta()).total_seconds(),
        )  # fmt: skip
