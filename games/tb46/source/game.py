"""Tokens that fly through pieces, by half turns, by mirrors and by quarter turns.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from arcengine import Camera, GameAction, Level

from games._shared.cells import Cell
from games._shared.scripted import Script, ScriptedGame
from games.tb46.source.drawing import SHEET, Flight, Scene, cell_at, draw
from games.tb46.source.levels import LEVELS
from games.tb46.source.rules import State, image, is_solved, parse, piece_at, pivot_of, touch

SHARES = (0.2, 0.4, 0.6, 0.8)  # of the way, a frame each
REFUSED = (0.25, 0.5, 0.25)
GLOWS = range(1, 11)


class Tb46(ScriptedGame):
    """Clicks and undo."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("tb46", levels, Camera(background=SHEET), available_actions=[6, 7])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self._history: list[State] = []
        self.open_board()
        self._draw(Scene(self._position))

    def script(self, action: GameAction) -> Script:
        if action == GameAction.ACTION7:
            self._position = self._history.pop() if self._history else self._position
            self._draw(Scene(self._position))
            return
        before = self._position
        at = cell_at(int(self.action.data["x"]), int(self.action.data["y"]))
        after = touch(self._board, before, at)
        pivot = None if before.lit is None else pivot_of(self._board, before, at)
        if before.lit is not None and pivot is not None:
            yield from self._fly(before, before.lit, pivot, REFUSED if after == before else SHARES)
        if after == before:
            self._draw(Scene(before))
            return
        self._history.append(before)
        self._position = after
        self._draw(Scene(after))
        if is_solved(self._board, after):
            for glow in GLOWS:
                yield
                self._draw(Scene(after, glow=glow))
            yield
            self.next_level()

    def _fly(self, state: State, token: Cell, pivot: Cell, shares: tuple[float, ...]) -> Script:
        kind = piece_at(self._board, state, pivot)
        for share in shares:
            self._draw(Scene(state, Flight(token, image(kind, pivot, token), pivot, kind, share)))
            yield

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
