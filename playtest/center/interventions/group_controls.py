"""What the controls for many do: for everybody, for one room, or for one slot.

Each acts on every session of a group, and reports on all. A session that cannot be changed is named and does
not keep the others from it.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import DatabaseError, transaction
from django.db.models import QuerySet

from playtest.center.interventions.controls import (
    Done,
    Fields,
    asked_minutes,
    asked_text,
    asked_time,
    changes_of_time,
    refuse_after_another,
    standing_grant,
)
from playtest.center.interventions.sentences import minutes
from playtest.center.models import Slot, Station
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Event, Session, SessionEnd
from playtest.play.sessions.clocks import (
    Change,
    calling_off_end,
    change_all,
    granting,
    pausing,
    planning_end,
    resuming,
    taking_back,
)
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.locks import locked_sessions
from playtest.play.sessions.reads import OPEN


@dataclass(frozen=True)
class Group:
    """Whom a control for many is about; without a room and a slot, everybody.

    People of rehearsals are among them in a slot of theirs, and else if they are asked for.
    """

    room: str = ""
    slot: Slot | None = None
    rehearsals: bool = False

    def sessions(self) -> QuerySet[Session]:
        """The sessions under way: checked in and not ended, by number."""
        found = Session.objects.filter(checked_in_at__isnull=False, ended_at=None)
        if self.slot is not None:
            found = found.filter(booking__slot=self.slot)
        elif not self.rehearsals:
            found = found.filter(study__rehearsal=False)
        if self.room:
            found = found.filter(station__in=Station.objects.filter(room=self.room).values("number"))
        return found.select_related("study", "participant", "protocol").order_by("pk")

    @property
    def name(self) -> str:
        """Whom it is about, within a sentence."""
        place = f" in room {self.room}" if self.room else ""
        return f"everybody of this slot{place}" if self.slot is not None else f"everybody{place}"


@dataclass(frozen=True)
class Counts:
    """Sessions under way, how many of them have an open environment, and how many are paused."""

    under_way: int
    playing: int
    paused: int


def counts(group: Group) -> Counts:
    """How many sessions a control would be about, in one read."""
    found = group.sessions()
    playing = Attempt.objects.filter(OPEN, session__in=found).count()
    return Counts(found.count(), playing, found.filter(paused_at__isnull=False).count())


logger = logging.getLogger(__name__)
_TAKEN_BACK_WITHIN = timedelta(hours=1)


def _pause(group: Group, staff: Staff, fields: Fields) -> Done:
    return _changed(group, staff, pausing(asked_text(fields, "reason")), "paused", "paused before")


def _resume(group: Group, staff: Staff, fields: Fields) -> Done:
    return _changed(group, staff, resuming(), "resumed", "not paused")


def _grant(group: Group, staff: Staff, fields: Fields) -> Done:
    seconds, environment, session_too = asked_time(fields)
    reason = asked_text(fields, "reason")
    grant = granting(seconds, environment=environment, session_too=session_too, reason=reason)
    with transaction.atomic():
        keys = [session.pk for session in group.sessions()]
        locked_sessions(keys)
        refuse_after_another(keys, staff, seconds, fields)
        return _changed(group, staff, grant, f"given {minutes(seconds)}", "between environments")


def last_grant(group: Group) -> Event | None:
    """What was granted to many of these sessions last, within an hour and not taken back since."""
    last = standing_grant(changes_of_time(group.sessions(), _TAKEN_BACK_WITHIN))
    return last if last is not None and last.details.get("all") else None


def _take_back(group: Group, staff: Staff, fields: Fields) -> Done:
    granted = last_grant(group)
    if granted is None:
        raise Refusal("nothing_to_take_back", "No time that was granted to many is left to be taken back.")
    verb = f"given back {minutes(granted.details['seconds'])}"
    why = "left as they are: their time is used, or they had none"
    return _changed(group, staff, taking_back(granted.server_time), verb, why)


def _end_soon(group: Group, staff: Staff, fields: Fields) -> Done:
    number = asked_minutes(fields)
    verb, why = f"to end in {minutes(60 * number)}", "to end before that anyway"
    return _changed(group, staff, planning_end(number), verb, why)


def _go_on(group: Group, staff: Staff, fields: Fields) -> Done:
    return _changed(group, staff, calling_off_end(), "to go on to their limit", "without a planned end")


def _changed(group: Group, staff: Staff, change: Change, verb: str, why: str) -> Done:
    """What became of every session; `why` those stay as they are that have nothing to change."""
    done, unchanged = change_all(group.sessions(), staff, change)
    settled = [session.pk for session in (*done, *unchanged)]
    return _report(done, verb, unchanged, why, list(group.sessions().exclude(pk__in=settled)))


def _end(group: Group, staff: Staff, fields: Fields) -> Done:
    moment = now()
    ended: list[Session] = []
    over: list[Session] = []
    failed: list[Session] = []
    for session in group.sessions():
        try:
            with transaction.atomic():
                reason = SessionEnd.ENDED_BY_STAFF
                done = end_session(session, reason, at=moment, staff=staff, everybody=True)
            (ended if done else over).append(session)
        except (Refusal, DatabaseError):
            logger.exception("session %d could not be ended with the others", session.pk)
            failed.append(session)
    return _report(ended, "ended", over, "over before", failed)


type Sessions = Collection[Session]


def _report(
    done: Sessions, verb: str, unchanged: Sessions = (), why: str = "", failed: Sessions = ()
) -> Done:
    """What became of every session: "34 paused. 2 paused before. Failed: station 4 (P-7KQ2M)."."""
    if not (done or unchanged or failed):
        raise Refusal("nobody", "No session is under way here.")
    sentences = [f"{len(done)} {verb}."]
    if unchanged:
        sentences.append(f"{len(unchanged)} {'was' if len(unchanged) == 1 else 'were'} {why}.")
    if failed:
        sentences.append(f"Failed: {', '.join(map(_named, failed))}. Try again, or use their own controls.")
    return Done(" ".join(sentences))


def _named(session: Session) -> str:
    label = session.participant.label
    return label if session.station is None else f"station {session.station} ({label})"


GROUP_CONTROLS: Mapping[str, Callable[[Group, Staff, Fields], Done]] = {
    "pause": _pause,
    "resume": _resume,
    "grant": _grant,
    "take-back": _take_back,
    "end-soon": _end_soon,
    "go-on": _go_on,
    "end": _end,
}
"""Every control for many, by the last part of its address."""
