"""The parts of the tutorial: the board for interactive environments, the editor for static tasks."""

import json
from functools import cache
from typing import Any

from django.conf import settings

from engine.source import TASKS
from engine.tasks.task import task_of
from playtest.play.lessons import lessons
from playtest.play.models import Study
from playtest.play.queries import actions_of_pool, kinds_of_pool
from playtest.rules.kinds import Kind

TUTORIAL_TASK = settings.BASE_DIR / "games" / TASKS / "tutorial.json"
PARTS = {"board": Kind.INTERACTIVE, "task": Kind.TASK}
"""Each part, in order, and the kind of environment it is for."""
TEMPLATES = {"board": "tutorial", "task": "tutorial-task"}


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
    return [part for part, kind in PARTS.items() if kind in kinds] or ["board"]


@cache
def _tutorial_task() -> dict[str, Any]:
    """The task of the tutorial in the official JSON, with the solutions, which its page may know."""
    document: dict[str, Any] = json.loads(task_of(TUTORIAL_TASK.read_text(encoding="utf-8")).text)
    return document
