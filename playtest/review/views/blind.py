"""Blind reviewing: a reviewer's choice that hides flags and outcomes until the verdict is given."""

from typing import Any

from playtest.people.access import StaffRequest
from playtest.play.models import EventKind
from playtest.review.queries.queue import queue

_CHOSEN, _SHOWN = "review_blind", "review_flags_shown"
_WAITING = "_sessions_that_wait"
"""Of a request: a list asks for each of its rows."""
_MOST_REMEMBERED = 1_000


def chosen(request: StaffRequest) -> bool:
    """Whether this reviewer judges blind: `?blind=yes` or `no`, remembered until they sign out."""
    if (said := request.GET.get("blind")) in ("yes", "no"):
        request.session[_CHOSEN] = said == "yes"
    return bool(request.session.get(_CHOSEN))


def is_blind(request: StaffRequest, session: int) -> bool:
    """The same for one session, whose flags this reviewer has not been shown."""
    return chosen(request) and session not in request.session.get(_SHOWN, [])


def hides_outcome(request: StaffRequest, session: int | None) -> bool:
    """Whether nothing may tell how a session's attempts ended: it waits for who judges blind."""
    if session is None or not is_blind(request, session):
        return False
    if not hasattr(request, _WAITING):
        setattr(request, _WAITING, queue(request.user))
    return session in getattr(request, _WAITING)


def remember_shown(request: StaffRequest, session: int) -> None:
    """From now on no verdict of this reviewer on the session is blind."""
    shown = request.session.get(_SHOWN, [])
    if session not in shown:
        request.session[_SHOWN] = [*shown, session][-_MOST_REMEMBERED:]


def without_outcome(document: dict[str, Any]) -> dict[str, Any]:
    """An attempt's journal without how it ended."""
    events = [event for event in document["events"] if event["kind"] != EventKind.ATTEMPT_ENDED]
    return document | {"outcome": "", "events": events}
