"""A board on which hunters go for the walker, and take away the blocks that are in their way.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from itertools import pairwise

from arcengine import Camera, GameAction, Level

from games._shared.cells import DIRECTIONS
from games._shared.scripted import Script, ScriptedGame
from games.nv52.source.drawing import WATER, Scene, draw
from games.nv52.source.levels import LEVELS
from games.nv52.source.rules import is_solved, moments, parse

ALARM = (6, 4, 2, 1)  # how far the frame around one that is caught is away, one a frame
BLOOM = range(1, 18, 2)


class Nv52(ScriptedGame):
    """Directions only."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("nv52", levels, Camera(background=WATER), available_actions=[1, 2, 3, 4])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._rest()

    def script(self, action: GameAction) -> Script:
        for before, after in pairwise(moments(self._board, self._position, DIRECTIONS[action])):
            if after != before:
                self.show(draw(self._board, Scene(before, after, 0.5)))
                yield
            self._position = after
            self._rest()
        if self._position.is_caught:
            for alarm in ALARM:
                self._rest(alarm=alarm)
                yield
            self.lose()
        elif is_solved(self._board, self._position):
            for bloom in BLOOM:
                self._rest(bloom=bloom)
                yield
            self.next_level()

    def _rest(self, bloom: int = 0, alarm: int = 0) -> None:
        self.show(draw(self._board, Scene(self._position, self._position, 1, bloom, alarm)))
