"""The known way through an environment, level by level, and how hard each level is for people."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from playtest.rehearsal.people.doing import RESET, Press

type Way = tuple[Press, ...]
"""The actions from a level's start to its end."""

_STEPS_OF_A_USUAL_LEVEL = 25
_HARD_LEVELS = 2


@dataclass(frozen=True)
class Ways:
    """The ways of one environment's levels, none where nobody knows one; `name` draws its hard levels."""

    name: str
    levels: tuple[Way, ...] = ()

    def of(self, level: int) -> Way:
        """From the start of a level, counted from 1; empty when unknown."""
        return self.levels[level - 1] if level <= len(self.levels) else ()

    def difficulty(self, level: int) -> float:
        """How many wrong tries someone of no skill makes; levels get harder, two stand out."""
        if not self.levels:
            return 3.0
        progress = (level - 1) / max(1, len(self.levels) - 1)
        length = len(self.of(level)) / _STEPS_OF_A_USUAL_LEVEL
        return 1.0 + 1.5 * progress + 0.5 * length + (3.0 if level in self._hard else 0.0)

    @cached_property
    def _hard(self) -> frozenset[int]:
        """Never the first two: they teach."""
        later = range(3, len(self.levels) + 1)
        return frozenset(Random(self.name).sample(later, min(_HARD_LEVELS, len(later))))


def from_recording(name: str, actions: Sequence[tuple[int, Press]], levels: int) -> Ways:
    """The ways in a won run: (level it was made on, action) in order, the opening left out.

    What came before the last reset of a level does not lead anywhere and is left out.
    """
    ways: list[list[Press]] = [[] for _ in range(levels)]
    for level, press in actions:
        if press.action == RESET:
            ways[level - 1].clear()
        else:
            ways[level - 1].append(press)
    return Ways(name, tuple(tuple(way) for way in ways))
