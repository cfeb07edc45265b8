"""What the controls of one station show: the session's state, and which controls make sense now."""

from dataclasses import dataclass
from datetime import datetime

from playtest.center.interventions.queries import standing_voids
from playtest.center.queries import describe_stage
from playtest.people.templatetags.staff import duration
from playtest.play.models import Attempt, Event, EventKind, Session
from playtest.play.sessions.reads import Stage, calling_since
from playtest.play.sessions.status import SessionStatus, session_status
from playtest.rules.limits import elapsed_seconds


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
        voidable=_voidable(session) if under_way else [],
    )


def _voidable(session: Session) -> list[Attempt]:
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
        sentence += f"; {duration(status.session_seconds_left(moment))} of the session left"
    return f"{sentence}."
