"""A sheet with wet ink is folded along its creases until everything is printed where it belongs.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from arcengine import Camera, GameAction, Level

from games._shared.scripted import Script, ScriptedGame
from games.ph79.source.drawing import FOLDED, HALF, TABLE, Scene, crease_at, draw
from games.ph79.source.levels import LEVELS
from games.ph79.source.rules import fold, is_solved, is_spoilt, parse, turn

CRUMPLE = (0.75, 0.45, 0.2)
GLOW = (1, 2, 3, 4, 3, 2, 1)


class Ph79(ScriptedGame):
    """Clicks only."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("ph79", levels, Camera(background=TABLE), available_actions=[6])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._draw(Scene(self._position))

    def script(self, action: GameAction) -> Script:
        crease = crease_at(self._board, int(self.action.data["x"]), int(self.action.data["y"]))
        if crease is None:
            return
        before, after = self._position, fold(self._board, self._position, crease)
        for state, flap in ((before, HALF), (before, FOLDED), (after, HALF)):
            self._draw(Scene(state, crease, flap))
            yield
        self._position = turn(self._board, before, crease)
        if is_spoilt(self._board, after):
            yield from self._spoil(Scene(after))
        self._draw(Scene(self._position))
        if is_solved(self._board, self._position):
            for glow in GLOW:
                yield
                self._draw(Scene(self._position, glow=glow))
            yield
            self.next_level()

    def _spoil(self, scene: Scene) -> Script:
        """The sheet is seen, then crumpled; the last one takes the level with it."""
        self._draw(scene)
        yield
        self._draw(scene)
        yield
        for size in CRUMPLE:
            self._draw(scene._replace(size=size))
            yield
        if self._position.sheets == 0:
            self.lose()

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
