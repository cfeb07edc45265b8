"""Marks that look alike are one place: blocks are pushed until what is around two marks is the same.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from arcengine import Camera, GameAction, Level

from games._shared.cells import DIRECTIONS, Cell, beside
from games._shared.scripted import Script, ScriptedGame
from games.ws72.source.drawing import FLOOR, Scene, corner, draw, half
from games.ws72.source.levels import LEVELS
from games.ws72.source.rules import State, is_solved, parse, step

GLOWS = range(1, 9)


class Ws72(ScriptedGame):
    """Directions only."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("ws72", levels, Camera(background=FLOOR), available_actions=[1, 2, 3, 4])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._rest()

    def script(self, action: GameAction) -> Script:
        before, direction = self._position, DIRECTIONS[action]
        after = step(self._board, before, direction)
        if after == before:
            return
        self._position = after
        yield from self._move(before, after, beside(before.walker, direction), direction)
        self._rest()
        if is_solved(self._board, after):
            for glow in GLOWS:
                yield
                self._rest(glow)
            yield
            self.next_level()

    def _move(self, before: State, after: State, to: Cell, direction: Cell) -> Script:
        """Half a step, and what goes through a mark: it is gone from the one, and comes out on the other."""
        is_tinted = before.tinted != after.tinted
        pushed = (before.tinted - after.tinted) if is_tinted else (before.blocks - after.blocks)
        rest = before._replace(blocks=before.blocks & after.blocks, tinted=before.tinted & after.tinted)
        beyond = beside(to, direction)
        block = (is_tinted, half(to, beyond)) if pushed else None
        self._draw(Scene(rest, half(before.walker, to), block))
        yield
        if pushed and beyond not in after.blocks | after.tinted:
            [lands] = (after.blocks | after.tinted) - (rest.blocks | rest.tinted)
            yield from self._go_through(Scene(before._replace(walker=to), corner(to)), (beyond, lands), rest)
        elif after.walker != to:
            for place in (to, after.walker):
                shown = Scene(before, corner(place), is_small=True)
                yield from self._go_through(shown, (to, after.walker), before)

    def _go_through(self, scene: Scene, marks: tuple[Cell, Cell], state: State) -> Script:
        for ring in (1, 2):
            self._draw(scene._replace(state=state, through=marks, ring=ring))
            yield

    def _rest(self, glow: int = 0) -> None:
        self._draw(Scene(self._position, corner(self._position.walker), glow=glow))

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
