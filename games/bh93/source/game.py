"""A lake with pads of which some bear: what is seen from a lookout has to be remembered, also turned.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from arcengine import Camera, GameAction, Level

from games._shared.cells import DIRECTIONS, Cell
from games._shared.scripted import Script, ScriptedGame
from games.bh93.source.drawing import LAKE, Scene, draw
from games.bh93.source.levels import LEVELS
from games.bh93.source.rules import is_solved, parse, step

TURNING = 3  # frames while the pads are on their way
DEPTHS = (1, 2, 3)
RINGS = range(1, 9)


class Bh93(ScriptedGame):
    """Directions only."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("bh93", levels, Camera(background=LAKE), available_actions=[1, 2, 3, 4])

    def on_set_level(self, level: Level) -> None:
        number = level.get_data("number")
        self._board, self._position = parse(LEVELS[number])
        self._again = self._position if number == 0 else None  # where one who sinks on level 1 stands again
        self.open_board()
        self._rest()

    def script(self, action: GameAction) -> Script:
        before = self._position
        self._position = after = step(self._board, before, DIRECTIONS[action])
        if after.walker == before.walker:
            return
        walking = before._replace(walker=after.walker, colour="")
        self._draw(Scene(walking, before.walker, 0.5))
        yield
        if (after.turns, after.is_mirrored) != (before.turns, before.is_mirrored):
            for _ in range(TURNING):
                self._draw(Scene(after, after.walker, is_bare=True))
                yield
        if after.is_lost:
            yield from self._sink(after.walker)
        self._rest()
        if is_solved(self._board, after):
            for glow in RINGS:
                yield
                self._rest(glow)
            yield
            self.next_level()

    def _sink(self, at: Cell) -> Script:
        for sunk in DEPTHS:
            self._draw(Scene(self._position, at, sunk=sunk))
            yield
        if self._again is None:
            self.lose()
        else:
            self._position = self._again

    def _rest(self, glow: int = 0) -> None:
        sunk = DEPTHS[-1] if self._position.is_lost else 0
        self._draw(Scene(self._position, self._position.walker, sunk=sunk, glow=glow))

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
