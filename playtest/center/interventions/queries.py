"""Reads of voided attempts, of time lines, of free stations, and of what the controls of one session show."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from playtest.center.interventions.models import Void
from playtest.center.queries import describe_stage
from playtest.center.stations.queries import StationNow, StationState, stations
from playtest.people.templatetags.staff import duration
from playtest.play.models import Attempt, Event, EventKind, Session
from playtest.play.sessions.quota import repeats
from playtest.play.sessions.reads import Stage, calling_since
from playtest.play.sessions.status import SessionStatus, session_status
from playtest.rules.limits import elapsed_seconds


def standing_voids() -> QuerySet[Void]:
    """The voids that nobody has reversed; an attempt has at most one."""
    return Void.objects.filter(reversal__isnull=True)


def voided_attempts() -> QuerySet[Attempt]:
    """The attempts that are void now."""
    return Attempt.objects.filter(pk__in=standing_voids().values("attempt"))


def session_attempts(session: Session) -> list[Attempt]:
    """The attempts of a session in order, each with its void that stands or None (`standing_void`).

    `earlier_record` is the other pseudonym of a person who had met the environment, or None.
    """
    voids = {void.attempt_id: void for void in standing_voids().filter(attempt__session=session)}
    found = list(session.attempts.select_related("environment", "outside").order_by("number"))
    repeated = repeats()
    for attempt in found:
        before = repeated.get(attempt.pk)
        attempt.standing_void = voids.get(attempt.pk)  # type: ignore[attr-defined]
        attempt.earlier_record = before and before.before  # type: ignore[attr-defined]
    return found


def time_line(session: Session) -> QuerySet[Event]:
    """All events of a session in order of time."""
    return session.events.select_related("attempt", "staff").order_by("server_time", "pk")


def free_stations() -> list[StationNow]:
    """The registered stations without a session, to which one can be moved; connected ones first."""
    free = (StationState.READY, StationState.OFFLINE)
    return sorted((one for one in stations() if one.state in free), key=lambda one: free.index(one.state))


@dataclass(frozen=True)
class Panel:
    """One session at one moment. `pause` is the event of the pause that is open, if there is one.

    `voidable` are the attempts that can be voided, the newest first. `calling` is since when a call waits.
    """

    session: Session
    status: SessionStatus
    state: str
    pause: Event | None
    calling: datetime | None
    voidable: list[Attempt]
    grant: int | None
    """Seconds that were granted last, and can be taken back while none of them is used."""

    @property
    def attempt(self) -> Attempt | None:
        """The open attempt."""
        return self.status.attempt

    @property
    def under_way(self) -> bool:
        """Whether somebody has checked in and the session has not ended: its clocks can be changed."""
        return self.session.checked_in_at is not None and self.status.stage != Stage.OVER


def panel(session_id: int, moment: datetime) -> Panel:
    """The controls of a session at this moment."""
    status = session_status(session_id, moment)
    session = status.session
    under_way = status.stage != Stage.OVER
    return Panel(
        session=session,
        status=status,
        state=_state(status, moment),
        pause=_open_pause(session) if status.paused else None,
        calling=calling_since(session) if under_way else None,
        voidable=voidable(session),
        grant=_last_grant(status),
    )


def _last_grant(status: SessionStatus) -> int | None:
    """The seconds that were granted last and are not taken back."""
    grants = status.adjustments.grants if status.stage != Stage.OVER else ()
    return grants[-1].seconds if grants else None


def voidable(session: Session) -> list[Attempt]:
    """The attempts of a session that are not void, the newest first."""
    found = session.attempts.exclude(pk__in=standing_voids().values("attempt"))
    return list(found.select_related("environment").order_by("-number"))


def _open_pause(session: Session) -> Event | None:
    pauses = session.events.filter(kind=EventKind.PAUSED, staff__isnull=False).select_related("staff")
    return pauses.order_by("-pk").first()


def _state(status: SessionStatus, moment: datetime) -> str:
    """The state in one sentence."""
    session, attempt = status.session, status.attempt
    place = "" if session.station is None else f"Station {session.station}: "
    sentence = f"{place}{session.participant.label} {describe_stage(session, moment)}"
    if attempt is not None:
        where = " in" if status.paused else ""
        sentence += f"{where} environment {attempt.number} ({attempt.environment.code})"
        if attempt.first_frame_at is not None:
            adjustments = status.adjustments.of_attempt(attempt.pk)
            sentence += f", {duration(elapsed_seconds(attempt.first_frame_at, moment, adjustments))} so far"
    if session.checked_in_at is not None and status.stage != Stage.OVER:
        planned = ", as staff planned its end" if status.adjustments.planned_end else ""
        sentence += f"; {duration(status.session_seconds_left(moment))} of the session left{planned}"
    return f"{sentence}."
