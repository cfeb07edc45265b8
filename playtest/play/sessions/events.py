"""Events of a session, as they are recorded now."""

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.models import Attempt, Event, EventKind, Session


def log(
    session: Session,
    kind: EventKind,
    *,
    attempt: Attempt | None = None,
    staff: Staff | None = None,
    details: dict[str, object] | None = None,
) -> None:
    """Record an event of the session, or of one of its attempts, now."""
    Event.objects.create(
        session=session,
        attempt=attempt,
        kind=kind,
        server_time=now(),
        staff=staff,
        details=details or {},
    )
