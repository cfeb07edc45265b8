"""Reads of attempts for the list and the replay page, also by how one level ended."""

from datetime import timedelta
from enum import StrEnum

from django.db.models import (
    BooleanField,
    Case,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    OrderBy,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.expressions import CombinedExpression

from playtest.center.interventions.queries import standing_voids, voided_attempts
from playtest.center.models import Void
from playtest.people.models import Participant
from playtest.people.participants import linked_records
from playtest.people.templatetags.staff import duration
from playtest.people.templatetags.staff import outcome as outcome_label
from playtest.play.models import Attempt, Entry, Event, EventKind
from playtest.play.sessions.adjustments import adjustments_of
from playtest.play.sessions.attempts import summarise
from playtest.play.sessions.quota import UNDECIDED
from playtest.play.sessions.reads import COUNTED, LEFT_AT_ONCE, OUTSIDE, PEOPLE, REAL, REHEARSED
from playtest.review.queries.exclusions import NOTHING, Exclusions, exclusions
from playtest.review.queries.queue import under_review
from playtest.rules import attempt as rules
from playtest.rules.attempt import Outcome
from playtest.rules.labels import OUTCOME_LABELS
from playtest.rules.results import ACTIVE_GAP_SECONDS


class LevelStatus(StrEnum):
    """Of a level in an attempt. STOPPED: reached and not completed, so the attempt ended or is there now."""

    REACHED = "reached"
    COMPLETED = "completed"
    STOPPED = "stopped"


LEVEL_STATUS_LABELS = {
    LevelStatus.REACHED: "reached",
    LevelStatus.COMPLETED: "completed",
    LevelStatus.STOPPED: "reached, not completed",
}


def with_level_status(
    rows: QuerySet[Attempt],
    level: int,
    status: LevelStatus = LevelStatus.REACHED,
    excluded: Exclusions = NOTHING,
) -> QuerySet[Attempt]:
    """The attempts among the rows in which this level (from 1) has this status.

    Of an attempt excluded from an action on, only the levels completed before that action are known.
    """
    completed_before = _levels_before_exclusion(rows, excluded)
    known = [
        pk
        for pk, completed in completed_before.items()
        if level <= completed and status != LevelStatus.STOPPED
    ]
    opened = Exists(Entry.objects.filter(attempt=OuterRef("pk"), seq=0))
    return (
        rows.filter(opened, first_frame_at__isnull=False)
        .annotate(completed_so_far=_COMPLETED_SO_FAR)
        .filter((_CONDITIONS[status](level) & ~Q(pk__in=list(completed_before))) | Q(pk__in=known))
    )


_NEWEST = Entry.objects.filter(attempt=OuterRef("pk")).order_by("-seq").values("levels_completed")[:1]
# Only an ended attempt repeats what its journal says.
_COMPLETED_SO_FAR = Case(When(ended_at__isnull=False, then=F("levels_completed")), default=Subquery(_NEWEST))
_CONDITIONS = {
    LevelStatus.REACHED: lambda level: Q(completed_so_far__gte=level - 1),
    LevelStatus.COMPLETED: lambda level: Q(completed_so_far__gte=level),
    LevelStatus.STOPPED: lambda level: Q(completed_so_far=level - 1),
}


def _levels_before_exclusion(rows: QuerySet[Attempt], excluded: Exclusions) -> dict[int, int]:
    """For each attempt excluded from an action on, the number of levels completed before that action."""
    first_excluded = {pk: part.from_seq for pk, part in excluded.attempts.items() if part.from_seq > 0}
    if not first_excluded:
        return {}
    completed = dict.fromkeys(rows.filter(pk__in=list(first_excluded)).values_list("pk", flat=True), 0)
    entries = Entry.objects.filter(attempt__in=list(completed), level_completed=True)
    for pk, seq, levels in entries.values_list("attempt", "seq", "levels_completed"):
        if seq < first_excluded[pk]:
            completed[pk] = max(completed[pk], levels)
    return completed


_ACKNOWLEDGED = Exists(Event.objects.filter(attempt=OuterRef("pk"), kind=EventKind.FAULT_ACKNOWLEDGED))

ORDERS: dict[str, F | CombinedExpression] = {
    "begun": F("assigned_at"),
    "participant": F("participant__label"),
    "environment": F("environment__code"),
    "levels": F("levels_completed"),
    "actions": F("actions"),
    "duration": ExpressionWrapper(F("last_action_at") - F("first_frame_at"), DurationField()) - F("paused"),
}
"""What the list can be sorted by."""


def attempts(order: str = "-begun") -> QuerySet[Attempt]:
    """People's attempts, as `attempts_and_runs`, ordered by a name in ORDERS; minus: descending."""
    by = OrderBy(ORDERS[order.removeprefix("-")], descending=order.startswith("-"), nulls_last=True)
    return attempts_and_runs().filter(PEOPLE).select_related("session__study__outside").order_by(by, "-pk")


def attempts_and_runs() -> QuerySet[Attempt]:
    """Every attempt with `counted`, which only a person's is, and `acknowledged`."""
    return Attempt.objects.select_related(
        "session__study", "session__protocol", "participant", "staff", "environment", "version", "outside"
    ).annotate(
        counted=Case(When(COUNTED, then=Value(True)), default=Value(False), output_field=BooleanField()),
        acknowledged=_ACKNOWLEDGED,
    )


def unacknowledged_faults() -> QuerySet[Attempt]:
    """Environment faults of people's attempts that nobody has acknowledged."""
    return Attempt.objects.filter(PEOPLE, ~_ACKNOWLEDGED, outcome=Outcome.FAULT)


def why_not_counted(attempt: Attempt) -> str | None:
    """A sentence on why the protocol does not count this attempt; None if it counts or is open."""
    if attempt.ended_at is None:
        return None
    if attempt.outcome == Outcome.FAULT:
        return "Not counted: the environment failed."
    if not attempt.version.kind.has_levels:
        return attempt.session.prescribed.tasks.why_not_counted(attempt.seconds)
    return attempt.session.prescribed.attempt.why_not_counted(
        attempt.actions, attempt.seconds, attempt.granted.total_seconds()
    )


def how_it_ended(attempt: Attempt) -> str:
    """An attempt's outcome in words, or that it was idle if its last action was long before the limit."""
    at = idle_since(attempt)
    return outcome_label(attempt.shown_outcome) if at is None else idle_label(at)


def idle_since(attempt: Attempt) -> float | None:
    """Seconds from first frame to last action if the attempt was idle until its time ran out, else None."""
    if attempt.outcome != Outcome.TIMED_OUT or attempt.ended_at is None or attempt.first_frame_at is None:
        return None
    last, gap = attempt.last_action_at or attempt.first_frame_at, timedelta(seconds=ACTIVE_GAP_SECONDS)
    if attempt.ended_at - last <= gap:
        return None
    idle = adjustments_of(attempt.session).running(last, attempt.ended_at)
    return attempt.seconds if idle > gap else None


def idle_label(seconds: float) -> str:
    return f"idle from {duration(seconds)} on"


def why_excluded(attempt: Attempt, excluded: Exclusions) -> str | None:
    """What is excluded of this attempt, and why; None when nothing is excluded."""
    if whole := excluded.of(attempt.session_pk, attempt.pk, 0):
        return whole.why
    part = excluded.attempts.get(attempt.pk)
    return f"{part.why} (from action {part.from_seq})" if part else None


def void_of(attempt: Attempt) -> Void | None:
    """The void of this attempt that nobody has reversed, with the member of staff."""
    return standing_voids().select_related("staff").filter(attempt=attempt).first()


def with_current_totals(attempt: Attempt) -> Attempt:
    """Sets the totals of an open attempt from its journal; an ended attempt stores them."""
    if attempt.ended_at is None:
        summarise(attempt)
    return attempt


def filtered(
    rows: QuerySet[Attempt],
    *,
    study: int | None = None,
    protocol: int | None = None,
    environment: int | None = None,
    owner: int | None = None,
    version: int | None = None,
    participant: str = "",
    people: str = "",
    outcome: str = "",
    level: int | None = None,
    level_status: str = "",
    counts: str = "",
    at_once: str = "",
    excluded: str = "",
    review: str = "",
) -> QuerySet[Attempt]:
    """The rows that fit every filter.

    `outcome` is one of OUTCOME_FILTERS, `people` of PEOPLE_FILTERS, `level_status` of `LevelStatus` (nothing:
    reached), `counts` and `at_once` (left at once) YES or NO. `excluded` is YES, NO, VOIDED: by
    staff, or HONOURED: as results count attempts, without those left out as a whole, and without the levels
    reviewers cut into. `review` is YES or NO: whether the session waits for a decision about its flags.
    """
    same = {
        "session__study": study,
        "session__protocol": protocol,
        "environment": environment,
        "environment__owner": owner,
        "version": version,
    }
    rows = rows.filter(**{name: value for name, value in same.items() if value})
    if participant:
        linked = linked_records()
        named = Participant.objects.filter(_named(participant), pk__in=linked).values_list("pk", flat=True)
        others = {record for pk in named for record in linked[pk]}
        rows = rows.filter(_named(participant, "participant__") | Q(participant__in=others))
    if outcome:
        rows = rows.filter(_OUTCOME_CONDITIONS.get(outcome, Q(outcome=outcome)))
    if counts:
        rows = rows.filter(Q(counted=counts == YES), ended_at__isnull=False)
    if at_once:
        rows = rows.filter(LEFT_AT_ONCE if at_once == YES else ~LEFT_AT_ONCE)
    if people:
        rows = rows.filter(PEOPLE_FILTERS[people])
    if review:
        doubted = Q(session__in=under_review())
        rows = rows.filter(doubted if review == YES else ~doubted)
    return _by_level(_by_exclusion(rows, excluded), level, level_status, excluded)


def _named(text: str, path: str = "") -> Q:
    return Q(**{f"{path}label__icontains": text}) | Q(**{f"{path}reference": text})


def _by_exclusion(rows: QuerySet[Attempt], excluded: str) -> QuerySet[Attempt]:
    if not excluded:
        return rows
    if excluded == VOIDED:
        return rows.filter(pk__in=voided_attempts().values("pk"))
    found = exclusions()
    parts = [pk for pk, part in found.attempts.items() if excluded != HONOURED or part.from_seq == 0]
    touched = Q(session__in=list(found.sessions)) | Q(pk__in=parts)
    return rows.filter(touched if excluded == YES else ~touched)


def _by_level(
    rows: QuerySet[Attempt], level: int | None, level_status: str, excluded: str
) -> QuerySet[Attempt]:
    if not level:
        return rows
    honoured = exclusions() if excluded == HONOURED else NOTHING
    return with_level_status(rows, level, LevelStatus(level_status or LevelStatus.REACHED), honoured)


YES, NO, HONOURED, VOIDED = "yes", "no", "honoured", "voided"
PEOPLE_FILTERS = {"real": REAL, "rehearsing": REHEARSED, "outside": OUTSIDE}
IN_PROGRESS, NOT_ACKNOWLEDGED, LOST = "in_progress", "fault_not_acknowledged", "lost"
NOT_CUT_SHORT, DECIDED = "not_cut_short", "decided"
"""DECIDED leaves those in that were cut short after a pair of a static task was solved."""
_OUTCOME_CONDITIONS = {
    IN_PROGRESS: Q(ended_at__isnull=True),
    NOT_ACKNOWLEDGED: Q(outcome=Outcome.FAULT, acknowledged=False),
    LOST: Q(outcome__in=rules.LOST),
    NOT_CUT_SHORT: ~Q(outcome__in=rules.CUT_SHORT),
    DECIDED: ~UNDECIDED,
}
OUTCOME_FILTERS = (
    *(one for one in Outcome if one in OUTCOME_LABELS),
    *(LOST, NOT_CUT_SHORT, DECIDED, NOT_ACKNOWLEDGED, IN_PROGRESS),
)
