"""What participants' pages show: time and pay, the survey's questions, the tutorial."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.utils.translation import gettext

from engine.play.actions import CLICK, RESET
from engine.play.source import TASKS
from engine.tasks.task import task_of
from playtest.play.models import Session, Study
from playtest.play.sessions.reads import TASKS as AT_TASKS
from playtest.play.sessions.reads import actions_of_pool, kinds_of_pool
from playtest.rules.errors import RuleError
from playtest.rules.kinds import Kind
from playtest.rules.pay import amount_text
from playtest.rules.protocol import incentive
from playtest.rules.survey import Question


def incentive_of(session: Session) -> list[str]:
    """The sentences for this session."""
    return incentive(session.prescribed, session.study.currency, gettext)


def bonus_text(session: Session) -> str:
    """The bonus for an environment solved, in the study's currency; "" if there is none."""
    bonus = session.prescribed.pay.bonus
    return amount_text(bonus, session.study.currency) if bonus else ""


def earned_text(session: Session, solved: int) -> str:
    """What the session has earned without adjustments, in the study's currency.

    "" if that is nothing, or if it would tell which submissions were right.
    """
    is_secret = not session.prescribed.tasks.feedback and session.attempts.filter(AT_TASKS).exists()
    earned = session.prescribed.pay.of_session(solved)
    return amount_text(earned, session.study.currency) if earned and not is_secret else ""


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
_DIRECTIONS = (UP, DOWN, LEFT, RIGHT)


@dataclass(frozen=True)
class Lesson:
    """A line of the tutorial's list: the `actions` (bit i: action i) that complete it, and their keys.

    `touched` is its name where nothing hovers, `without_mouse` how it is done by keys.
    """

    actions: int
    name: str
    keys: str
    touched: str = ""
    without_mouse: str = ""


def lessons(actions: int) -> list[Lesson]:
    """The lessons about these actions (bit i: action i), in the order of the list."""
    directions = [action for action in _DIRECTIONS if actions >> action & 1]
    names = {UP: gettext("Up"), DOWN: gettext("Down"), LEFT: gettext("Left"), RIGHT: gettext("Right")}
    choose = gettext("Shift with arrows, then Enter") if directions else gettext("arrows, then Enter")
    found = [
        Lesson(
            sum(1 << action for action in directions),
            gettext(", ").join(names[action] for action in directions),
            gettext("arrow keys or W A S D"),
        ),
        Lesson(1 << INTERACT, gettext("Space"), gettext("space bar or F"), touched=gettext("Use")),
        Lesson(1 << CLICK, gettext("Click on the board"), gettext("any cell"), without_mouse=choose),
        Lesson(1 << UNDO, gettext("Undo"), "Z / Ctrl+Z"),
        Lesson(1 << RESET, gettext("Reset level"), "R"),
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
