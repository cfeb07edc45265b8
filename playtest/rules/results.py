"""What one attempt shows of each level it reached: a fold over its journal (report 5.1)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from playtest.rules.attempt import RESET
from playtest.rules.errors import RuleError

ACTIVE_GAP_SECONDS = 60.0
"""No pause counts for more active time than this."""
WIN, GAME_OVER = "WIN", "GAME_OVER"
"""Of arcengine's `GameState`."""


class ResultEntry(NamedTuple):
    """What a level result needs of a journal entry.

    `level` is the 1-based level the action was made on; `levels_completed`, `state` and `state_hash` hold
    after it.
    """

    seq: int
    action: int
    level: int
    levels_completed: int
    level_completed: bool
    state: str
    changed: bool
    state_hash: bytes
    at: datetime


@dataclass(frozen=True, slots=True)
class LevelResult:
    """One level of one attempt, from entering it to completing it or to the last action on it.

    `actions` counts resets, `actions_since_reset` starts after the last of them. `no_ops` changed
    nothing, and `repeated_states` led to a state seen on this level before (no-ops among them); resets are
    neither. `unique_states` counts the states seen, the first included and the next level's first not.
    `first_change` and `first_score_change` are the numbers, from 1, of the first action (no reset) on this
    level that changed the frame and of the one that completed the level; None when there was none. `seconds`
    runs from entering to the last action; in `active_seconds` no pause counts for more than
    `ACTIVE_GAP_SECONDS`.
    """

    level: int
    entered_seq: int
    last_seq: int
    entered_at: datetime
    last_at: datetime
    completed: bool = False
    actions: int = 0
    actions_since_reset: int = 0
    resets: int = 0
    no_ops: int = 0
    repeated_states: int = 0
    unique_states: int = 1
    first_change: int | None = None
    first_score_change: int | None = None
    game_overs: int = 0
    seconds: float = 0.0
    active_seconds: float = 0.0


def level_results(entries: Iterable[ResultEntry]) -> Iterator[LevelResult]:
    """The results of the levels reached, in order, the last one as it stands, even with no action on it.

    The first entry is the one that entered the first of these levels: the opening frame, or the action that
    completed the level before. Raises RuleError `entries_out_of_order` when a seq is not the one before
    plus 1.
    """
    found, seen = None, set[bytes]()
    for entry in entries:
        if found is None:
            found, seen = _entered(entry), {entry.state_hash}
            continue
        if entry.seq != found.last_seq + 1:
            raise RuleError("entries_out_of_order", f"Entry {entry.seq} follows {found.last_seq}.")
        found = _after(found, entry, seen)
        if found.completed:
            yield found
            if entry.state == WIN:
                return
            found, seen = _entered(entry), {entry.state_hash}
    if found is not None:
        yield found


def _entered(entry: ResultEntry) -> LevelResult:
    return LevelResult(entry.levels_completed + 1, entry.seq, entry.seq, entry.at, entry.at)


def _after(before: LevelResult, entry: ResultEntry, seen: set[bytes]) -> LevelResult:
    reset, actions = entry.action == RESET, before.actions + 1
    pause = max((entry.at - before.last_at).total_seconds(), 0.0)
    repeated = not reset and not entry.level_completed and entry.state_hash in seen
    if not entry.level_completed:
        seen.add(entry.state_hash)
    changes = not reset and entry.changed
    return replace(
        before,
        last_seq=entry.seq,
        last_at=entry.at,
        completed=entry.level_completed,
        actions=actions,
        actions_since_reset=0 if reset else before.actions_since_reset + 1,
        resets=before.resets + reset,
        no_ops=before.no_ops + (not reset and not entry.changed),
        repeated_states=before.repeated_states + repeated,
        unique_states=len(seen),
        first_change=actions if changes and before.first_change is None else before.first_change,
        first_score_change=actions if entry.level_completed else None,
        game_overs=before.game_overs + (entry.state == GAME_OVER),
        seconds=before.seconds + pause,
        active_seconds=before.active_seconds + min(pause, ACTIVE_GAP_SECONDS),
    )
