"""The sessions that wait for a reviewer, and what a reviewer sees of one."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, QuerySet

from playtest.people.models import Staff
from playtest.play.models import Attempt, Session
from playtest.review.models import Decision, Flag
from playtest.review.queries import decisions
from playtest.review.queries.effort import counting_flags, flags, superseded_flags
from playtest.rules.effort import opens_review


@dataclass(frozen=True)
class Case:
    """One session as its reviewer sees it: evidence, attempts and what was decided; never a baseline.

    `superseded` are flags that no similar flag in force replaces. `asked` are the parts of the session that
    need a second verdict from this reviewer: an attempt, or None for the whole session. The proposals of
    others are shown only after this verdict. `proposed` are the reviewer's own exclusions that wait.
    """

    session: Session
    flags: list[Flag]
    superseded: list[Flag]
    attempts: list[Attempt]
    decisions: list[Decision]
    asked: list[Attempt | None]
    proposed: list[Decision]


def queue(reviewer: Staff) -> list[int]:
    """Sessions that wait for this reviewer, simulated people last, then those that have waited longest.

    A session waits while it has a strong flag or two independent ones and no decision in force after the
    newest of them, and while an exclusion needs a second reviewer. The first reviewer does not get it again.
    """
    waiting: defaultdict[int, set[int]] = defaultdict(set)
    for session_id, first in decisions.waiting().values_list("session", "reviewer"):
        waiting[session_id].add(first)
    flagged = _flagged(counting_flags())
    wait_for_anyone = {session for session, first in waiting.items() if first != {reviewer.pk}}
    wait_for_a_decision = _undecided(flagged) - waiting.keys()
    simulated = dict(
        Session.objects.filter(pk__in=wait_for_anyone | wait_for_a_decision).values_list(
            "pk", "participant__simulated"
        )
    )
    return sorted(simulated, key=lambda pk: (simulated[pk], pk not in flagged, flagged.get(pk), pk))


def is_open(session: Session) -> bool:
    """Whether a session waits for any reviewer: for a decision, or for a second one to confirm it."""
    if decisions.waiting().filter(session=session).exists():
        return True
    return bool(_undecided(_flagged(counting_flags().filter(session=session))))


def case(session: Session, reviewer: Staff) -> Case:
    """All that this reviewer may know now of one session, whether it waits or not."""
    found = list(flags().filter(session=session))
    like = {_subject(flag) for flag in found}
    waiting = decisions.waiting().filter(session=session).select_related("attempt")
    return Case(
        session,
        found,
        [flag for flag in superseded_flags().filter(session=session) if _subject(flag) not in like],
        list(session.attempts.select_related("environment", "version").order_by("number")),
        list(decisions.shown_to(reviewer).filter(session=session)),
        list(dict.fromkeys(one.attempt for one in waiting if one.reviewer_id != reviewer.pk)),
        [one for one in waiting if one.reviewer_id == reviewer.pk],
    )


def _subject(flag: Flag) -> tuple[int | None, str, str]:
    return flag.attempt_id, flag.rule, flag.strength


def _flagged(found: QuerySet[Flag]) -> dict[int, datetime]:
    """Sessions that these flags open a review of, and when the newest one was raised."""
    rules: defaultdict[int, set[tuple[str, str]]] = defaultdict(set)
    newest: dict[int, datetime] = {}
    for session_id, rule, strength, raised_at in found.values_list(
        "session", "rule", "strength", "raised_at"
    ):
        rules[session_id].add((rule, strength))
        newest[session_id] = max(newest.get(session_id, raised_at), raised_at)
    return {pk: newest[pk] for pk, of_session in rules.items() if opens_review(of_session)}


def _undecided(flagged: dict[int, datetime]) -> set[int]:
    decided = dict(
        decisions.in_force().filter(session__in=flagged).values_list("session").annotate(Max("decided_at"))
    )
    return {pk for pk, newest in flagged.items() if pk not in decided or decided[pk] <= newest}
