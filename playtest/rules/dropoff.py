"""Where people drop off, which levels a designer should check, and what is new on them.

People are lost at a level if they gave up, concluded or timed out on it. People who left at once
(`rules.attempt.left_at_once`) are counted apart. People who still play, whose session was over, whose
attempt staff ended, or whose environment failed are not lost.

A card says on which level a mechanic comes first, not which levels use it. So people who are lost on a level
that introduces something are lost where that is new; any other level may combine what came before.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from playtest.rules.cards import Mechanic

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

    `reached` and `lost` count people without those who left at once on the level, whom `left_at_once`
    counts; `median_actions` is of its `completed`, `median_resets` of everyone who
    reached it, and `median_seconds_to_change` of the `starters` (whose first change is known, or who left
    without one). A median of nobody is None.
    """

    level: int
    reached: int
    completed: int
    lost: int
    median_actions: float | None = None
    median_resets: float | None = None
    starters: int = 0
    median_seconds_to_change: float | None = None
    left_at_once: int = 0

    @property
    def drop(self) -> float:
        """The share (0..1) of those who reached the level that it lost; 0.0 when nobody did."""
        return self.lost / self.reached if self.reached else 0.0


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
    found = [*_drops(levels), *_jumps(levels), *_resets(levels), *_slow_starts(levels)]
    return tuple(sorted(found, key=lambda flag: (flag.level, list(FlagKind).index(flag.kind))))


def _drops(levels: Sequence[LevelFacts]) -> Iterator[Flag]:
    for place, facts in enumerate(levels):
        around = [
            levels[other]
            for other in (place - 1, place + 1)
            if 0 <= other < len(levels) and levels[other].reached
        ]
        if facts.reached < FEWEST_PEOPLE or facts.lost < DROP_PEOPLE or not around:
            continue
        # A hair's breadth, so that 0.45 - 0.30 is not less than 0.15.
        if all(facts.drop - other.drop >= DROP_MARGIN - 1e-9 for other in around):
            yield Flag(FlagKind.DROP, facts.level, "loses people", _drop_sentence(facts, around))


def _drop_sentence(facts: LevelFacts, around: list[LevelFacts]) -> str:
    others = " and ".join(
        f"level {other.level} {'loses ' if place == 0 else ''}{other.lost} of {other.reached}"
        for place, other in enumerate(around)
    )
    return f"Level {facts.level} loses {facts.lost} of {facts.reached} ({100 * facts.drop:.0f} %); {others}."


def _jumps(levels: Sequence[LevelFacts]) -> Iterator[Flag]:
    for before, facts in pairwise(levels):
        if min(before.completed, facts.completed) < FEWEST_PEOPLE:
            continue
        if before.median_actions is None or facts.median_actions is None:
            continue
        more = facts.median_actions - before.median_actions
        if more >= JUMP_ACTIONS and facts.median_actions >= JUMP_FACTOR * before.median_actions:
            sentence = (
                f"Level {facts.level} takes {_number(facts.median_actions)} actions"
                f" (upper median of {facts.completed} who completed it), level {before.level} only"
                f" {_number(before.median_actions)}."
            )
            yield Flag(FlagKind.JUMP, facts.level, "jump in actions", sentence)


def _resets(levels: Sequence[LevelFacts]) -> Iterator[Flag]:
    for facts in levels:
        if facts.reached < FEWEST_PEOPLE or facts.median_resets is None:
            continue
        if facts.median_resets >= MANY_RESETS:
            sentence = (
                f"At least half of the {facts.reached} who reached level {facts.level} reset it"
                f" {_number(facts.median_resets)} times or more."
            )
            yield Flag(FlagKind.RESETS, facts.level, "many resets", sentence)


def _slow_starts(levels: Sequence[LevelFacts]) -> Iterator[Flag]:
    for facts in levels:
        if facts.starters < FEWEST_PEOPLE or facts.median_seconds_to_change is None:
            continue
        if facts.median_seconds_to_change >= SLOW_SECONDS:
            sentence = (
                f"At least half of {facts.starters} people spent {facts.median_seconds_to_change:.0f} s"
                f" or more on level {facts.level} before anything changed."
            )
            yield Flag(FlagKind.SLOW_START, facts.level, "slow start", sentence)


def _number(value: float) -> str:
    return f"{value:g}"


@dataclass(frozen=True, slots=True)
class Stretch:
    """The levels from one that introduces mechanics to the one before the next such level.

    `new` are these mechanics, `introduces` the facts of that level, None where the card names nothing for the
    first levels; `combines` are the facts of the levels after it. `before` are the mechanics introduced
    earlier.
    """

    new: tuple[Mechanic, ...]
    before: tuple[Mechanic, ...]
    introduces: LevelFacts | None
    combines: tuple[LevelFacts, ...]

    @property
    def lost_combining(self) -> int:
        return sum(level.lost for level in self.combines)


@dataclass(frozen=True, slots=True)
class Loss:
    """How many people were lost where something is new, and how many on all other levels."""

    on_new: int
    on_others: int
    most: tuple[Stretch, ...]
    """The stretches whose first level lost most people, several if equally many; () if none lost anybody."""


def stretches(
    introduced: Mapping[int, Sequence[Mechanic]], levels: Sequence[LevelFacts]
) -> tuple[Stretch, ...]:
    """The levels, from 1 on, cut before each that introduces mechanics; `introduced` has these by level.

    Mechanics of a level that the version does not have are left out. () without any mechanic.
    """
    starts = [level for level in levels if introduced.get(level.level)]
    if not starts:
        return ()
    found: list[Stretch] = []
    first = tuple(level for level in levels if level.level < starts[0].level)
    if first:
        found.append(Stretch((), (), None, first))
    before: tuple[Mechanic, ...] = ()
    ends = [*(level.level for level in starts[1:]), levels[-1].level + 1]
    for start, end in zip(starts, ends, strict=True):
        new = tuple(introduced[start.level])
        combines = tuple(level for level in levels if start.level < level.level < end)
        found.append(Stretch(new, before, start, combines))
        before += new
    return tuple(found)


def loss(found: Sequence[Stretch]) -> Loss:
    """Where the people of all stretches were lost."""
    new = [one for one in found if one.introduces is not None]
    counts = {one: one.introduces.lost for one in new if one.introduces is not None}
    most = max(counts.values(), default=0)
    return Loss(
        sum(counts.values()),
        sum(one.lost_combining for one in found),
        tuple(one for one, lost in counts.items() if lost == most) if most else (),
    )
