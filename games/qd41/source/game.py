"""Lamps, screens, and plates that are there in one light only.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from arcengine import Camera, GameAction, Level

from games._shared.cells import DIRECTIONS, Cell, beside
from games._shared.scripted import Script, ScriptedGame
from games.qd41.source.drawing import BLACK, FALLING, Moment, draw
from games.qd41.source.levels import LEVELS
from games.qd41.source.rules import SIDE, State, brought, handle, is_solved, move, parse

STEP = (0.34, 0.67)  # shares of the way, one a frame
NUDGE = 0.2
WAVES = range(4, 73, 8)  # how far the wave of light from the ring has come, in pixels


class Qd41(ScriptedGame):
    """Directions and interact."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("qd41", levels, Camera(background=BLACK), available_actions=[1, 2, 3, 4, 5])

    def on_set_level(self, level: Level) -> None:
        self._plan, self._start = parse(LEVELS[level.get_data("number")])
        self._position = self._start
        self.open_board()
        self._show(self._start)

    def script(self, action: GameAction) -> Script:
        if action not in DIRECTIONS:
            self._position = handle(self._plan, self._position)
            self._show(self._position)
            return
        before, direction = self._position, DIRECTIONS[action]
        after = move(self._plan, before, direction)
        if after == before:
            yield from self._nudge(direction)
            return
        for share in STEP:
            self.show(draw(self._plan, Moment(before, after, share)))
            yield
        if after.fallen:
            yield from self._fall(after)
            return
        self._position = after
        self._show(after)
        if is_solved(self._plan, after):
            for wave in WAVES:
                yield
                self.show(draw(self._plan, Moment(after, after, 1, wave=wave)))
            yield
            self._show(after)
            self.next_level()

    def _fall(self, fallen: State) -> Script:
        """The walker falls, the lamps go out, and the level is as it began."""
        for size in FALLING:
            self.show(draw(self._plan, Moment(fallen, fallen, 1, fall=size)))
            yield
        self._position = self._start
        for _ in range(2):
            self.show(draw(self._plan, Moment(self._start, self._start, 1, is_out=True)))
            yield
        self._show(self._start)

    def _nudge(self, direction: Cell) -> Script:
        """The walker leans towards where it cannot go, and comes back."""
        to = beside(self._position.walker, direction)
        if 0 <= to[0] < SIDE and 0 <= to[1] < SIDE:
            self.show(draw(self._plan, Moment(self._position, brought(self._position, to), NUDGE)))
            yield
            self._show(self._position)

    def _show(self, state: State) -> None:
        self.show(draw(self._plan, Moment(state, state, 1)))
