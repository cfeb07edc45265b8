"""The leaning plate."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from types import ModuleType
from typing import Any, cast

from engine.play.actions import UNDO
from engine.prove.search import Level, Step, keys

CONTROLS = (1, 2, 3, 4, 5, UNDO)
CANNOT_BE_LOST = False
QUICKLY_SEARCHED = (1, 2, 3, 4)

FEWEST = (
    "UUIIIRRRRR",
    "LDDUULURUUDDRRRRDDDL",
    "RRULUULLLDLLDDDUULURDDR",
    "UIRDLULDLRRIIIILDRURLUIIUDD",
    "UUDLDLLUUIDDRRRDRIUUULUUDDR",
    "LLLDRRDLDLLUULRDULURUURRURURL",
    "ULLRUURRRRLLLUDDLDLDLDDDDDUURDD",
    "LDDDLDIUURUILLRRIUURRLUDDLL",
)

TRIED = ("RRRLL X", "RRLL X", "UUUZZZ UZLZ", "UZLZLUZZ", "LLUUIZ X", "UUX LLZZ", "UZULLZZZ", "LDZZ LLZZ")

LOST = FEWEST[0] + FEWEST[1] + "LLI"

actions = keys


class LeaningPlate(Level):
    """A level of tz85, without undo."""

    def __init__(self, rules: ModuleType, level: int) -> None:
        self._rules = rules
        self._board, self.start = self._rules.parse(self._rules.LEVELS[level - 1])

    def steps(self, state: Any) -> Iterable[Step]:
        directions = (*self._rules.DIRECTIONS.values(), self._rules.STAY)
        for sign, direction in zip("UDLRI", directions, strict=True):
            after = self._rules.turn(self._board, state, direction)
            if not after.fallen:
                yield sign, after

    def key(self, state: Any) -> Hashable:
        return cast(Hashable, state._replace(balls=tuple(sorted(state.balls))))


puzzle = LeaningPlate
