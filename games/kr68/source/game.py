"""Cups on ledges: they roll, hold what is in them, pour it out, and fall; each thing belongs somewhere.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from arcengine import Camera, GameAction, Level

from games._shared.scripted import Script, ScriptedGame
from games.kr68.source.drawing import BACK, Scene, cell_at, draw
from games.kr68.source.levels import LEVELS
from games.kr68.source.rules import is_lost, is_solved, move, parse

SHIFTS = (3, 6)  # pixels on the way to the next cell, a frame each
GLOWS = range(1, 7)


class Kr68(ScriptedGame):
    """Clicks only: a cup goes to the side on which it is clicked."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("kr68", levels, Camera(background=BACK), available_actions=[6])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._draw(Scene(self._position))

    def script(self, action: GameAction) -> Script:
        assert action == GameAction.ACTION6
        at, side = cell_at(int(self.action.data["x"]), int(self.action.data["y"]))
        moments = move(self._board, self._position, at, side)
        if not moments:
            return
        for shift in SHIFTS:
            self._draw(Scene(self._position, (side * shift, 0), at))
            yield
        for moment in moments[:-1]:
            self._draw(Scene(moment))
            yield
        self._position = moments[-1]
        self._draw(Scene(self._position))
        if is_lost(self._position):
            yield
            self.lose()
        elif is_solved(self._board, self._position):
            for glow in GLOWS:
                self._draw(Scene(self._position, glow=glow))
                yield
            self.next_level()

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
