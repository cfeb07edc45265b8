"""What insight adds to staff pages of lower rooms."""

from typing import Any

from playtest.insight.internal.gate import facts
from playtest.insight.internal.queries import MOST_PLAYS, plays_of
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.rules.pipeline import Stage
from playtest.studio.models import Environment


def plays_of_environment(staff: Staff | None, environment: Environment) -> dict[str, Any]:
    """The newest internal plays; in Internal, whether there are those that its gate asks for."""
    if staff is None or not staff.may(Right.PLAY_INTERNALLY):
        return {"may_play": False}
    asked = environment.stage == Stage.INTERNAL and environment.current_id is not None
    return {
        "may_play": True,
        "environment": environment,
        "plays": plays_of(environment),
        "most": MOST_PLAYS,
        "asked": facts([environment])[environment.pk] if asked else None,
        "reader": staff,
    }
