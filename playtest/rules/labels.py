"""What actions and outcomes are called on every page and in every table."""

from playtest.rules.attempt import LEFT_AT_ONCE, Outcome

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
RUN_OUTCOME_LABELS = {
    Outcome.COMPLETED: "completed",
    Outcome.RESTARTED: "started again",
    Outcome.BUDGET_SPENT: "budget spent",
    Outcome.CARD_CLOSED: "scorecard closed",
    Outcome.FAULT: "environment fault",
}
"""The same for the runs of agents."""
