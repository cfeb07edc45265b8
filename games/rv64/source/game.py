"""Somebody walks in a room; when they call, an echo elsewhere repeats their last four steps.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from arcengine import Camera, GameAction, Level

from games._shared.cells import DIRECTIONS, beside
from games._shared.scripted import Script, ScriptedGame
from games.rv64.source.drawing import FALL, NIGHT, Scene, Seen, draw
from games.rv64.source.levels import LEVELS
from games.rv64.source.rules import (
    MEMORY,
    WAYS,
    call,
    is_solved,
    parse,
    repeated,
    seen_by,
    walk,
)

HALVES = (0.5, 1.0)
RINGS = range(1, 9)


class Rv64(ScriptedGame):
    """Directions, and interact to call."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("rv64", levels, Camera(background=NIGHT), available_actions=[1, 2, 3, 4, 5])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._draw(self._resting())

    def script(self, action: GameAction) -> Script:
        if action in DIRECTIONS:
            yield from self._walk(WAYS.index(DIRECTIONS[action]))
        elif len(self._position.memory) < MEMORY:
            self._draw(self._resting(), is_missing=True)
            yield
            self._draw(self._resting())
        else:
            yield from self._repeat()
            self._position = call(self._board, self._position)
            self._draw(self._resting())
            if is_solved(self._board, self._position):
                for glow in RINGS:
                    yield
                    self._draw(self._resting(), glow=glow)
                yield
                self.next_level()

    def _walk(self, way: int) -> Script:
        before = self._position.walker
        self._position = walk(self._board, self._position, way)
        if self._position.walker != before:
            self.show(draw(self._board, Scene(self._position, before, 0.5, self._resting())))
            yield
        self._draw(self._resting())

    def _repeat(self) -> Script:
        """All echoes at once, each step in two frames, then the fall of those that fell."""
        state = self._position
        ways = [[echo, *repeated(self._board, state, number)] for number, echo in enumerate(state.echoes)]
        shown = list(self._resting())
        falling: set[int] = set()
        for step, way in enumerate(state.memory[: max(map(len, ways)) - 1]):
            for share in HALVES:
                for number, found in enumerate(ways):
                    if step + 1 < len(found):
                        echo, then = found[step : step + 2]
                        to = beside(echo.at, WAYS[seen_by(echo, way)])
                        shown[number] = Seen(echo.at, to, echo.turn, echo.mirrored, share)
                        falling |= {number} if then.at != to else set()
                self._draw(tuple(shown), lit=step)
                yield
        for fallen in range(1, len(FALL) if falling else 1):
            for number in falling:
                shown[number] = shown[number]._replace(fallen=fallen)
            self._draw(tuple(shown), lit=MEMORY - 1)
            yield

    def _resting(self) -> tuple[Seen, ...]:
        return tuple(Seen.resting(echo) for echo in self._position.echoes)

    def _draw(
        self, echoes: tuple[Seen, ...], lit: int | None = None, glow: int = 0, is_missing: bool = False
    ) -> None:
        state = self._position
        self.show(draw(self._board, Scene(state, state.walker, 1, echoes, lit, is_missing, glow)))
