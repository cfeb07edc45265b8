"""Edits of a static task in words, as replays and films name them.

`static/review/edit-labels.js` says the same; a test compares them.
"""

from collections.abc import Mapping
from typing import Any

from playtest.rules.effort.formatting import counted

COLOUR_NAMES = (
    "black", "blue", "red", "green", "yellow", "grey", "magenta", "orange", "azure", "maroon",
)  # fmt: skip
"""The names of the ten colours, as official tools call them."""
_ALONE = {
    "copy_input": "copied the input",
    "clear": "cleared the grid",
    "undo": "undid an edit",
    "redo": "redid an edit",
    "submit": "submitted",
}


def edit_label(edit: Mapping[str, Any]) -> str:
    """What an edit did, such as "painted 4 cells red"; `edit` is its JSON (`engine.tasks.edits`)."""
    match edit["op"]:
        case "resize":
            return f"resized to {edit['height']} by {edit['width']}"
        case "paint":
            return f"painted {counted(len(edit['cells']), 'cell')} {COLOUR_NAMES[edit['colour']]}"
        case "fill":
            return f"filled with {COLOUR_NAMES[edit['colour']]}"
        case "paste":
            height, width = edit["rect"][2:]
            return f"pasted {height} by {width} from {_source(edit)}"
        case "open":
            return f"opened test input {edit['input']}"
        case op:
            return _ALONE[op]


def _source(edit: Mapping[str, Any]) -> str:
    place = edit["from"].removeprefix("demo_")
    return f"the {place}" if place == edit["from"] else f"the {place} of demonstration {edit['pair']}"
