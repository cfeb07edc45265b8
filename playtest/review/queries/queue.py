"""The sessions that wait for a reviewer, and what a reviewer sees of one."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Attempt, Session
from playtest.review.models import Decision, Flag
from playtest.review.queries import decisions
from playtest.review.queries.effort import flags, superseded_flags
from playtest.review.queries.openings import needs_two, opened


@dataclass(frozen=True)
class Case:
    """One session as its reviewer sees it: evidence, attempts and what was decided; never a baseline.

    `superseded` are flags that no similar flag in force replaces. `two`: two reviewers judge independently;
    it is the same before and after another reviewer's verdict, which is shown only after this reviewer's.
    `proposed` is the reviewer's own verdict that waits. `dispute` is the second of two verdicts that differ,
    and `settles` whether this reviewer can settle it.
    """

    session: Session
    flags: list[Flag]
    superseded: list[Flag]
    attempts: list[Attempt]
    decisions: list[Decision]
    reversible: set[int]
    two: bool
    proposed: Decision | None
    dispute: Decision | None
    settles: bool


@dataclass(frozen=True)
class Elsewhere:
    """What waits for other people than this reviewer, by the number of sessions.

    `second`: the reviewer's own verdict waits for a second one. `third`: two verdicts, one of them the
    reviewer's, differ. `reviewers` is how many people may review.
    """

    second: int
    third: int
    reviewers: int


def queue(reviewer: Staff) -> list[int]:
    """Sessions that wait for this reviewer, simulated people last, then those that have waited longest.

    A session waits while it is open (`openings.opened`), and while a verdict about it needs a second
    reviewer, or two that differ a third. Who has given one of these verdicts does not get it again.
    """
    flagged, undecided = opened()
    waiting, own = _verdicts(reviewer)
    for_this_one = (undecided | waiting) - own
    simulated = dict(Session.objects.filter(pk__in=for_this_one).values_list("pk", "participant__simulated"))
    return sorted(simulated, key=lambda pk: (simulated[pk], pk not in flagged, flagged.get(pk), pk))


def elsewhere(reviewer: Staff) -> Elsewhere:
    """What waits for somebody else because this reviewer has judged it."""
    active = Staff.objects.filter(is_active=True)
    return Elsewhere(
        decisions.waiting().filter(reviewer=reviewer).count(),
        decisions.disputed().filter(_given_by(reviewer)).count(),
        sum(staff.may(Right.REVIEW_EFFORT) for staff in active),
    )


def is_open(session: Session) -> bool:
    """Whether a session waits for any reviewer."""
    given = decisions.waiting() | decisions.disputed()
    if given.filter(session=session).exists():
        return True
    return bool(opened(Session.objects.filter(pk=session.pk))[1])


def case(session: Session, reviewer: Staff) -> Case:
    """All that this reviewer may know now of one session, whether it waits or not."""
    found = list(flags().filter(session=session))
    like = {_subject(flag) for flag in found}
    waiting = list(decisions.waiting().filter(session=session))
    dispute = decisions.disputed().filter(session=session).first()
    return Case(
        session,
        found,
        [flag for flag in superseded_flags().filter(session=session) if _subject(flag) not in like],
        list(session.attempts.select_related("environment", "version").order_by("number")),
        list(decisions.shown_to(reviewer).filter(session=session)),
        set(decisions.reversible_by(reviewer).filter(session=session).values_list("pk", flat=True)),
        bool(waiting) or needs_two(session),
        decisions.history()
        .filter(pk__in=[one.pk for one in waiting if one.reviewer_id == reviewer.pk])
        .first(),
        dispute,
        dispute is not None and not decisions.disputed().filter(_given_by(reviewer), pk=dispute.pk).exists(),
    )


def _verdicts(reviewer: Staff) -> tuple[set[int], set[int]]:
    """Sessions with a verdict that waits for another one, and those of them that this reviewer has judged."""
    waiting, disputed = decisions.waiting(), decisions.disputed()
    return _sessions(waiting, disputed), _sessions(
        waiting.filter(reviewer=reviewer), disputed.filter(_given_by(reviewer))
    )


def _sessions(*found: QuerySet[Decision]) -> set[int]:
    return {session for each in found for session in each.values_list("session", flat=True)}


def _given_by(reviewer: Staff) -> Q:
    """A condition for a second verdict: it or the first one is this reviewer's."""
    return Q(reviewer=reviewer) | Q(answers__reviewer=reviewer)


def _subject(flag: Flag) -> tuple[int | None, str, str]:
    return flag.attempt_id, flag.rule, flag.strength
