"""A flock crosses bridges that bear an exact number, and leaves some of its own behind.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from arcengine import Camera, GameAction, Level

from games._shared.cells import DIRECTIONS, Cell
from games._shared.scripted import Script, ScriptedGame
from games.jc84.source.drawing import PITCH, SEA, Scene, draw
from games.jc84.source.levels import LEVELS
from games.jc84.source.rules import go, is_solved, leave, parse

WALK = (0.25, 0.5, 0.75)  # shares of the way, a frame each
SINKING = (1, 2)
RINGS = range(1, 9)


class Jc84(ScriptedGame):
    """Directions, and interact to leave one behind."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("jc84", levels, Camera(background=SEA), available_actions=[1, 2, 3, 4, 5])

    def on_set_level(self, level: Level) -> None:
        number = level.get_data("number")
        self._board, self._position = parse(LEVELS[number])
        self._again = (
            self._position if number == 0 else None
        )  # where a flock that sinks on level 1 stands again
        self.open_board()
        self._draw(Scene(self._position))

    def script(self, action: GameAction) -> Script:
        if action in DIRECTIONS:
            yield from self._go(DIRECTIONS[action])
        else:
            self._position = leave(self._board, self._position)
        self._draw(Scene(self._position))
        if is_solved(self._board, self._position):
            for glow in RINGS:
                yield
                self._draw(Scene(self._position, glow=glow))
            yield
            self.next_level()

    def _go(self, direction: Cell) -> Script:
        before, self._position = self._position, go(self._board, self._position, direction)
        if self._position == before:
            return
        sinks = self._position.is_lost and self._position.at == before.at
        for share in WALK[:2] if sinks else WALK:
            self._draw(Scene(before, _shifted(direction, share)))
            yield
        if self._position.is_lost:
            shift = _shifted(direction, WALK[1] if sinks else 1)
            for fallen in SINKING:
                self._draw(Scene(before, shift, fallen))
                yield
            if self._again is None:
                self.lose()
            else:
                self._position = self._again

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))


def _shifted(direction: Cell, share: float) -> Cell:
    """How far a share of the way to the next island is, in pixels."""
    return round(PITCH * share * direction[0]), round(PITCH * share * direction[1])
