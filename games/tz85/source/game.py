"""A plate that leans under whoever walks on it; balls roll to its low side.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from collections.abc import Iterable

from arcengine import Camera, GameAction, Level

from games._shared.cells import DIRECTIONS, Cell
from games._shared.scripted import Script, ScriptedGame
from games.tz85.source.drawing import COLOURS, DEEP, WATER, Moment, draw
from games.tz85.source.levels import LEVELS
from games.tz85.source.rules import STAY, State, act, is_solved, parse, roll

SPLASH = range(1, 5)  # how far rings reach, in pixels from the edge of a cell, a frame each
RINGS = range(1, 9)


class Tz85(ScriptedGame):
    """Directions, interact (lift or put down a stone) and undo."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("tz85", levels, Camera(background=WATER), available_actions=[1, 2, 3, 4, 5, 7])

    def on_set_level(self, level: Level) -> None:
        self._plate, self._position = parse(LEVELS[level.get_data("number")])
        self._history: list[State] = []
        self.open_board()
        self._draw()

    def script(self, action: GameAction) -> Script:
        if action == GameAction.ACTION7:
            self._position = self._history.pop() if self._history else self._position
            self._draw()
            return
        before, moved = self._position, act(self._plate, self._position, DIRECTIONS.get(action, STAY))
        self._position = roll(self._plate, moved)
        if self._position == before:
            return
        self._history.append(before)
        for start, end in ((before, moved), (moved, self._position)):
            if start != end:
                self.show(draw(self._plate, Moment(start, end, 0.5)))
                yield
        self._draw()
        if self._position.fallen:
            yield from self._rings([(at, DEEP) for at, _ in self._position.fallen], SPLASH)
            self.lose()
        elif is_solved(self._plate, self._position):
            yield from self._rings([(at, COLOURS[kind]) for at, kind in self._plate.cups], RINGS)
            self.next_level()

    def _rings(self, around: Iterable[tuple[Cell, int]], reaches: range) -> Script:
        rings = tuple(around)
        for reach in reaches:
            yield
            self._draw(rings, reach)
        yield
        self._draw()

    def _draw(self, rings: tuple[tuple[Cell, int], ...] = (), reach: int = 0) -> None:
        self.show(draw(self._plate, Moment(self._position, self._position, 1, rings, reach)))
