"""What actions, outcomes and edits are called on every page and in every table."""

from collections.abc import Mapping
from typing import Any

from playtest.rules.attempt import LEFT_AT_ONCE, Outcome
from playtest.rules.text import counted

ACTION_LABELS = ("reset level", "up", "down", "left", "right", "interact", "click", "undo")
"""By the id of the action; `static/shared/actions.js` has the same."""
KEY_CAPS = ("R", "↑", "↓", "←", "→", "space", "", "Z")
"""What is printed on the key of an action, by its id; `static/review/descriptions.js` has the same."""
OUTCOME_LABELS = {
    Outcome.COMPLETED: "completed",
    Outcome.GAVE_UP: "gave up",
    Outcome.CONCLUDED: "concluded",
    Outcome.TIMED_OUT: "timed out",
    Outcome.TRIES_USED: "tries used up",
    LEFT_AT_ONCE: "left at once",
    Outcome.SESSION_OVER: "session over",
    Outcome.ENDED_BY_STAFF: "ended by staff",
    Outcome.FAULT: "environment fault",
}
"""In the order in which they are stacked and listed; `static/shared/outcomes.js` has the same."""
RECORDING_ENDS_LABEL = "recording ends"
OF_RECORDINGS = {str(Outcome.GAVE_UP): RECORDING_ENDS_LABEL, LEFT_AT_ONCE: "ended at once"}
"""In place of "gave up" and "left at once" where a recording from outside just ends."""
RUN_OUTCOME_LABELS = {
    Outcome.COMPLETED: "completed",
    Outcome.RESTARTED: "started again",
    Outcome.BUDGET_SPENT: "budget spent",
    Outcome.CARD_CLOSED: "scorecard closed",
    Outcome.FAULT: "environment fault",
}
"""The same for the runs of agents."""


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
