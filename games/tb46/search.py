"""Flights through pieces. 24>13 is a click on column 2, row 4 and one on column 1, row 3; 24 is one click.

Nothing is lost for good, so its loss gives up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from engine.play.actions import CLICK, RESET, UNDO, Action
from engine.prove.search import Level, Step, plain
from games.tb46.source.drawing import corner

CONTROLS = (CLICK, UNDO)
CANNOT_BE_LOST = True
QUICKLY_SEARCHED = (1, 2, 3, 4, 5, 6, 7, 8)

FEWEST = (
    "13>23 23>33 33>43 43>53",
    "56>44 32>24 06>24 42>44 16>44 46>24",
    "72>43 45>34 23>12 12>34 56>43 36>34 32>43",
    "36>44 41>52 21>32 41>73 52>63 74>45 16>32 56>45 45>73",
    "35>44 53>42 33>44 55>42 74>42 25>13 13>44 75>42",
    "77>55 55>43 33>24 24>15 06>23 23>15 15>43 20>43 71>43 66>52",
    "25>43 61>31 03>34 65>47 25>34 43>31 12>34 34>47 54>31 03>22 41>31",
    "34>64 61>52 31>52 33>64 71>63 67>64 63>34 34>55 76>64 45>55 55>65 65>56 47>64",
)

TRIED = (
    "00 13 33 23>13 X",
    "06>24 22 Z Z Z X",
    "72>43 X",
    "36>44 41>52 55 X",
    "35>44 53>42 Z Z X",
    "77>55 23 X",
    "03>22 Z Z 25>43 X",
    "31>52 63>64 X",
)

LOST = FEWEST[0] + " 06>24 24 16 56>44 Z Z Z 32>24 X 06>24"

KEYS = {"X": Action(RESET), "Z": Action(UNDO)}


def actions(written: str) -> Iterator[Action]:
    """The actions a text stands for; Z: undo, X: reset of the level."""
    for token in written.split():
        yield from [KEYS[token]] if token in KEYS else map(_click, token.split(">"))


def _click(cell: str) -> Action:
    across, down = (place + 3 for place in corner((int(cell[0]), int(cell[1]))))
    return Action(CLICK, across, down)


class Flights(Level):
    """A level of tb46; a step is a flight, written token>piece. `without`: signs of pivots that are floor."""

    def __init__(self, rules: ModuleType, level: int, without: str = "") -> None:
        self._rules = rules
        plan = self._rules.LEVELS[level - 1]
        without_them = plan._replace(picture=plain(plan.picture, without))
        self._board, self.start = self._rules.parse(without_them)

    def steps(self, state: Any) -> Iterable[Step]:
        tokens = sorted(at for at, _ in state.tokens)
        for token in tokens:
            for pivot in sorted({*tokens, *self._board.pivots}):
                after = self._rules.jump(self._board, state, token, pivot)
                if after is not None:
                    yield "{}{}>{}{}".format(*token, *pivot), after


puzzle = Flights
