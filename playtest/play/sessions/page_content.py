"""What participants' pages show: time and pay, the survey's questions, the tutorial."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings

from engine.play.actions import CLICK, RESET
from engine.play.source import TASKS
from engine.tasks.task import task_of
from playtest.play.models import Session, Study
from playtest.play.sessions.reads import actions_of_pool, kinds_of_pool
from playtest.rules.errors import RuleError
from playtest.rules.kinds import Kind
from playtest.rules.pay import amount_text
from playtest.rules.protocol_text import incentive
from playtest.rules.survey import Question

UNKNOWN = ["How long it takes and what it pays is on the next pages, before you agree to anything."]


def currency() -> str:
    """The center's currency, a code of three capitals."""
    return str(settings.CENTER_CURRENCY)


def incentive_of(session: Session) -> list[str]:
    """The sentences for this session."""
    return incentive(session.prescribed, currency())


def incentive_before_the_code() -> list[str]:
    """The sentences that all open studies agree on; before the code, nobody knows which one it will be."""
    studies = Study.objects.filter(open=True, rehearsal=False)
    told = {tuple(incentive(study.protocol, currency())) for study in studies}
    return list(told.pop()) if len(told) == 1 else UNKNOWN


def bonus_text(session: Session) -> str:
    """The bonus for an environment solved, in the center's currency; "" if there is none."""
    bonus = session.prescribed.pay.bonus
    return amount_text(bonus, currency()) if bonus else ""


@dataclass(frozen=True)
class AskedQuestion:
    """A question with the answer that was sent, "" for none, and what is wrong with it."""

    question: Question
    given: str = ""
    refusal: RuleError | None = None

    @property
    def options(self) -> list[tuple[str, str, bool]]:
        """Value, text, and whether it was chosen, of everything that can be chosen."""
        return [(str(value), text, str(value) == self.given) for value, text in self.question.options]


def asked(
    questions: Iterable[Question], posted: Mapping[str, str], wrong: Mapping[str, RuleError]
) -> list[AskedQuestion]:
    """The questions in their order; `posted` is what the page has sent, empty the first time."""
    return [
        AskedQuestion(question, posted.get(question.name, ""), wrong.get(question.name))
        for question in questions
    ]


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


TUTORIAL_TASK = settings.BASE_DIR / "games" / TASKS / "tutorial.json"
TEMPLATES = {"board": "tutorial", "task": "tutorial-task"}
"""By part of the tutorial (`Kind.tutorial`)."""


def part_of(study: Study, asked: str | None) -> str:
    """The part that is asked for, or the first one that this study needs."""
    parts = _parts(study)
    return asked if asked in parts else parts[0]


def part_after(study: Study, part: str) -> str | None:
    """The part that follows; None after the last one."""
    parts = _parts(study)
    following = parts[parts.index(part) + 1 :] if part in parts else []
    return following[0] if following else None


def context_of(study: Study, part: str) -> dict[str, Any]:
    """What the page of a part shows."""
    if part == "task":
        return {"task": _tutorial_task()}
    actions = actions_of_pool(study)
    return {"actions": actions, "lessons": lessons(actions)}


def _parts(study: Study) -> list[str]:
    kinds = kinds_of_pool(study)
    return [kind.tutorial for kind in Kind if kind in kinds] or ["board"]


@cache
def _tutorial_task() -> dict[str, Any]:
    """The task of the tutorial in the official JSON, with the solutions, which its page may know."""
    document: dict[str, Any] = json.loads(task_of(TUTORIAL_TASK.read_text(encoding="utf-8")).text)
    return document
