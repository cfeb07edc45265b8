"""The recorded solution of each level of an environment, and how difficult each level is for people."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from playtest.rehearsal.people.steps import RESET, Press

type Solution = tuple[Press, ...]
"""The actions from a level's start to its end."""

_STEPS_OF_A_USUAL_LEVEL = 25
_HARD_LEVELS = 2


@dataclass(frozen=True)
class Solutions:
    """The solutions of an environment's levels, if any; `name` seeds the choice of hard levels."""

    name: str
    levels: tuple[Solution, ...] = ()

    def of(self, level: int) -> Solution:
        """The solution of a level, counted from 1; empty if unknown."""
        return self.levels[level - 1] if level <= len(self.levels) else ()

    def difficulty(self, level: int) -> float:
        """Wrong tries of somebody without skill; levels get harder, and two are much harder."""
        if not self.levels:
            return 3.0
        progress = (level - 1) / max(1, len(self.levels) - 1)
        length = len(self.of(level)) / _STEPS_OF_A_USUAL_LEVEL
        return 1.0 + 1.5 * progress + 0.5 * length + (3.0 if level in self._hard else 0.0)

    @cached_property
    def _hard(self) -> frozenset[int]:
        """The hard levels; never the first two, which are tutorials."""
        later = range(3, len(self.levels) + 1)
        return frozenset(Random(self.name).sample(later, min(_HARD_LEVELS, len(later))))


def from_recording(name: str, actions: Sequence[tuple[int, Press]], levels: int) -> Solutions:
    """Takes the solutions from a recorded win: (level, action) in order, without the opening.

    Actions before the last reset of a level are not part of its solution.
    """
    solutions: list[list[Press]] = [[] for _ in range(levels)]
    for level, press in actions:
        if press.action == RESET:
            solutions[level - 1].clear()
        else:
            solutions[level - 1].append(press)
    return Solutions(name, tuple(tuple(solution) for solution in solutions))
