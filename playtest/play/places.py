"""The places of a study: how many further sessions it has something to play for, and how many are promised.

Sessions with a valid code that nobody has checked in with are promised here. Bookings are known to a higher
room, which must not be imported from here; it adds its number when it starts.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Count, Q

from playtest.play.clock import now
from playtest.play.met import met_by
from playtest.play.models import Session, Study
from playtest.play.queries import candidates
from playtest.rules.places import (
    environments_per_session,
    full_sessions,
    left_by,
    sessions_needed,
)

type Promises = Callable[[Study], int]
"""Counts the places that a room has promised without a session."""

_PROMISES: list[Promises] = []


def add_promises(promises: Promises) -> None:
    """Adds what a room has promised to every study's places. Called when a room starts."""
    if promises not in _PROMISES:
        _PROMISES.append(promises)


@dataclass(frozen=True)
class Places:
    """`needed` sessions give every environment its people, beside those under way.

    Each is expected to play `environments`; `full` of them find as many, the others fewer. Of `needed`,
    `codes` sessions have a valid code that is not used yet and `booked` people have no session yet.
    """

    people: int
    environments: int
    needed: int
    full: int
    codes: int
    booked: int

    @property
    def promised(self) -> int:
        return self.codes + self.booked

    @property
    def left(self) -> int:
        """Places that can still be promised."""
        return max(0, self.needed - self.promised)

    @property
    def too_many(self) -> int:
        """People who were promised a place that the study no longer has."""
        return max(0, self.promised - self.needed)

    @property
    def fewer(self) -> int:
        """Of the places left, those whose session finds fewer environments than expected."""
        return max(0, self.left - max(0, self.full - self.promised))

    @property
    def left_in_words(self) -> str:
        if self.left == 0:
            return "No place is left in this study: what it still needs is promised to others."
        return f"{self.left} place{' is' if self.left == 1 else 's are'} left in this study."


def places_of(study: Study) -> Places:
    """The places of a study at this moment. Lock the study's row to act on them."""
    people = study.protocol.acceptance.people
    pool = candidates(study)
    environments = environments_per_session(_finished(study), len(pool))
    wanted = {one.environment: max(0, people - one.people) for one in pool}
    left = left_by(_under_way(study, environments), wanted).values()
    codes = Session.objects.filter(waiting(), study=study).count()
    return Places(
        people=people,
        environments=environments,
        needed=sessions_needed(left, environments),
        full=full_sessions(left, environments),
        codes=codes,
        booked=sum(promises(study) for promises in _PROMISES),
    )


def waiting() -> Q:
    """Sessions whose code is valid and that nobody has checked in to."""
    expires = Q(code_expires_at__isnull=True) | Q(code_expires_at__gt=now())
    return Q(checked_in_at__isnull=True, ended_at__isnull=True) & expires


def _finished(study: Study) -> list[int]:
    """The environments of each finished session in which anything was played."""
    finished = Session.objects.filter(_whose(study), ended_at__isnull=False)
    return list(
        finished.annotate(played=Count("attempts")).filter(played__gt=0).values_list("played", flat=True)
    )


def _under_way(study: Study, environments: int) -> list[tuple[set[int], int]]:
    """What each person in a session has met, and how many environments they are expected to play yet."""
    sessions = dict(
        Session.objects.filter(_whose(study), checked_in_at__isnull=False, ended_at__isnull=True)
        .annotate(played=Count("attempts"))
        .values_list("participant", "played")
    )
    met = met_by(sessions)
    return [(met[person], max(0, environments - played)) for person, played in sessions.items()]


def _whose(study: Study) -> Q:
    return Q(study=study) if study.rehearsal else Q(study=study, participant__simulated=False)
