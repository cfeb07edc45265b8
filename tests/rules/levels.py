"""Journals written as text, for level results: one character an action, blanks for the eye.

A letter is a move to the state of that name (every level begins in state a), `.` a move that changes
nothing, `u` an undo (to a state of its own), `R` a reset, `!` a move that loses the level, `+` one that
completes it, `W` one that wins the last.
"""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import strategies as st

from playtest.rules.results import GAME_OVER, WIN, LevelResult, ResultEntry, level_results

BEGAN = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
_ACTIONS = {"R": 0, "u": 7}
_STATES = {"!": GAME_OVER, "W": WIN}


def journal(written: str, pauses: list[float] | None = None) -> list[ResultEntry]:
    """The entries of a text; seconds before each action, 2 where `pauses` ends."""
    played = written.replace(" ", "")
    waits = [*(pauses or []), *[2.0] * len(played)]
    entries = [ResultEntry(0, 0, 0, False, "NOT_FINISHED", True, _named(0, "a"), BEGAN)]
    for seq, (sign, wait) in enumerate(zip(played, waits, strict=False), start=1):
        entries.append(_after(entries[-1], seq, sign, wait))
    return entries


def _after(before: ResultEntry, seq: int, sign: str, wait: float) -> ResultEntry:
    completes = sign in "+W"
    done = before.levels_completed + completes
    shown = before.state_hash if sign == "." else _named(done, "a" if sign in "R+" else sign)
    return ResultEntry(
        seq,
        action=_ACTIONS.get(sign, 1),
        levels_completed=done,
        level_completed=completes,
        state=before.state if sign == "." else _STATES.get(sign, "NOT_FINISHED"),
        changed=shown != before.state_hash,
        state_hash=shown,
        at=before.at + timedelta(seconds=wait),
    )


def _named(levels_completed: int, state: str) -> bytes:
    """Eight bytes, of which some are no text."""
    return bytes([levels_completed, 0xFF, *state.encode()]).ljust(8, b"\0")


def results(written: str, pauses: list[float] | None = None) -> list[LevelResult]:
    return list(level_results(journal(written, pauses)))


def seconds_between(entries: list[ResultEntry]) -> list[float]:
    return [(after.at - before.at).total_seconds() for before, after in pairwise(entries)]


pauses = st.lists(st.one_of(st.integers(-3, 200), st.floats(0, 90, width=32)), max_size=40)
"""Seconds before actions: long ones, fractions, and some of a clock that was set back."""

texts = st.builds(str.__add__, st.text("abcdu..R!+", max_size=40), st.sampled_from(["", "W"]))
journals = st.builds(journal, texts, pauses)
