"""Events of a whole session, as they are recorded now."""

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.models import Event, EventKind, Session


def log(
    session: Session,
    kind: EventKind,
    *,
    staff: Staff | None = None,
    details: dict[str, object] | None = None,
) -> None:
    """Record an event of the whole session, now."""
    Event.objects.create(session=session, kind=kind, server_time=now(), staff=staff, details=details or {})
