"""Reads which results reviewers have excluded."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import F, Q
from django.db.models.functions import Coalesce, Greatest

from playtest.review.decision_reasons import LABELS
from playtest.review.models import DecisionKind
from playtest.review.queries.decisions import in_force


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One decision in force; `from_seq` is the first action left out, 0 for all of them."""

    decision_id: int
    session_id: int
    from_seq: int
    reason: str

    @property
    def why(self) -> str:
        """The reason as a page shows it."""
        return LABELS.get(self.reason, self.reason)


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


def exclusions() -> Exclusions:
    """Everything excluded now, in one query. Only decisions in force exclude; flags do not."""
    sessions: dict[int, Exclusion] = {}
    attempts: dict[int, Exclusion] = {}
    rows = in_force().exclude(kind=DecisionKind.KEEP).order_by("pk")
    for attempt, *facts in rows.values_list("attempt", "pk", "session", _FROM, "reason"):
        found = Exclusion(*facts)
        if attempt is None:
            sessions[found.session_id] = found
        else:
            attempts[attempt] = found
    return Exclusions(sessions, attempts)


def cannot_count() -> Q:
    """A condition for the attempts that do not count because of exclusions in force.

    That is all of an excluded session and of an excluded attempt, and one cut from a moment on of which too
    few actions are left; open ones too: they will not come to count.
    """
    excluding = in_force().exclude(kind=DecisionKind.KEEP)
    sessions = excluding.filter(attempt__isnull=True).values("session")
    too_few = Q(first__lte=F("session__protocol__more_than_actions") + 1)
    attempts = excluding.alias(first=_FROM).filter(too_few, attempt__isnull=False)
    return Q(session__in=sessions) | Q(pk__in=attempts.values("attempt"))
