"""The pond. c35 clicks the lantern in column 3 and row 5, counted from 0; letters are keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from engine.play.actions import CLICK, Action
from engine.prove.search import DIRECTIONS, Level, Step, keys, plain

CONTROLS = (1, 2, 3, 4, CLICK)
CANNOT_BE_LOST = False
QUICKLY_SEARCHED = (1, 2, 3, 4, 5, 6, 7)

FEWEST = (
    "c47 RR c40 RRRR",
    "UUURU c24 DDD c24 LL c24 UULLLLD",
    "UDD c06 UUDUDU c06 DUDD c33 LLLLLLLUU",
    "ULLRDL c65 UR c65 URLU c65 DRDDRRRUURU",
    "D c51 U c51 UDDR c51 DDDRR",
    "c34 c31 L c31 c31 RR c34 RL c31 LLDL",
    "UUR c02 DD c41 c41 DD c02 U c41 c41 UUULLD c02 ULLDLLD",
)

TRIED = (
    "R R U D X",
    "UD X UUURU c24 X",
    "UDU X",
    "ULU X ULLRDL c65 X",
    "UDUDUDRD X",
    "RR X c34 c31 X",
    "D X",
)

LOST = FEWEST[0] + " UD"

SIZE = 8  # pixels a cell


def actions(written: str) -> Iterator[Action]:
    """The actions a text stands for."""
    for token in written.split():
        if token.startswith("c"):
            column, row = int(token[1]), int(token[2])
            yield Action(CLICK, SIZE * column + SIZE // 2, SIZE * row + SIZE // 2)
        else:
            yield from keys(token)


class Pond(Level):
    """A level of wz16; `without` are signs that are `instead`; without `lanterns` none can be clicked."""

    def __init__(
        self, rules: ModuleType, level: int, without: str = "", instead: str = "-", *, lanterns: bool = True
    ) -> None:
        self._rules = rules
        picture = plain(self._rules.LEVELS[level - 1], without, instead)
        self._board, self.start = self._rules.parse(picture)
        self._lanterns = lanterns

    def steps(self, state: Any) -> Iterable[Step]:
        for sign, direction in DIRECTIONS.items():
            yield from self._if_free(sign, self._rules.step(self._board, state, direction))
        for at in self._board.lanterns if self._lanterns else ():
            yield from self._if_free(f"c{at[0]}{at[1]}", self._rules.switch(self._board, state, at))

    def _if_free(self, sign: str, after: Any) -> Iterable[Step]:
        return () if after.is_caught else ((sign, after),)


puzzle = Pond
