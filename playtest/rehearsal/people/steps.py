"""What a simulated person sees, and what they can do."""

from collections.abc import Generator
from dataclasses import dataclass
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
