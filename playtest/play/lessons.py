"""The lessons of the tutorial: the controls that the environments of a study have."""

from dataclasses import dataclass

from engine.actions import CLICK, RESET

UP, DOWN, LEFT, RIGHT, INTERACT, UNDO = 1, 2, 3, 4, 5, 7
_DIRECTIONS = {UP: "Up", DOWN: "Down", LEFT: "Left", RIGHT: "Right"}


@dataclass(frozen=True)
class Lesson:
    """A line of the tutorial's list: the `actions` (bit i: action i) that complete it, and their keys."""

    actions: int
    name: str
    keys: str


def lessons(actions: int) -> list[Lesson]:
    """The lessons about these actions (bit i: action i), in the order of the list."""
    directions = [action for action in _DIRECTIONS if actions >> action & 1]
    choose = "Shift with arrows" if directions else "arrows"
    found = [
        Lesson(
            sum(1 << action for action in directions),
            ", ".join(_DIRECTIONS[action] for action in directions),
            "arrow keys or W A S D",
        ),
        Lesson(1 << INTERACT, "Space", "space bar or F"),
        Lesson(1 << CLICK, "Click on the board", f"any cell; by keys: {choose}, then Enter"),
        Lesson(1 << UNDO, "Undo", "Z or Ctrl+Z"),
        Lesson(1 << RESET, "Reset level", "R"),
    ]
    return [lesson for lesson in found if lesson.actions & actions]
