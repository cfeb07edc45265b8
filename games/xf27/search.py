"""The slab: balls that go on until something stops or turns them."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from engine.prove.search import DIRECTIONS, Level, Step, keys, plain

CONTROLS = (1, 2, 3, 4)
CANNOT_BE_LOST = False
QUICKLY_SEARCHED = (1, 2, 3, 4, 5, 6, 7, 8)

FEWEST = (
    "URRDU",
    "UUULDUURDDLULLDUU",
    "LDUDDDDRRRDDDLLLRDLUU",
    "UURRRRULULLDUUDDRDDLDRU",
    "ULLLUUUUURDDLRRLDDUUU",
    "UUDUDDDDRULRRLLLLURUUU",
    "URRRDRDDDUUULRRRLDRUDLRUDU",
    "RDDDRUDDLLUUUUUDLRUDUUU",
)

TRIED = (
    "RRDU X",
    "ULRULUDR X",
    "RLLLLRDR X LL X",
    "RUUURRUR X",
    "UUDLLUL X UUDLLUL X",
    "LDUUURUD X UU X",
    "RDRRUURU X",
    "RRDDDRUD X RR X",
)

LOST = FEWEST[0] + TRIED[1][:8]

actions = keys


class Slab(Level):
    """A level of xf27; `without` are signs of the ground that are plain floor instead.

    Without `handing_on` no ball may begin to move that is not beside the walker.
    """

    def __init__(self, rules: ModuleType, level: int, without: str = "", *, handing_on: bool = True) -> None:
        self._rules = rules
        picture = plain(self._rules.LEVELS[level - 1], without)
        self._board, self.start = self._rules.parse(picture)
        self._handing_on = handing_on

    def steps(self, state: Any) -> Iterable[Step]:
        for sign, direction in DIRECTIONS.items():
            after = self._rules.act(self._board, state, direction)
            if not after.is_lost and (self._handing_on or not self._handed_on(state, after)):
                yield sign, after

    def _handed_on(self, state: Any, after: Any) -> bool:
        still = self._rules.STILL
        return any(
            old.velocity == still and new.velocity != still and distance(old.at, state.walker) > 1
            for old, new in zip(state.balls, after.balls, strict=True)
        )


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Steps between two cells where nothing is in the way."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


puzzle = Slab
