"""Finds the participant of a withdrawal, counts the rows it would delete, lists past withdrawals."""

from django.db.models import Q, QuerySet

from playtest.people.models import Participant, Withdrawal
from playtest.people.participants import other_records
from playtest.play.models import Entry


def find_participant(name: str) -> Participant | None:
    """The participant with this pseudonym (in any case) or recruiter's reference."""
    wanted = name.strip()
    if not wanted:
        return None
    return Participant.objects.filter(Q(label__iexact=wanted) | Q(reference=wanted)).first()


def data_counts(person: Participant) -> dict[str, int]:
    """The number of rows that would be deleted, by kind."""
    return {
        "sessions": person.sessions.count(),
        "attempts": person.attempts.count(),
        "actions": Entry.objects.filter(attempt__participant=person, seq__gt=0).count(),
        "surveys": person.surveys.count(),
        "consents": person.consents.count(),
    }


def other_records_sentence(person: Participant) -> str:
    """That the person has further records, which are not deleted with this one; empty if none is known."""
    others = [one.label for one in other_records([person.pk])[person.pk]]
    if not others:
        return ""
    return (
        f"{person.label} is the same person as {' and '.join(others)}, whose data stays. Ask whether it is to"
        " be deleted, too. Deleting removes the links: nothing says afterwards that these were one person."
    )


def withdrawals() -> QuerySet[Withdrawal]:
    """Every withdrawal, newest first."""
    return Withdrawal.objects.select_related("participant", "staff").order_by("-started_at")
