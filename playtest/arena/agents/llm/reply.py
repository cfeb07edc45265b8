"""Reads the action in a model's reply."""

import re
from collections.abc import Collection

from engine.actions import ACTION_NAMES, BOARD_SIZE, CLICK, Action

_NAME = re.compile(r"(?<![A-Z0-9_])(RESET|ACTION\s?[1-7])(?![A-Z0-9_])", re.IGNORECASE)
_CELL = re.compile(
    r"""["'`*]*\s*[:,(\[{]*\s*          # ACTION6: (  or  "ACTION6", {
        (?:["']?x["']?\s*[:=]\s*)?      # x=
        (\d{1,4})
        \s*[,;\s]\s*
        (?:["']?y["']?\s*[:=]\s*)?      # y=
        (\d{1,4})(?!\d)""",
    re.IGNORECASE | re.VERBOSE,
)


def last_action(reply: str, allowed: Collection[int]) -> Action | None:
    """The last allowed action that a reply names.

    ACTION6 needs its cell right behind it, in any usual notation (`ACTION6 3 4`, `ACTION6(x=3, y=4)`,
    `{"action": "ACTION6", "x": 3, "y": 4}`), within 0 to 63. Returns None without such an action.
    """
    for match in reversed(list(_NAME.finditer(reply))):
        name = re.sub(r"\s", "", match[1].upper())
        action = ACTION_NAMES.index(name)
        if action not in allowed:
            continue
        if action != CLICK:
            return Action(action)
        cell = _CELL.match(reply, match.end())
        if cell and all(int(value) < BOARD_SIZE for value in cell.groups()):
            return Action(action, int(cell[1]), int(cell[2]))
    return None
