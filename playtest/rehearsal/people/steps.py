"""What a simulated person sees and can do, and the recorded solution of each level."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Literal

RESET, CLICK, UNDO = 0, 6, 7
UNKNOWN, KEY, KEY_REPEAT, MOUSE, TOUCH, BUTTON = range(6)
"""Input kinds, as on the wire (docs/wire.md)."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The board after the last action: `available` are the actions offered now, without the reset.

    `seconds` since the first frame; `prompted` while the soft limit's question is on the screen.
    """

    level: int
    levels: int
    available: tuple[int, ...]
    state: Literal["NOT_FINISHED", "WIN", "GAME_OVER"] = "NOT_FINISHED"
    changed: bool = True
    seconds: float = 0.0
    prompted: bool = False

    def allows(self, action: int) -> bool:
        """Whether an action may be made now: after a game over only a reset."""
        if self.state != "NOT_FINISHED":
            return self.state == "GAME_OVER" and action == RESET
        return action == RESET or action in self.available


@dataclass(frozen=True, slots=True)
class Press:
    """One action; `x`, `y` are 0 unless it is a click."""

    action: int
    x: int = 0
    y: int = 0
    input: int = KEY


@dataclass(frozen=True, slots=True)
class Editing:
    """One edit of a static task as JSON (docs/wire.md), and how it is made."""

    edit: dict[str, Any]
    input: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Gives up the environment."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """Leaves the task for now."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answers the soft limit's prompt."""

    answer: Literal["finish", "continue"]


@dataclass(frozen=True, slots=True)
class FocusChange:
    """The page is hidden or shown, or its window loses or gains the focus."""

    event: Literal["page_hidden", "page_shown", "window_blurred", "window_focused"]


@dataclass(frozen=True, slots=True)
class WalkOut:
    """Leaves the room without telling anybody."""


type Act = Press | Editing | Leave | SetAside | Answer | FocusChange | WalkOut


@dataclass(frozen=True, slots=True)
class Step:
    """Waits for `pause` seconds, then acts."""

    pause: float
    act: Act


type Play = Generator[Step, Scene, None]
"""One person on one environment: yields steps and receives scenes. It ends when all levels are won."""

type Passage = Generator[Step, Scene, Scene]
"""A part of a play; returns the last scene."""


def after[S](steps: Generator[Step, S, None], scene: S) -> Step | None:
    """The next step of somebody who sees this; None at the end."""
    try:
        return steps.send(scene)
    except StopIteration:
        return None


type Solution = tuple[Press, ...]
"""The actions from a level's start to its end."""

_STEPS_OF_A_USUAL_LEVEL = 25
_HARD_LEVELS = 2


@dataclass(frozen=True)
class Solutions:
    """The solutions of an environment's levels, if any; `name` seeds the choice of hard levels."""

    name: str
    levels: tuple[Solution, ...] = ()

    def of(self, level: int) -> Solution:
        """The solution of a level, counted from 1; empty if unknown."""
        return self.levels[level - 1] if level <= len(self.levels) else ()

    def difficulty(self, level: int) -> float:
        """Wrong tries of somebody without skill; levels get harder, and two are much harder."""
        if not self.levels:
            return 3.0
        progress = (level - 1) / max(1, len(self.levels) - 1)
        length = len(self.of(level)) / _STEPS_OF_A_USUAL_LEVEL
        return 1.0 + 1.5 * progress + 0.5 * length + (3.0 if level in self._hard else 0.0)

    @cached_property
    def _hard(self) -> frozenset[int]:
        """The hard levels; never the first two, which are tutorials."""
        later = range(3, len(self.levels) + 1)
        return frozenset(Random(self.name).sample(later, min(_HARD_LEVELS, len(later))))


def from_recording(name: str, actions: Sequence[tuple[int, Press]], levels: int) -> Solutions:
    """Takes the solutions from a recorded win: (level, action) in order, without the opening.

    Actions before the last reset of a level are not part of its solution.
    """
    solutions: list[list[Press]] = [[] for _ in range(levels)]
    for level, press in actions:
        if press.action == RESET:
            solutions[level - 1].clear()
        else:
            solutions[level - 1].append(press)
    return Solutions(name, tuple(tuple(solution) for solution in solutions))
