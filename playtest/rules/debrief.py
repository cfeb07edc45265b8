"""Debriefing: two questions after each environment, each of which may be skipped."""

from dataclasses import dataclass
from typing import Any

from playtest.rules.attempt import LOST, Outcome
from playtest.rules.errors import RuleError
from playtest.rules.text import storable, visible

HOW_HARD = "How hard was it?"
ABOUT_WHAT = "What was it about?"
STEPS = {1: "Very easy", 2: "Easy", 3: "Neither", 4: "Hard", 5: "Very hard"}
MOST_LETTERS = 500


@dataclass(frozen=True, slots=True)
class Answers:
    """`difficulty` is one of `STEPS`, `about` at most `MOST_LETTERS` letters; None and "" are skipped.

    Raises RuleError difficulty_unknown, about_too_long.
    """

    difficulty: int | None = None
    about: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.difficulty, bool) or self.difficulty not in (None, *STEPS):
            raise RuleError("difficulty_unknown", "Choose one of the five answers, or none.")
        if len(self.about) > MOST_LETTERS:
            raise RuleError("about_too_long", f"Write at most {MOST_LETTERS} letters.")


def is_asked(outcome: str, actions: int) -> bool:
    """Whether somebody is asked about an attempt that ended so: not if it failed, staff ended it, or nothing
    was done in it.
    """
    ended_by_play = outcome in (Outcome.COMPLETED, *LOST, Outcome.SESSION_OVER)
    return ended_by_play and actions > 0


def answers_of(document: Any) -> Answers:
    """The answers in parsed JSON, {"difficulty": integer or null, "about": text}.

    Raises RuleError debrief_malformed, and as `Answers`.
    """
    match document:
        case {"difficulty": int() | None as difficulty, "about": str(about)} if storable(
            shown := about.replace("\0", "")
        ):
            return Answers(difficulty, visible(shown.replace("\r\n", "\n")))
    raise RuleError("debrief_malformed", "These are not the answers to the two questions.")
