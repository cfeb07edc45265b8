"""Decisions by status: in force, waiting for a second reviewer, reversed."""

from django.db.models import Max, Q, QuerySet

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Session
from playtest.review.models import Decision, DecisionKind

EXCLUDING = (DecisionKind.EXCLUDE_ATTEMPT, DecisionKind.EXCLUDE_FROM, DecisionKind.EXCLUDE_SESSION)

# A first reviewer's own verdict: neither a confirmation nor a reversal.
_FIRST_VERDICT = Q(confirms__isnull=True) & ~Q(kind=DecisionKind.REVERSE)
# A second reviewer came to another verdict.
_NOT_CONFIRMED = Q(answered_by__isnull=False, confirmed_by__isnull=True)


def standing() -> QuerySet[Decision]:
    """Decisions in force or waiting for a second reviewer: neither reversed nor answered differently."""
    return Decision.objects.filter(_FIRST_VERDICT, ~_NOT_CONFIRMED, reversed_by__isnull=True)


def in_force() -> QuerySet[Decision]:
    """Decisions that are not reversed and, where needed, confirmed."""
    return standing().filter(Q(needs_confirmation=False) | Q(confirmed_by__isnull=False))


def waiting() -> QuerySet[Decision]:
    """Exclusions that a second reviewer has yet to confirm."""
    return standing().filter(needs_confirmation=True, confirmed_by__isnull=True)


def sessions_asking(reviewer: Staff) -> set[int]:
    """Sessions in which another reviewer's exclusion waits for this reviewer's verdict."""
    if not reviewer.may(Right.REVIEW_EFFORT):
        return set()
    return set(waiting().exclude(reviewer=reviewer).values_list("session", flat=True))


def shown_to(reviewer: Staff) -> QuerySet[Decision]:
    """`history` without the verdicts that a reviewer who is asked for their own must not know yet.

    These are other reviewers' waiting exclusions, and the verdicts that such an exclusion answers.
    """
    unseen = waiting().exclude(reviewer=reviewer).values("pk")
    answered = Decision.objects.filter(pk__in=unseen, answers__isnull=False).values("answers")
    hidden = (Q(pk__in=unseen) | Q(pk__in=answered)) & ~Q(reviewer=reviewer)
    return history().filter(~hidden)


def history() -> QuerySet[Decision]:
    """Every decision, newest first, with all that a page shows of it."""
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
    """The key of the newest decision about a session, 0 when there is none."""
    newest: int | None = session.decisions.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def status_label(decision: Decision) -> str:
    """The status of a decision as a page shows it."""
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
        return f"not in force: {other.reviewer.get_username()} gave another verdict"
    return "proposed: nothing is excluded until a second reviewer agrees"
