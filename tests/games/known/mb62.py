"""Reflections. 24>13 is a click on column 2, row 4 and one on column 1, row 3; 24 is one click."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, cast

from engine.actions import CLICK, RESET, Action
from tests.games.rules import rules
from tests.games.solver import Step

CONTROLS = (CLICK,)
CANNOT_BE_LOST = False
QUICKLY_SEARCHED = (1, 2, 3, 4)

FEWEST = (
    "13>23 23>33 33>43 43>53",
    "65>64 64>63 63>62 62>61 60>51 61>42 51>42 42>33 33>23 23>24 24>25 25>26",
    "25>26 27>36 33>45 57>36 15>26 37>36 36>45 45>35 35>25 15>26 37>25 25>26",
    "20>32 55>44 44>33 22>32 33>42 42>32 32>21 10>22 51>34 34>22 22>21 10>20 20>21",
    "30>43 37>56 75>55 26>35 35>44 56>43 53>43 30>33 33>44 44>55 55>66 66>43",
    "47>56 56>65 72>74 74>65 65>56 76>56 47>36 56>36 16>25 36>46 56>34 34>25",
    "61>52 43>55 67>65 55>63 71>52 05>33 61>43 63>43 33>23 23>25 27>44 61>52",
)

TRIED = (
    "13 77 13 13",
    "65>64 64 64 X",
    "25>26 33 00 X",
    "20>32 X",
    "26 26",
    "47>56 X",
    "61>52 X",
)

LOST = FEWEST[0] + " 65>64 63>64" * 14


def actions(written: str) -> Iterator[Action]:
    """The actions a text stands for."""
    for token in written.split():
        yield from [Action(RESET)] if token == "X" else map(_click, token.split(">"))


def _click(point: str) -> Action:
    across, down = (rules("mb62").MARGIN + rules("mb62").PITCH * int(digit) + 3 for digit in point)
    return Action(CLICK, across, down)


class Reflections:
    """A level of mb62; a step is a jump, written mover>pivot, each a column and a row."""

    def __init__(self, level: int) -> None:
        self._rules = rules("mb62")
        self._board, self.start = self._rules.parse(self._rules.LEVELS[level - 1])

    def steps(self, state: Any) -> Iterable[Step]:
        standing = self._board.posts | state.brittle | {at for piece in state.pieces for at in piece}
        for mover, piece in enumerate(state.pieces):
            for at in sorted(standing - set(piece)):
                after = self._rules.jump(self._board, state, mover, at)
                if after is not None:
                    yield "{}{}>{}{}".format(*piece[0], *at), after

    def solved(self, state: Any) -> bool:
        return cast(bool, self._rules.is_solved(self._board, state))

    def key(self, state: Any) -> Hashable:
        """Tokens of one colour are alike, and so are the two ends of a bar."""
        pieces = zip(self._board.colours, (tuple(sorted(piece)) for piece in state.pieces), strict=True)
        return tuple(sorted(pieces)), state.brittle

    def estimate(self, state: Any) -> int:
        return 0


puzzle = Reflections
