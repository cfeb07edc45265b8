"""Stones, and plates that bear where their own colour's stone is the nearest.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from arcengine import Camera, GameAction, Level

from games._shared.cells import DIRECTIONS
from games._shared.scripted import Script, ScriptedGame
from games.gn36.source.drawing import BLACK, FALLING, Moment, draw
from games.gn36.source.levels import LEVELS
from games.gn36.source.rules import State, handle, is_solved, move, parse

STEP = (0.34, 0.67)  # shares of the way, one a frame
WAVES = range(4, 73, 8)  # how far the wave from the goal has come, in pixels


class Gn36(ScriptedGame):
    """Directions and interact."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("gn36", levels, Camera(background=BLACK), available_actions=[1, 2, 3, 4, 5])

    def on_set_level(self, level: Level) -> None:
        self._board, self._start = parse(LEVELS[level.get_data("number")])
        self._position = self._start
        self.open_board()
        self._rest()

    def script(self, action: GameAction) -> Script:
        before = self._position
        if action not in DIRECTIONS:
            self._position = handle(self._board, before)
            self._rest()
            return
        after = move(self._board, before, DIRECTIONS[action])
        if after == before:
            return
        for share in STEP:
            self._draw(Moment(before, after, share))
            yield
        if after.fallen:
            yield from self._fall(after)
        else:
            self._position = after
        self._rest()
        if is_solved(self._board, self._position):
            for wave in WAVES:
                yield
                self._draw(Moment(after, after, 1, wave=wave))
            yield
            self._rest()
            self.next_level()

    def _fall(self, fallen: State) -> Script:
        """The walker falls, and the level is as it began."""
        for size in FALLING:
            self._draw(Moment(fallen, fallen, 1, fall=size))
            yield
        self._position = self._start

    def _rest(self) -> None:
        self._draw(Moment(self._position, self._position, 1))

    def _draw(self, moment: Moment) -> None:
        self.show(draw(self._board, moment))
