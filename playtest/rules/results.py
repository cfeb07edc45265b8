"""What one attempt shows of each level it reached, from its journal (report 5.1).

This is the only definition: pages, the worker and `manage.py rebuild` all compute by it. For static tasks,
whose levels are test inputs, `rules.tasks.results` makes the same results.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple, Protocol, Self

from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments, Pause
from playtest.rules.attempt import RESET, UNDO
from playtest.rules.errors import RuleError

ACTIVE_GAP_SECONDS = 60.0
"""No wait between two actions counts for more active time than this."""
WIN, GAME_OVER = "WIN", "GAME_OVER"
"""Of arcengine's `GameState`."""


class _Count(Protocol):
    """A whole number, or a column of them."""

    def __sub__(self, other: Self, /) -> Self: ...


def counted_actions[N: _Count](actions: N, undos: N, *, undo_counts: bool) -> N:
    """The actions that count, of all actions and the undos among them: of people and agents, on a level or of
    a whole play, and so of every baseline and score. `undo_counts` is a value of the protocol.
    """
    return actions if undo_counts else actions - undos


def undo_text(*, undo_counts: bool) -> str:
    """How pages and files name which actions were counted."""
    return "undo counted" if undo_counts else "undo not counted"


class ResultEntry(NamedTuple):
    """The fields of an entry that level results use; all but `seq`, `action` and `at` hold after it."""

    seq: int
    action: int
    levels_completed: int
    level_completed: bool
    state: str
    changed: bool
    state_hash: bytes
    at: datetime


@dataclass(frozen=True, slots=True)
class LevelResult:
    """One level of one attempt, from entering it to completing it or to the last action on it.

    A level that one action passed over has no result. docs/codebook.md says what each field means, in the
    table `level_results`; the tables of insight follow from the fields. `actions` has all of them, `undos`
    among them: `counting` leaves these out where a protocol says so.

    Of a static task a level is a test input, and an action an edit or a submission; opening another input is
    none. It may be shown several times, and everything is over all of these.
    """

    level: int
    entered_seq: int
    last_seq: int
    entered_at: datetime
    last_at: datetime
    completed: bool
    actions: int
    actions_since_reset: int
    resets: int
    no_ops: int
    repeated_states: int
    unique_states: int
    first_change: int | None
    first_score_change: int | None
    game_overs: int
    seconds: float
    active_seconds: float
    undos: int = 0
    undos_since_reset: int = 0

    def counting(self, *, undo_counts: bool) -> "LevelResult":
        """This result with the actions that count; numbers of single actions stay what they are."""
        return replace(
            self,
            actions=counted_actions(self.actions, self.undos, undo_counts=undo_counts),
            actions_since_reset=counted_actions(
                self.actions_since_reset, self.undos_since_reset, undo_counts=undo_counts
            ),
        )

    @property
    def no_op_rate(self) -> float | None:
        """The share (0..1) of no-ops among actions that are not resets, None when there are none."""
        return self._rate(self.no_ops)

    @property
    def repeated_state_rate(self) -> float | None:
        """The share (0..1) of the same actions that led to a repeated state."""
        return self._rate(self.repeated_states)

    def _rate(self, count: int) -> float | None:
        moves = self.actions - self.resets
        return count / moves if moves else None


def level_results(
    entries: Iterable[ResultEntry], adjustments: Adjustments = NO_ADJUSTMENTS, *, restarts: bool = False
) -> Iterator[LevelResult]:
    """The results of the levels reached, in order; the last one may have no action.

    `adjustments` are those of the attempt's session: while staff have paused it, no time passes.

    The first entry is the one that entered the first of these levels. So what is known of an attempt is
    brought up to date by reading from the `entered_seq` of its last level.

    Raises RuleError: entries_out_of_order when a seq is not the one before plus 1, levels_out_of_order when
    there are fewer levels completed than before. No person's journal has either, unless it comes from
    elsewhere: with `restarts` the whole environment may have begun again (`first_run`).
    """
    if restarts:
        entries, adjustments = first_run(entries, adjustments)
    entered, actions = None, list[ResultEntry]()
    for entry in entries if restarts else _in_order(entries):
        if entered is None:
            entered = entry
            continue
        actions.append(entry)
        if entry.level_completed:
            yield _result(entered, actions, adjustments)
            if entry.state == WIN:
                return
            entered, actions = entry, []
    if entered is not None:
        yield _result(entered, actions, adjustments)


def first_run(
    entries: Iterable[ResultEntry], adjustments: Adjustments
) -> tuple[list[ResultEntry], Adjustments]:
    """The entries without those that repeat completed levels, and the clock without their time.

    The reset that restarts the whole environment is an action on the level on which it is made. What follows
    counts again once that level is reached again: what was completed has had its first run. Its entries keep
    their place, so that `seq` has gaps. RuleError entries_out_of_order.
    """
    counted: list[ResultEntry] = []
    repeated: list[Pause] = []
    left: datetime | None = None
    done, before = 0, None
    for entry in entries:
        if before is not None and entry.seq != before.seq + 1:
            raise RuleError("entries_out_of_order", f"Entry {entry.seq} follows {before.seq}.")
        before = entry
        if left is not None:
            if entry.levels_completed >= done:
                repeated.append(Pause(left, entry.at))
                left = None
            continue
        if entry.levels_completed < done:
            left = entry.at
            entry = entry._replace(levels_completed=done, level_completed=False)
        done = entry.levels_completed
        counted.append(entry)
    pauses = tuple(sorted((*adjustments.pauses, *repeated), key=lambda pause: pause.start))
    return counted, replace(adjustments, pauses=pauses)


def _in_order(entries: Iterable[ResultEntry]) -> Iterator[ResultEntry]:
    before = None
    for entry in entries:
        if before is not None and entry.seq != before.seq + 1:
            raise RuleError("entries_out_of_order", f"Entry {entry.seq} follows {before.seq}.")
        if before is not None and entry.levels_completed < before.levels_completed:
            raise RuleError("levels_out_of_order", f"Entry {entry.seq} has fewer levels completed.")
        yield entry
        before = entry


def _result(entered: ResultEntry, actions: Sequence[ResultEntry], adjustments: Adjustments) -> LevelResult:
    numbered = list(enumerate(actions, start=1))
    moves = [(number, act) for number, act in numbered if act.action != RESET]
    resets = [number for number, act in numbered if act.action == RESET]
    undos = [number for number, act in numbered if act.action == UNDO]
    last_reset = resets[-1] if resets else 0
    last = actions[-1] if actions else entered
    completed = bool(actions) and last.level_completed
    repeated, unique = _states(entered, actions)
    seconds, active_seconds = _durations([entered, *actions], adjustments)
    return LevelResult(
        level=entered.levels_completed + 1, entered_seq=entered.seq, last_seq=last.seq,
        entered_at=entered.at, last_at=last.at, completed=completed, actions=len(actions),
        actions_since_reset=len(actions) - last_reset, resets=len(resets),
        no_ops=sum(not act.changed for _, act in moves), repeated_states=repeated, unique_states=unique,
        first_change=next((number for number, act in moves if act.changed), None),
        first_score_change=len(actions) if completed else None,
        game_overs=sum(act.state == GAME_OVER for act in actions), seconds=seconds,
        active_seconds=active_seconds, undos=len(undos),
        undos_since_reset=sum(number > last_reset for number in undos),
    )  # fmt: skip


def _states(entered: ResultEntry, actions: Sequence[ResultEntry]) -> tuple[int, int]:
    """How many actions led to a state seen before, and how many states were seen."""
    seen, repeated = {entered.state_hash}, 0
    for act in actions:
        if not act.level_completed:
            repeated += act.action != RESET and act.state_hash in seen
            seen.add(act.state_hash)
    return repeated, len(seen)


def _durations(moments: Sequence[ResultEntry], adjustments: Adjustments) -> tuple[float, float]:
    """Seconds and active seconds. A clock set back between two actions counts as no time."""
    none, most = timedelta(), timedelta(seconds=ACTIVE_GAP_SECONDS)
    if adjustments.pauses:
        waits = [adjustments.running(before.at, after.at) for before, after in pairwise(moments)]
    else:
        waits = [max(after.at - before.at, none) for before, after in pairwise(moments)]
    active = sum((min(wait, most) for wait in waits), none)
    return sum(waits, none).total_seconds(), active.total_seconds()
