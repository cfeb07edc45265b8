"""Where people drop off, which levels a designer should check.

People are lost at a level if they gave up, concluded or timed out on it. Whoever completed it or was lost
there has ended it, and every share and median of a level is of these people. Counted apart is who left at
once (`rules.attempt.left_at_once`), still plays, was cut short, or whose environment failed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from playtest.rules.text import percent

FEWEST_PEOPLE = 3
"""A level with fewer people behind a figure raises no flag by it."""
DROP_PEOPLE = 2
"""A drop is at least so many people."""
DROP_MARGIN = 0.15
"""A drop stands out when it is at least so much (of 1) larger than each neighbour's."""
JUMP_FACTOR = 2.0
"""Median actions jump when a level takes at least so many times those of the level before."""
JUMP_ACTIONS = 10
"""And at least so many more."""
MANY_RESETS = 2
"""Many resets: at least half the people reset the level so often."""
SLOW_SECONDS = 30.0
"""A slow start: at least half the people spent so long before anything on the board changed."""


class FlagKind(StrEnum):
    DROP = "drop"
    JUMP = "jump"
    RESETS = "resets"
    SLOW_START = "slow_start"


@dataclass(frozen=True, slots=True)
class LevelFacts:
    """The figures of one level that the rules use.

    `reached` counts everybody, `under_review` those of the `lost` whose session waits for a reviewer's
    decision. `median_actions` is of its `completed`; `median_resets` and `median_seconds_to_change`, or to
    the end without any change, of those who `ended` it. A median of nobody is None.
    """

    level: int
    reached: int
    completed: int
    lost: int
    median_actions: float | None = None
    median_resets: float | None = None
    median_seconds_to_change: float | None = None
    left_at_once: int = 0
    under_review: int = 0

    @property
    def ended(self) -> int:
        """The people whose result on the level is known, of whom all its shares are."""
        return self.completed + self.lost

    @property
    def drop(self) -> float:
        """The share (0..1) of those who ended the level that it lost; 0.0 when nobody did."""
        return self.lost / self.ended if self.ended else 0.0

    @property
    def doubt(self) -> str:
        """How many of the lost are under review, as sentences end: " (2 of 2 under review)", or ""."""
        return f" ({self.under_review} of {self.lost} under review)" if self.under_review else ""


@dataclass(frozen=True, slots=True)
class Flag:
    """Why a level stands out: a short label, and a sentence with the figures."""

    kind: FlagKind
    level: int
    label: str
    sentence: str


def worst(levels: Iterable[LevelFacts]) -> tuple[LevelFacts, ...]:
    """The levels that lost most people, several if they lost equally many; () if nobody was lost."""
    losing = [facts for facts in levels if facts.lost]
    most = max((facts.lost for facts in losing), default=0)
    return tuple(facts for facts in losing if facts.lost == most)


def flags(levels: Sequence[LevelFacts]) -> tuple[Flag, ...]:
    """Every flag of a version's levels, given in order; by level, and within it as in FlagKind."""
    found = [*_drops(levels), *_jumps(levels), *_medians(levels)]
    return tuple(sorted(found, key=lambda flag: (flag.level, list(FlagKind).index(flag.kind))))


def _drops(levels: Sequence[LevelFacts]) -> Iterator[Flag]:
    for place, facts in enumerate(levels):
        around = [
            levels[other]
            for other in (place - 1, place + 1)
            if 0 <= other < len(levels) and levels[other].ended
        ]
        if facts.ended < FEWEST_PEOPLE or facts.lost < DROP_PEOPLE or not around:
            continue
        # A hair's breadth, so that 0.45 - 0.30 is not less than 0.15.
        if all(facts.drop - other.drop >= DROP_MARGIN - 1e-9 for other in around):
            first, *second = (f"{other.lost} of {other.ended}" for other in around)
            others = f"level {around[0].level} loses {first}"
            if second:
                others += f" and level {around[1].level} {second[0]}"
            lost = f"{facts.lost} of {facts.ended}, {percent(facts.drop)}{facts.doubt}"
            sentence = f"Level {facts.level} loses {lost}; {others}."
            yield Flag(FlagKind.DROP, facts.level, "loses people", sentence)


def _jumps(levels: Sequence[LevelFacts]) -> Iterator[Flag]:
    for before, facts in pairwise(levels):
        if min(before.completed, facts.completed) < FEWEST_PEOPLE:
            continue
        if before.median_actions is None or facts.median_actions is None:
            continue
        more = facts.median_actions - before.median_actions
        if more >= JUMP_ACTIONS and facts.median_actions >= JUMP_FACTOR * before.median_actions:
            sentence = (
                f"Level {facts.level} takes {facts.median_actions:g} actions (upper median of"
                f" {facts.completed} who completed it), level {before.level} only {before.median_actions:g}."
            )
            yield Flag(FlagKind.JUMP, facts.level, "jump in actions", sentence)


def _medians(levels: Sequence[LevelFacts]) -> Iterator[Flag]:
    """Many resets, and slow starts."""
    for facts in levels:
        if facts.ended < FEWEST_PEOPLE:
            continue
        half = f"At least half of the {facts.ended} who ended level {facts.level}"
        resets, seconds = facts.median_resets, facts.median_seconds_to_change
        if resets is not None and resets >= MANY_RESETS:
            sentence = f"{half} reset it {resets:g} times or more."
            yield Flag(FlagKind.RESETS, facts.level, "many resets", sentence)
        if seconds is not None and seconds >= SLOW_SECONDS:
            sentence = f"{half} spent {seconds:.0f} s or more there before anything changed."
            yield Flag(FlagKind.SLOW_START, facts.level, "slow start", sentence)
