"""Decisions by status: in force, waiting for a second or a third reviewer, reversed."""

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Session
from playtest.review.models import Decision, DecisionKind

EXCLUDING = (DecisionKind.EXCLUDE_ATTEMPT, DecisionKind.EXCLUDE_FROM, DecisionKind.EXCLUDE_SESSION)

# A verdict that is neither a confirmation nor a reversal, and is not reversed.
_VERDICT = (
    Q(confirms__isnull=True, reversed_by__isnull=True)
    & Q(part_of__reversed_by__isnull=True)
    & ~Q(kind=DecisionKind.REVERSE)
)
_IN_FORCE = _VERDICT & (Q(needs_confirmation=False) | Q(confirmed_by__isnull=False))
_OPEN = _VERDICT & Q(
    needs_confirmation=True, part_of__isnull=True, confirmed_by__isnull=True, answered_by__isnull=True
)
_WAITING = _OPEN & Q(answers__isnull=True)
_DISPUTED = _OPEN & Q(answers__isnull=False, settled_by__isnull=True)


def in_force() -> QuerySet[Decision]:
    """Decisions that are not reversed and, where needed, confirmed or settled; a row for each attempt."""
    return Decision.objects.filter(_IN_FORCE)


def waiting() -> QuerySet[Decision]:
    """First verdicts that a second reviewer has yet to answer."""
    return Decision.objects.filter(_WAITING)


def disputed() -> QuerySet[Decision]:
    """Second verdicts that differ from the first one, until a third reviewer settles it."""
    return Decision.objects.filter(_DISPUTED)


def sessions_waiting(study: int) -> int:
    """How many sessions of a study wait for a second or a third reviewer."""
    given = Decision.objects.filter(_WAITING | _DISPUTED, session__study=study)
    return given.values("session").distinct().count()


def standing() -> QuerySet[Decision]:
    """Decisions in force, and verdicts that wait for a second or a third reviewer."""
    return Decision.objects.filter(_IN_FORCE | _WAITING | _DISPUTED)


def sessions_asking(reviewer: Staff) -> set[int]:
    """Sessions in which another reviewer's first verdict waits for this reviewer's."""
    if not reviewer.may(Right.REVIEW_EFFORT):
        return set()
    return set(waiting().exclude(reviewer=reviewer).values_list("session", flat=True))


def disclosed() -> QuerySet[Decision]:
    """Every decision but the first verdicts that nobody else may know: what any reviewer may read."""
    return Decision.objects.exclude(_part_of_one_in(_undisclosed()))


def shown_to(reviewer: Staff) -> QuerySet[Decision]:
    """`history` without other reviewers' first verdicts to which this reviewer can give the second one."""
    return history().exclude(_part_of_one_in(_undisclosed().exclude(reviewer=reviewer)))


def _undisclosed() -> QuerySet[Decision]:
    """First verdicts that wait, or that were taken back while they did, until two people have judged."""
    later_pair = Decision.objects.filter(
        session=OuterRef("session"), answers__isnull=False, pk__gt=OuterRef("pk")
    )
    taken_back = Q(reversed_by__isnull=False, needs_confirmation=True, part_of__isnull=True) & Q(
        answers__isnull=True, answered_by__isnull=True
    )
    return Decision.objects.filter(_WAITING | taken_back & ~Exists(later_pair))


def _part_of_one_in(heads: QuerySet[Decision]) -> Q:
    """A condition for these verdicts with their parts and their reversals."""
    pks = heads.values("pk")
    return Q(pk__in=pks) | Q(part_of__in=pks) | Q(reverses__in=pks)


def reversible_by(reviewer: Staff) -> QuerySet[Decision]:
    """Decisions that this reviewer can reverse: those in force, and their own verdicts that wait."""
    mine = Q(reviewer=reviewer)
    return Decision.objects.filter(_IN_FORCE | _WAITING & mine, part_of__isnull=True)


def history() -> QuerySet[Decision]:
    """Every decision with all that a page shows of it, newest first; `parts` has its further attempts."""
    return (
        Decision.objects.filter(part_of__isnull=True)
        .select_related(
            "session__participant",
            "attempt__environment",
            "reviewer",
            "confirms__reviewer",
            "confirmed_by__reviewer",
            "answers__reviewer",
            "answered_by__reviewer",
            "answered_by__settled_by__reviewer",
            "settles",
            "settled_by__reviewer",
            "reverses",
            "reversed_by__reviewer",
        )
        .prefetch_related("parts__attempt__environment")
        .order_by("-decided_at", "-pk")
    )


def newest_shown(session: Session, reviewer: Staff) -> int:
    """The key of the newest decision about a session that this reviewer may know, 0 when there is none."""
    newest: int | None = shown_to(reviewer).filter(session=session).aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def status_label(decision: Decision) -> str:
    """The status of a row of `history` as a page shows it."""
    if decision.kind == DecisionKind.REVERSE:
        return "reversed an earlier decision"
    if decision.confirms is not None:
        return f"confirmed {_name(decision.confirms)}"
    if (reversal := getattr(decision, "reversed_by", None)) is not None:
        return f"reversed by {_name(reversal)}"
    if decision.settles is not None:
        return "in force: settled what two reviewers judged differently"
    if not decision.needs_confirmation:
        return "in force"
    if (agreement := getattr(decision, "confirmed_by", None)) is not None:
        return f"in force, confirmed by {_name(agreement)}"
    other: Decision | None = getattr(decision, "answered_by", None)
    second = other or (decision if decision.answers is not None else None)
    if second is None:
        return "waits for a second reviewer: nothing is excluded until both agree"
    return f"not in force: {_name(other or decision.answers)} gave another verdict{_settlement(second)}"


def _settlement(second: Decision) -> str:
    """What became of two verdicts that differ."""
    if (settled := getattr(second, "settled_by", None)) is not None:
        return f", and {_name(settled)} settled it"
    return "; a third reviewer settles it" if second.needs_confirmation else ""


def _name(decision: Decision | None) -> str:
    return decision.reviewer.get_username() if decision else ""
