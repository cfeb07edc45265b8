"""Parts of the replay page of a run: its agent and card, what came with each action, and what it used."""

from typing import Any

from playtest.arena.models import Play
from playtest.arena.queries.runs import usage_of_levels
from playtest.arena.queries.usage import NO_USAGE
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Attempt
from playtest.studio.models import Environment


def run_facts(_: Staff | None, attempt: Attempt) -> dict[str, Any]:
    """Its card and key; None where it was played without a card."""
    plays = Play.objects.select_related("run__card__key").filter(attempt=attempt)
    return {"attempt": attempt, "play": plays.first()}


def run_notes(_: Staff | None, attempt: Attempt) -> dict[str, Any]:
    """The panel that follows the playback."""
    return {"attempt": attempt}


def run_usage(_: Staff | None, attempt: Attempt) -> dict[str, Any]:
    """What each level and the whole run used."""
    levels = usage_of_levels(attempt)
    return {"levels": levels, "total": sum((one.usage for one in levels), NO_USAGE), "attempt": attempt}


def environment_link(staff: Staff | None, environment: Environment) -> dict[str, Any]:
    """The way from an environment to its agents, for staff who may read boards."""
    return {"environment": environment, "may_read": staff is not None and staff.may(Right.READ_BOARDS)}
