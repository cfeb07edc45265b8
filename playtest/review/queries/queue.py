"""Which sessions are to be reviewed, which wait for a reviewer, and what a reviewer sees of one."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Attempt, Entry, ProtocolVersion, Session
from playtest.review.models import Decision, DecisionKind, Flag, Opening, Strength
from playtest.review.queries import decisions
from playtest.review.queries.effort import counting_flags, flags, superseded_flags
from playtest.rules.agreement import is_drawn
from playtest.rules.effort.evidence import opens_review

type Opened = dict[int, datetime]
"""Sessions with the time after which a decision about them is wanted."""


def opened(sessions: QuerySet[Session] | None = None) -> tuple[Opened, set[int]]:
    """Undecided sessions: those opened by their flags, with the newest flag, and those opened otherwise.

    A session is opened by a strong flag or two independent ones; otherwise by the random draw, or by the
    reversal of a decision on which two reviewers had agreed. `sessions` limits where to look.
    """
    found, reversals = counting_flags(), _agreed_reversals()
    if sessions is not None:
        found, reversals = found.filter(session__in=sessions), reversals.filter(session__in=sessions)
    of_flags = _flagged(found)
    newest = dict(reversals.values_list("session").annotate(Max("decided_at")))
    return of_flags, _undecided(of_flags) | _undecided(newest) | (drawn(sessions) - of_flags.keys())


def drawn(sessions: QuerySet[Session] | None = None, *, decided: bool = False) -> set[int]:
    """Sessions of real people who were here that have ended and that the random draw hits.

    The share is that of the protocol each follows. Whether flags open a session is not looked at. Sessions
    with a decision in force are left out, unless `decided`.
    """
    shares = {version.pk: version.value.review_share for version in ProtocolVersion.objects.all()}
    drawing = [pk for pk, share in shares.items() if share]
    ended = Q(session__ended_at__isnull=False, session__participant__simulated=False, seal__isnull=False)
    ended &= Q(session__study__outside=None)
    found = Attempt.objects.filter(ended, session__protocol__in=drawing)
    if not decided:
        found = found.exclude(Exists(decisions.in_force().filter(session=OuterRef("session"))))
    if sessions is not None:
        found = found.filter(session__in=sessions)
    seals: defaultdict[tuple[int, int], list[bytes]] = defaultdict(list)
    for session, protocol, seal in found.values_list("session", "session__protocol", "seal"):
        seals[session, protocol].append(bytes(seal or b""))
    return {
        session for (session, protocol), each in seals.items() if is_drawn(session, each, shares[protocol])
    }


def flagged(sessions: QuerySet[Session]) -> set[int]:
    """The sessions of these that their flags open, decided or not."""
    return set(_flagged(counting_flags().filter(session__in=sessions)))


def flagged_by_rule(sessions: QuerySet[Session]) -> dict[str, list[int]]:
    """The same sessions by each rule that raised a flag that counts; a session can be in several lists."""
    rows = _flags(counting_flags().filter(session__in=sessions))
    opened = _opened(rows)
    by_rule: defaultdict[str, list[int]] = defaultdict(list)
    for rule, session in sorted({(rule, session) for session, rule, *_ in rows if session in opened}):
        by_rule[rule].append(session)
    return dict(by_rule)


def needs_two(session: Session) -> bool:
    """Whether two reviewers judge a session, whatever they decide.

    They do where no flags open a review, where one of its flags is strong, and where a level was completed,
    which can belong to a baseline. That the first verdict has no part in it keeps it from showing.
    """
    found = list(flags().filter(session=session).values_list("rule", "strength"))
    strong = any(strength == Strength.STRONG for _, strength in found)
    completed = Entry.objects.filter(attempt__session=session, level_completed=True)
    return strong or not opens_review(found) or completed.exists()


def opened_by(session: Session) -> Opening:
    """Why a session is reviewed now."""
    only = Session.objects.filter(pk=session.pk)
    if _agreed_reversals().filter(session=session).exists():
        return Opening.REVERSAL
    if _flagged(counting_flags().filter(session=session)):
        return Opening.FLAGS
    return Opening.DRAW if drawn(only) else Opening.REVIEWER


def under_review() -> set[int]:
    """The sessions that wait for a decision because of their flags, as one strong or two independent ones.

    They count until it is made. Sessions that were drawn at random wait too, and nobody doubts them.
    """
    return _undecided(_flagged(counting_flags()))


def _agreed_reversals() -> QuerySet[Decision]:
    """Reversals of what two reviewers had agreed on, or a third had settled."""
    agreed = Q(reverses__confirmed_by__isnull=False) | Q(reverses__settles__isnull=False)
    return Decision.objects.filter(agreed, kind=DecisionKind.REVERSE)


def _flagged(found: QuerySet[Flag]) -> Opened:
    """Sessions that these flags open a review of, and when the newest one was raised."""
    return _opened(_flags(found))


def _flags(found: QuerySet[Flag]) -> list[tuple[int, str, str, datetime]]:
    """Session, rule, strength, and when it was raised."""
    return list(found.values_list("session", "rule", "strength", "raised_at"))


def _opened(flags: Iterable[tuple[int, str, str, datetime]]) -> Opened:
    rules: defaultdict[int, set[tuple[str, str]]] = defaultdict(set)
    newest: Opened = {}
    for session_id, rule, strength, raised_at in flags:
        rules[session_id].add((rule, strength))
        newest[session_id] = max(newest.get(session_id, raised_at), raised_at)
    return {pk: newest[pk] for pk, of_session in rules.items() if opens_review(of_session)}


def _undecided(opened: Opened) -> set[int]:
    decided = dict(
        decisions.in_force().filter(session__in=opened).values_list("session").annotate(Max("decided_at"))
    )
    return {pk for pk, newest in opened.items() if pk not in decided or decided[pk] <= newest}


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

    @property
    def in_force(self) -> list[Decision]:
        """The decisions that hold, newest first: what can be reversed but a verdict that waits."""
        return [one for one in self.decisions if one.pk in self.reversible and one != self.proposed]

    @property
    def may_add(self) -> bool:
        """Whether more can be excluded beside what is: some of the session's environments are."""
        kinds = {one.kind for one in self.in_force}
        return bool(kinds) and kinds <= {DecisionKind.EXCLUDE_ATTEMPT, DecisionKind.EXCLUDE_FROM}


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

    A session waits while it is open (`opened`), and while a verdict about it needs a second
    reviewer, or two that differ a third. Who has given one of these verdicts does not get it again.
    """
    flagged, for_this_one = _waiting_for(reviewer)
    simulated = dict(Session.objects.filter(pk__in=for_this_one).values_list("pk", "participant__simulated"))
    return sorted(simulated, key=lambda pk: (simulated[pk], pk not in flagged, flagged.get(pk), pk))


def number_in_queue(reviewer: Staff) -> int:
    """How many sessions wait for this reviewer."""
    return len(_waiting_for(reviewer)[1])


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
        list(session.attempts.select_related("environment", "version", "outside").order_by("number")),
        list(decisions.shown_to(reviewer).filter(session=session)),
        set(decisions.reversible_by(reviewer).filter(session=session).values_list("pk", flat=True)),
        bool(waiting) or needs_two(session),
        decisions.history()
        .filter(pk__in=[one.pk for one in waiting if one.reviewer_id == reviewer.pk])
        .first(),
        dispute,
        dispute is not None and not decisions.disputed().filter(_given_by(reviewer), pk=dispute.pk).exists(),
    )


def _waiting_for(reviewer: Staff) -> tuple[Opened, set[int]]:
    """The sessions that flags opened, and all that wait for this reviewer, opened in whatever way."""
    of_flags, undecided = opened()
    waiting, own = _verdicts(reviewer)
    return of_flags, (undecided | waiting) - own


def _verdicts(reviewer: Staff) -> tuple[set[int], set[int]]:
    """Sessions with a verdict that waits for another one, and those of them that this reviewer has judged."""
    given = decisions.waiting() | decisions.disputed()
    rows = list(given.values_list("session", "reviewer", "answers__reviewer"))
    return {session for session, *_ in rows}, {session for session, *by in rows if reviewer.pk in by}


def _given_by(reviewer: Staff) -> Q:
    """A condition for a second verdict: it or the first one is this reviewer's."""
    return Q(reviewer=reviewer) | Q(answers__reviewer=reviewer)


def _subject(flag: Flag) -> tuple[int | None, str, str]:
    return flag.attempt_id, flag.rule, flag.strength
