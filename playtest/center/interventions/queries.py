"""Reads of voided attempts, of time lines, and of stations that are free."""

from dataclasses import dataclass

from django.db.models import QuerySet

from playtest.center.interventions.models import Void
from playtest.center.interventions.sentences import describe
from playtest.center.stations.queries import StationState, stations
from playtest.play.models import Attempt, Event, Session
from playtest.play.sessions.quota import repeats


def standing_voids() -> QuerySet[Void]:
    """The voids that nobody has reversed; an attempt has at most one."""
    return Void.objects.filter(reversal__isnull=True)


def voided_attempts() -> QuerySet[Attempt]:
    """The attempts that are void now."""
    return Attempt.objects.filter(pk__in=standing_voids().values("attempt"))


def session_attempts(session: Session) -> list[Attempt]:
    """The attempts of a session in order, each with its void that stands or None (`standing_void`).

    `met_before_as` is the other pseudonym of a person who had met the environment, or None.
    """
    voids = {void.attempt_id: void for void in standing_voids().filter(attempt__session=session)}
    found = list(session.attempts.select_related("environment").order_by("number"))
    repeated = repeats()
    for attempt in found:
        before = repeated.get(attempt.pk)
        attempt.standing_void = voids.get(attempt.pk)  # type: ignore[attr-defined]
        attempt.met_before_as = before and before.before  # type: ignore[attr-defined]
    return found


@dataclass(frozen=True)
class Moment:
    """One line of a session's time line: an event with its sentence. `by_staff`: staff acted."""

    event: Event
    sentence: str
    by_staff: bool


def time_line(session: Session) -> list[Moment]:
    """All events of a session in order of time."""
    events = session.events.select_related("attempt", "staff").order_by("server_time", "pk")
    return [Moment(event, describe(event), event.staff_id is not None) for event in events]


@dataclass(frozen=True)
class FreeStation:
    """A registered station without a session; `ready` while its page is connected."""

    number: int
    room: str
    ready: bool


def free_stations() -> list[FreeStation]:
    """The stations that a session can be moved to, connected ones first."""
    free = (StationState.READY, StationState.OFFLINE)
    found = (one for one in stations() if one.state in free)
    ordered = sorted(found, key=lambda one: one.state != StationState.READY)
    return [
        FreeStation(one.station.number, one.station.room, one.state == StationState.READY) for one in ordered
    ]
