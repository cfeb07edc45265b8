"""Decisions as they stand: which hold, which wait for a second reviewer, which were reversed."""

from django.db.models import Max, Q, QuerySet

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Session
from playtest.review.models import Decision, DecisionKind

EXCLUDING = (DecisionKind.EXCLUDE_ATTEMPT, DecisionKind.EXCLUDE_FROM, DecisionKind.EXCLUDE_SESSION)

# A first reviewer's own word: neither an agreement with someone else's nor a reversal.
_OWN = Q(confirms__isnull=True) & ~Q(kind=DecisionKind.REVERSE)
# A second reviewer came to another verdict.
_FELL = Q(answered_by__isnull=False, confirmed_by__isnull=True)


def standing() -> QuerySet[Decision]:
    """Decisions nobody has reversed or answered otherwise, in force or waiting for a second reviewer."""
    return Decision.objects.filter(_OWN, ~_FELL, reversed_by__isnull=True)


def in_force() -> QuerySet[Decision]:
    """Decisions that hold: not reversed, and confirmed where that was needed."""
    return standing().filter(Q(needs_confirmation=False) | Q(confirmed_by__isnull=False))


def waiting() -> QuerySet[Decision]:
    """Exclusions that hold once a second reviewer confirms them."""
    return standing().filter(needs_confirmation=True, confirmed_by__isnull=True)


def sessions_asking(reviewer: Staff) -> set[int]:
    """Sessions in which somebody else's exclusion waits for this reviewer's own verdict."""
    if not reviewer.may(Right.REVIEW_EFFORT):
        return set()
    return set(waiting().exclude(reviewer=reviewer).values_list("session", flat=True))


def shown_to(reviewer: Staff) -> QuerySet[Decision]:
    """`history` without the verdicts that a reviewer who is asked for their own must not know yet.

    Those are others' exclusions that wait, and what such an exclusion answers.
    """
    unseen = waiting().exclude(reviewer=reviewer).values("pk")
    answered = Decision.objects.filter(pk__in=unseen, answers__isnull=False).values("answers")
    hidden = (Q(pk__in=unseen) | Q(pk__in=answered)) & ~Q(reviewer=reviewer)
    return history().filter(~hidden)


def history() -> QuerySet[Decision]:
    """Every row ever added, newest first, with all that its line on a page needs."""
    return Decision.objects.select_related(
        "session__participant",
        "attempt__environment",
        "reviewer",
        "confirms__reviewer",
        "confirmed_by__reviewer",
        "answered_by__reviewer",
        "reverses",
        "reversed_by__reviewer",
    ).order_by("-decided_at", "-pk")


def newest_decision(session: Session) -> int:
    """The last row added about a session, 0 when there is none."""
    newest: int | None = session.decisions.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def state_words(decision: Decision) -> str:
    """What became of a decision, in words."""
    if decision.kind == DecisionKind.REVERSE:
        return "reversed an earlier decision"
    if decision.confirms is not None:
        return f"confirmed {decision.confirms.reviewer.get_username()}"
    if (reversal := getattr(decision, "reversed_by", None)) is not None:
        return f"reversed by {reversal.reviewer.get_username()}"
    if not decision.needs_confirmation:
        return "in force"
    if (agreement := getattr(decision, "confirmed_by", None)) is not None:
        return f"in force, confirmed by {agreement.reviewer.get_username()}"
    if (other := getattr(decision, "answered_by", None)) is not None:
        return f"not in force: {other.reviewer.get_username()} came to another verdict"
    return "proposed: waits for a second reviewer, and counts until then"
