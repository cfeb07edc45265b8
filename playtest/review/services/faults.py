"""Acknowledging environment faults."""

from django.db import transaction

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Event, EventKind
from playtest.play.sessions.locks import locked_attempt
from playtest.rules.attempt import Outcome


def acknowledge_fault(attempt_id: int, staff: Staff) -> None:
    """Records that someone has seen this environment fault. Refusal: no_fault, fault_acknowledged."""
    with transaction.atomic():
        attempt = locked_attempt(attempt_id)
        if attempt.outcome != Outcome.FAULT:
            raise Refusal("no_fault", "This attempt did not end by a fault: there is nothing to acknowledge.")
        if Event.objects.filter(attempt=attempt, kind=EventKind.FAULT_ACKNOWLEDGED).exists():
            raise Refusal("fault_acknowledged", "Someone has acknowledged this fault already.")
        Event.objects.create(
            session_id=attempt.session_id,
            attempt=attempt,
            kind=EventKind.FAULT_ACKNOWLEDGED,
            server_time=now(),
            staff=staff,
        )
