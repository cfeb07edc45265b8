"""Reads which results are excluded: by reviewers, by a void of staff, or as not a person's first attempt."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import F, Q
from django.db.models.functions import Coalesce, Greatest

from playtest.center.interventions.queries import standing_voids
from playtest.center.models import VoidReason
from playtest.people.participants import Linked
from playtest.play.sessions.quota import repeats
from playtest.play.sessions.reads import COUNTED, at_tasks
from playtest.review.models import REASON_LABELS, DecisionKind
from playtest.review.queries.decisions import in_force


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One decision or void in force; `from_seq` is the first action left out, 0 for all of them.

    `reason` is a code, and `why` the same as a page shows it.
    """

    session_id: int
    from_seq: int
    reason: str
    why: str


VOIDED = "voided by staff"
"""How the reason of a void begins on a page."""
MET_BEFORE = "not a first attempt: the person had met the environment under another record"


def excluded_by(why: str) -> str:
    """Says who excluded a result, if somebody did, and why."""
    return why if why.startswith((VOIDED, MET_BEFORE)) else f"excluded by reviewers: {why}"


@dataclass(frozen=True, slots=True)
class Exclusions:
    """Everything that is excluded at one moment, by session and by attempt."""

    sessions: Mapping[int, Exclusion]
    attempts: Mapping[int, Exclusion]

    def of(self, session_id: int, attempt_id: int, seq: int) -> Exclusion | None:
        """The exclusion that covers the entry `seq` of an attempt, or None."""
        if whole := self.sessions.get(session_id):
            return whole
        part = self.attempts.get(attempt_id)
        return part if part is not None and seq >= part.from_seq else None


NOTHING = Exclusions({}, {})
"""Nothing is excluded."""

# Two reviewers who name different actions exclude what both exclude.
_FROM = Coalesce(Greatest("from_seq", "confirmed_by__from_seq"), "from_seq", 0)


def exclusions(linked: Linked | None = None, *, without: int | None = None) -> Exclusions:
    """Everything excluded now. Decisions and voids in force exclude, and repeats; flags do not.

    A void or a repeat excludes an attempt as a whole, also one of which reviewers excluded a part. `without`:
    as if this reviewer, by the account's id, had never given or confirmed a verdict. `linked` is given where
    it is known already (`people.participants.linked_records`).
    """
    sessions: dict[int, Exclusion] = {}
    attempts: dict[int, Exclusion] = {}
    rows = in_force().exclude(kind=DecisionKind.KEEP).order_by("pk")
    if without is not None:
        rows = rows.exclude(Q(reviewer=without) | Q(confirmed_by__reviewer=without))
    for attempt, session, from_seq, reason in rows.values_list("attempt", "session", _FROM, "reason"):
        found = Exclusion(session, from_seq, reason, REASON_LABELS.get(reason, reason))
        if attempt is None:
            sessions[session] = found
        else:
            attempts[attempt] = found
    return Exclusions(sessions, attempts | _repeated(linked) | _voided())


def exclusions_of_sessions(sessions: Mapping[str, Collection[int]]) -> dict[str, Exclusions]:
    """By reason: as if its sessions were excluded, and nothing by reviewers; voids and repeats stay."""
    attempts = _repeated() | _voided() if sessions else {}
    return {
        reason: Exclusions({session: Exclusion(session, 0, reason, reason) for session in of}, attempts)
        for reason, of in sessions.items()
    }


def _voided() -> dict[int, Exclusion]:
    rows = standing_voids().order_by("pk").values_list("attempt", "attempt__session", "reason")
    return {
        attempt: Exclusion(session, 0, f"voided_{reason}", f"{VOIDED}: {VoidReason(reason).label}")
        for attempt, session, reason in rows
    }


def _repeated(linked: Linked | None = None) -> dict[int, Exclusion]:
    """Attempts on what the same person had met under another record, while staff say it is one person."""
    return {
        attempt: Exclusion(found.session, 0, "met_before", MET_BEFORE)
        for attempt, found in repeats(linked).items()
    }


def counts() -> Q:
    """A condition for the attempts that count: by the rule of their protocol, and not excluded."""
    return COUNTED & ~cannot_count()


def cannot_count() -> Q:
    """A condition for the attempts that do not count because of exclusions in force.

    That is all of an excluded session, an excluded, voided or repeated attempt, and one cut from a moment on
    of which too few actions are left, of a static task none at all; open ones too: they will not come to
    count.
    """
    excluding = in_force().exclude(kind=DecisionKind.KEEP)
    sessions = excluding.filter(attempt__isnull=True).values("session")
    few_actions = ~at_tasks("attempt__") & Q(first__lte=F("session__protocol__more_than_actions") + 1)
    attempts = excluding.alias(first=_FROM).filter(Q(first=0) | few_actions, attempt__isnull=False)
    voided = standing_voids().values("attempt")
    return (
        Q(session__in=sessions)
        | Q(pk__in=attempts.values("attempt"))
        | Q(pk__in=voided)
        | Q(pk__in=list(repeats()))
    )
