"""What pages reported of actions that no other action followed: how long they took from press to paint."""

from collections import defaultdict
from collections.abc import Iterable

from playtest.play.models import Event, EventKind


def reported_paints(attempt_ids: Iterable[int]) -> dict[int, dict[int, int]]:
    """Milliseconds by attempt and seq; `rules.lag.press_to_paint` puts them with the others."""
    found: defaultdict[int, dict[int, int]] = defaultdict(dict)
    events = Event.objects.filter(attempt__in=attempt_ids, kind=EventKind.PAINTED)
    for attempt, details in events.order_by("pk").values_list("attempt", "details"):
        found[attempt][details["seq"]] = details["paint_ms"]
    return found
