"""A slab in the dark with balls that go on until something stops or turns them; each belongs in a dish.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from arcengine import Camera, GameAction, Level

from games._shared.cells import DIRECTIONS
from games._shared.scripted import Script, ScriptedGame
from games.xf27.source.drawing import SPACE, Scene, draw
from games.xf27.source.levels import LEVELS
from games.xf27.source.rules import act, is_solved, parse

SHARES = (0.35, 0.7)  # of the way, a frame each
FALL = (1, 2)
GLOWS = range(1, 7)


class Xf27(ScriptedGame):
    """Directions only."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("xf27", levels, Camera(background=SPACE), available_actions=[1, 2, 3, 4])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._draw(Scene(self._position, self._position))

    def script(self, action: GameAction) -> Script:
        before = self._position
        self._position = after = act(self._board, before, DIRECTIONS[action])
        if after == before:
            return
        for share in SHARES:
            self._draw(Scene(before, after, share))
            yield
        if after.is_lost:
            for fallen in FALL:
                self._draw(Scene(before, after, fallen=fallen))
                yield
            self.lose()
        elif is_solved(self._board, after):
            for glow in GLOWS:
                self._draw(Scene(after, after, glow=glow))
                yield
            self.next_level()
            return
        self._draw(Scene(after, after, fallen=FALL[-1] if after.is_lost else 0))

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
