"""A room, and on a table in it the model of that room: what is pushed in the one moves in the other.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from arcengine import Camera, GameAction, Level

from games._shared.cells import DIRECTIONS, Cell, beside
from games._shared.scripted import Script, ScriptedGame
from games.ke52.source.drawing import RIM, Motion, draw
from games.ke52.source.levels import LEVELS
from games.ke52.source.rules import (
    act,
    is_on_table,
    is_solved,
    parse,
    square_of_figure,
)

SLIDE = (0.25, 0.5, 0.75)  # shares of the way, one a frame
NUDGE = 0.15
RINGS = range(2, 13)  # how far the rings around the mat reach, in half squares


class Ke52(ScriptedGame):
    """Directions only."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("ke52", levels, Camera(background=RIM), available_actions=[1, 2, 3, 4])

    def on_set_level(self, level: Level) -> None:
        self._plan, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._draw()

    def script(self, action: GameAction) -> Script:
        direction = DIRECTIONS[action]
        before, self._position = self._position, act(self._plan, self._position, direction)
        if self._position == before:
            yield from self._nudge(direction)
            return
        if self._position._replace(walker=before.walker) != before:
            for share in SLIDE:
                self.show(draw(self._plan, Motion(before, self._position, share)))
                yield
        self._draw()
        if is_solved(self._plan, self._position):
            for glow in RINGS:
                yield
                self._draw(glow)
            yield
            self._draw()
            self.next_level()

    def _nudge(self, direction: Cell) -> Script:
        """What cannot be pushed gives way a little and comes back, in the model and in the room."""
        state = self._position
        to = beside(state.walker, direction)
        if not (is_on_table(state, to) and is_on_table(state, beside(to, direction))):
            return
        square, goal = (square_of_figure(self._plan, state, cell) for cell in (to, beside(to, direction)))
        if square in state.blocks and goal not in state.blocks:
            wanted = state._replace(blocks=state.blocks - {square} | {goal})
            self.show(draw(self._plan, Motion(state, wanted, NUDGE)))
            yield
            self._draw()

    def _draw(self, glow: int = 0) -> None:
        self.show(draw(self._plan, Motion(self._position, self._position, 1, glow)))
