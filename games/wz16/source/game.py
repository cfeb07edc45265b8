"""A pond with moths that fly to the light, or to whoever walks there in the dark, and open buds on their way.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from arcengine import Camera, GameAction, Level

from games._shared.cells import DIRECTIONS
from games._shared.scripted import Script, ScriptedGame
from games.wz16.source.drawing import WATER, Scene, draw, lantern_at
from games.wz16.source.levels import LEVELS
from games.wz16.source.rules import State, is_solved, parse, step, switch

SHARES = (0.35, 0.7)  # of the way, a frame each
ALARMS = (1, 2, 3)
GLOWS = range(1, 7)


class Wz16(ScriptedGame):
    """Directions, and clicks on lanterns."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("wz16", levels, Camera(background=WATER), available_actions=[1, 2, 3, 4, 6])

    def on_set_level(self, level: Level) -> None:
        number = level.get_data("number")
        self._board, self._position = parse(LEVELS[number])
        self._again = self._position if number == 0 else None  # how level 1 begins anew for one who is caught
        self.open_board()
        self._draw(Scene(self._position, self._position))

    def script(self, action: GameAction) -> Script:
        before = self._position
        after = self._after(action, before)
        if after == before:
            return
        self._position = after
        for beat, share in enumerate(SHARES, start=1):
            self._draw(Scene(before, after, share, beat))
            yield
        if after.is_caught:
            for alarm in ALARMS:
                self._draw(Scene(after, after, alarm=alarm))
                yield
            if self._again is None:
                self.lose()
            else:
                self._position = after = self._again
        elif is_solved(self._board, after):
            for glow in GLOWS:
                self._draw(Scene(after, after, beat=glow, glow=glow))
                yield
            self.next_level()
            return
        self._draw(Scene(after, after, alarm=ALARMS[-1] if after.is_caught else 0))

    def _after(self, action: GameAction, before: State) -> State:
        if action != GameAction.ACTION6:
            return step(self._board, before, DIRECTIONS[action])
        lantern = lantern_at(self._board, int(self.action.data["x"]), int(self.action.data["y"]))
        return before if lantern is None else switch(self._board, before, lantern)

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
