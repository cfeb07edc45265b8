"""Actions. Does not import arcengine, so any process may import it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.errors import ActionError

ACTION_NAMES = ("RESET", "ACTION1", "ACTION2", "ACTION3", "ACTION4", "ACTION5", "ACTION6", "ACTION7")
RESET = 0
CLICK = 6
UNDO = 7
BOARD_SIZE = 64


def bits_of(actions: Iterable[int]) -> int:
    """Bit i for every action i, as the socket and the journal have them; a reset is always available."""
    return 1 | sum(map((1).__lshift__, actions))


def actions_of(bits: int) -> tuple[int, ...]:
    """The actions of these bits, ascending, without the reset."""
    return tuple(action for action in range(1, len(ACTION_NAMES)) if bits >> action & 1)


@dataclass(frozen=True, slots=True)
class Action:
    """One action: `id` 0 (RESET) to 7. ACTION6, and no other, has a cell `x`, `y` (0..63, origin top left).

    Raises ActionError: action_unknown, coordinates_missing, coordinates_unexpected, coordinates_out_of_range.
    """

    id: int
    x: int | None = None
    y: int | None = None

    def __post_init__(self) -> None:
        if type(self.id) is not int or not 0 <= self.id < len(ACTION_NAMES):
            raise ActionError(
                "action_unknown",
                "This action does not exist: choose an id from 0 to 7.",
                action=repr(self.id),
            )
        if self.id == CLICK:
            self._check_cell()
        elif self.x is not None or self.y is not None:
            raise ActionError(
                "coordinates_unexpected", "Only ACTION6 takes a cell: leave x and y out.", action=self.name
            )

    def _check_cell(self) -> None:
        if self.x is None or self.y is None:
            raise ActionError(
                "coordinates_missing", "ACTION6 needs a cell: give both x and y.", action=self.name
            )
        for value in (self.x, self.y):
            if type(value) is not int or not 0 <= value < BOARD_SIZE:
                message = "A cell lies on the board: x and y are whole numbers from 0 to 63."
                raise ActionError("coordinates_out_of_range", message, x=repr(self.x), y=repr(self.y))

    @property
    def name(self) -> str:
        """The official name, `RESET` or `ACTION1` to `ACTION7`."""
        return ACTION_NAMES[self.id]

    @property
    def data(self) -> dict[str, int]:
        """The cell as arcengine and the official recordings carry it; empty without one."""
        return {} if self.x is None or self.y is None else {"x": self.x, "y": self.y}


EVERY_CELL = tuple(Action(CLICK, x, y) for y in range(BOARD_SIZE) for x in range(BOARD_SIZE))
"""ACTION6 at every cell of the board, row by row."""
