"""A random board: levels end or are lost, and the available actions change."""

from random import Random

from playtest.rehearsal.people.steps import Press, Scene

LEVELS = 4
ALL = (1, 2, 3, 4, 5, 6, 7)


class Board:
    def __init__(self, seed: int, offered: tuple[int, ...] = ALL) -> None:
        self._chance = Random(seed)
        self._offered = offered
        self.seconds = 0.0
        self.scene = self._next(level=1)

    def press(self, press: Press) -> Scene:
        drawn = self._chance.random()
        level = self.scene.level
        if self.scene.state == "GAME_OVER" or drawn > 0.1:
            self.scene = self._next(level)
        elif drawn > 0.06:
            self.scene = self._next(level, "GAME_OVER")
        elif level == LEVELS:
            self.scene = self._next(level, "WIN")
        else:
            self.scene = self._next(level + 1)
        return self.scene

    def _next(self, level: int, state: str = "NOT_FINISHED") -> Scene:
        offered = tuple(action for action in self._offered if self._chance.random() < 0.8)
        return Scene(
            level=level,
            levels=LEVELS,
            available=offered or self._offered[:1],
            state=state,  # type: ignore[arg-type]
            changed=self._chance.random() < 0.7,
            seconds=self.seconds,
            prompted=self.seconds > 1200,
        )
