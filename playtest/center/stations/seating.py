"""Who sits at which station: check-in at a station, a browser that starts again, moves between stations.

Rows are locked in one order: stations by number, then the study, then the session.
"""

from django.db import transaction

from playtest.center.schedule.codes import refuse_early
from playtest.center.stations.devices import notify_after_commit as notify_station
from playtest.center.stations.models import Station
from playtest.center.stations.queries import session_at
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import EventKind, Session
from playtest.play.sessions import services
from playtest.play.sessions.ends import end_session_if_over
from playtest.play.sessions.events import log
from playtest.play.sessions.locks import locked_session
from playtest.play.sessions.notifications import notify_after_commit as notify_session
from playtest.play.sessions.reads import Stage, open_attempt, stage
from playtest.play.sessions.seats import hashed, is_served, new_token, refuse_unless_served


def check_in(code_text: str, station: Station | None) -> tuple[Session, str]:
    """Check in with a code at a station (None: in a browser that is not registered).

    Returns the session and its new seat token. Refusal: as `play.sessions.services.check_in`; code_not_yet
    hours before the slot of the code; station_busy while another session is open at this station.
    """
    if station is None:
        with transaction.atomic():
            session, token = services.check_in(code_text, None)
            refuse_early(session)
        return session, token
    _end_if_over(station.number)
    with transaction.atomic():
        _lock(station.number)
        earlier = session_at(station.number)
        session, token = services.check_in(code_text, station.number)
        refuse_early(session)
        if earlier is not None and earlier != session:
            raise Refusal(
                "station_busy",
                "Another session is still open at this station. Please tell a member of staff.",
            )
    return session, token


def take_seat(station: Station) -> tuple[Session, str] | None:
    """A new seat token for the session that is open at this station; None if none is, or its time is over.

    For a registered browser that has lost its seat, and for the station that a session was moved to.
    """
    if not has_session(station):  # an idle station waits for no lock
        return None
    with transaction.atomic():
        _lock(station.number)
        if (session := session_at(station.number)) is None:
            return None
        session = locked_session(session.pk)
        if not session.seat_hash or not _may_continue(session):
            return None
        token = _new_seat(session)
    return session, token


def has_session(station: Station) -> bool:
    """Whether `take_seat` finds a session."""
    session = session_at(station.number)
    return session is not None and _may_continue(session)


def move_session(session: Session, to_station: int, staff: Staff | None, reason: str) -> Station:
    """Move a session to another station, where it continues by itself; its clocks keep running.

    The old browser loses its seat. An action under way there is recorded or refused, never both. The event
    STATION_CHANGED belongs to the open attempt, if there is one.

    Refusal: session_ended, not_checked_in, station_unknown, station_retired, station_unregistered,
    same_station, station_busy.
    """
    _end_if_over(to_station)
    end_session_if_over(session, now())
    with transaction.atomic():
        target = _target(to_station)
        session = locked_session(session.pk)
        refuse_unless_served(session.study)
        _refuse_session(session, to_station)
        if session_at(to_station) is not None:
            raise Refusal(
                "station_busy", f"A session is open at station {to_station}. Choose another, or end it first."
            )
        left, session.station = session.station, to_station
        session.save(update_fields=["station"])
        _new_seat(session)
        moved: dict[str, object] = {"from": left, "to": to_station, "reason": reason}
        attempt = open_attempt(session.pk)
        log(session, EventKind.STATION_CHANGED, attempt=attempt, staff=staff, details=moved)
        notify_session(session.pk)
        notify_station(to_station)
    return target


def _may_continue(session: Session) -> bool:
    return stage(session, now()) != Stage.OVER and is_served(session.study)


def _target(number: int) -> Station:
    """Lock the station that a session is to move to."""
    if (target := _lock(number)) is None:
        raise Refusal("station_unknown", f"There is no station {number}.")
    if target.retired_at:
        raise Refusal("station_retired", f"Station {number} is out of use.")
    if not target.registered:
        raise Refusal("station_unregistered", f"No browser is registered as station {number}.")
    return target


def _refuse_session(session: Session, number: int) -> None:
    if session.ended_at:
        raise Refusal("session_ended", "This session has ended.")
    if session.checked_in_at is None:
        raise Refusal("not_checked_in", "Nobody has checked in with this session's code yet.")
    if session.station == number and session.seat_hash:
        raise Refusal("same_station", f"This session is at station {number} already.")


def _new_seat(session: Session) -> str:
    token = new_token()
    session.seat_hash = hashed(token)
    session.save(update_fields=["seat_hash"])
    return token


def _end_if_over(number: int) -> None:
    """End the session at a station whose time is over, before the sweep does."""
    if (session := session_at(number)) is not None:
        end_session_if_over(session, now())


def _lock(number: int) -> Station | None:
    return Station.objects.select_for_update().filter(number=number).first()
