"""What the arena adds to homes: the newest scorecards, and the keys in use."""

from typing import Any

from playtest.arena.models import ApiKey, Scorecard
from playtest.people.models import Staff
from playtest.people.roles import Right

_MOST = 5


def newest_cards(staff: Staff | None, request: object) -> dict[str, Any]:
    """The newest scorecards, how many are open, and how many keys are valid."""
    return {
        "request": request,
        "user": staff,
        "cards": list(Scorecard.objects.select_related("key")[:_MOST]),
        "open": Scorecard.objects.filter(closed_at__isnull=True).count(),
        "keys": ApiKey.objects.filter(revoked_at__isnull=True).count(),
        "may_manage": staff is not None and staff.may(Right.MANAGE_KEYS),
    }
