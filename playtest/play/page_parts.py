"""What play adds to staff pages of lower rooms."""

from typing import Any

from playtest.people.models import Staff
from playtest.play.internal_plays import open_play_of
from playtest.studio.models import Environment


def open_play(staff: Staff | None, environment: Environment) -> dict[str, Any]:
    """The reader's own play of the current version that goes on, if there is one."""
    return {"play": None if staff is None else open_play_of(staff, environment)}
