"""What a person sees, and what they can do about it."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal

RESET, CLICK, UNDO = 0, 6, 7
UNKNOWN, KEY, KEY_REPEAT, MOUSE, TOUCH, BUTTON = range(6)
"""How a press was made, as on the wire (docs/wire.md)."""


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
class Leave:
    """Leave the environment for good."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The soft limit's question is answered."""

    answer: Literal["finish", "continue"]


@dataclass(frozen=True, slots=True)
class Look:
    """The page is hidden, shown, or its window loses or gains the focus."""

    event: Literal["page_hidden", "page_shown", "window_blurred", "window_focused"]


@dataclass(frozen=True, slots=True)
class WalkOut:
    """Get up and go, without a word."""


type Doing = Press | Leave | Answer | Look | WalkOut


@dataclass(frozen=True, slots=True)
class Step:
    """Wait for `pause` seconds, then do this."""

    pause: float
    do: Doing


type Play = Generator[Step, Scene, None]
"""One person on one environment: yields steps, is sent what came of them. It ends when all levels are won."""

type Passage = Generator[Step, Scene, Scene]
"""A part of a play; returns the last scene."""
