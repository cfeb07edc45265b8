"""Events of a session as they are recorded now, calls for staff among them, and what pages reported."""

from collections import defaultdict
from collections.abc import Iterable

from django.db import transaction

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Event, EventKind, Session
from playtest.play.sessions.locks import locked_session
from playtest.play.sessions.reads import Stage, calling_since, open_attempt, stage


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


def call_proctor(session: Session) -> bool:
    """Record that the participant asks for a member of staff; False if the last call is not answered yet.

    Refusal: not_now before check-in and once the session is over.
    """
    with transaction.atomic():
        session = locked_session(session.pk)
        if session.checked_in_at is None or stage(session, now()) == Stage.OVER:
            raise Refusal("not_now", "This session is over. Please raise your hand.")
        if calling_since(session) is not None:
            return False
        log(session, EventKind.PROCTOR_CALLED, attempt=open_attempt(session.pk))
    return True


def answer_call(session: Session, staff: Staff) -> bool:
    """Record that a member of staff answers the participant's call; False if there is none to answer."""
    with transaction.atomic():
        session = locked_session(session.pk)
        if calling_since(session) is None:
            return False
        log(session, EventKind.CALL_ANSWERED, attempt=open_attempt(session.pk), staff=staff)
    return True


def reported_paints(attempt_ids: Iterable[int]) -> dict[int, dict[int, int]]:
    """Milliseconds from press to paint of actions that no other followed, by attempt and seq.

    `rules.lag.press_to_paint` puts them with the others.
    """
    found: defaultdict[int, dict[int, int]] = defaultdict(dict)
    events = Event.objects.filter(attempt__in=attempt_ids, kind=EventKind.PAINTED)
    for attempt, details in events.order_by("pk").values_list("attempt", "details"):
        found[attempt][details["seq"]] = details["paint_ms"]
    return found
