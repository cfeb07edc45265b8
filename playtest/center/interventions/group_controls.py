"""What the controls for many do: for everybody, for one room, or for one slot.

Each acts on every session of a group, and reports on all. A session that cannot be changed is named and does
not keep the others from it.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db import DatabaseError, transaction
from django.db.models import QuerySet

from playtest.center.interventions.controls import Done, Fields, asked_minutes, asked_text, asked_time
from playtest.center.interventions.sentences import minutes
from playtest.center.models import Slot, Station
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Session, SessionEnd
from playtest.play.sessions.clocks import announce_to_all, grant_to_all, pause_all, resume_all
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.reads import OPEN


@dataclass(frozen=True)
class Group:
    """Whom a control for many is about; without a room and a slot, everybody."""

    room: str = ""
    slot: Slot | None = None

    def sessions(self) -> QuerySet[Session]:
        """The sessions under way: checked in and not ended, by number."""
        found = Session.objects.filter(checked_in_at__isnull=False, ended_at=None)
        if self.slot is not None:
            found = found.filter(booking__slot=self.slot)
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


def _pause(group: Group, staff: Staff, fields: Fields) -> Done:
    paused = pause_all(group.sessions(), staff, asked_text(fields, "reason"))
    others = _others(group, paused)
    before = [session for session in others if session.paused_at is not None]
    return _report(paused, "paused", before, "paused before", _without(others, before))


def _resume(group: Group, staff: Staff, fields: Fields) -> Done:
    resumed = resume_all(group.sessions(), staff)
    others = _others(group, resumed)
    before = [session for session in others if session.paused_at is None]
    return _report(resumed, "resumed", before, "not paused", _without(others, before))


def _announce(group: Group, staff: Staff, fields: Fields) -> Done:
    number = asked_minutes(fields)
    told = announce_to_all(group.sessions(), staff, number)
    return _report(told, f"told “{minutes(60 * number)} left”", failed=_others(group, told))


def _grant(group: Group, staff: Staff, fields: Fields) -> Done:
    seconds, environment, session_too = asked_time(fields)
    reason = asked_text(fields, "reason")
    granted = grant_to_all(
        group.sessions(), staff, seconds, environment=environment, session_too=session_too, reason=reason
    )
    others = _others(group, granted)
    idle = [] if session_too else _without(others, _playing(others))
    return _report(granted, f"given {minutes(seconds)}", idle, "between environments", _without(others, idle))


def _end(group: Group, staff: Staff, fields: Fields) -> Done:
    moment = now()

    def end(session: Session) -> bool:
        return end_session(session, SessionEnd.ENDED_BY_STAFF, at=moment, staff=staff, everybody=True)

    ended, over, failed = _each(group.sessions(), end)
    return _report(ended, "ended", over, "over before", failed)


type Sessions = Collection[Session]


def _each(
    sessions: Iterable[Session], change: Callable[[Session], bool]
) -> tuple[Sessions, Sessions, Sessions]:
    """Changes each session: those that changed, those that had nothing to change, those that failed.

    Refusal of what was asked for, as opposed to a session, stops all.
    """
    changed: list[Session] = []
    unchanged: list[Session] = []
    failed: list[Session] = []
    for session in sessions:
        try:
            with transaction.atomic():
                (changed if change(session) else unchanged).append(session)
        except (Refusal, DatabaseError) as error:
            if isinstance(error, Refusal) and error.status == 400:
                raise
            logger.exception("session %d could not be changed with the others", session.pk)
            failed.append(session)
    return changed, unchanged, failed


def _others(group: Group, changed: Iterable[Session]) -> list[Session]:
    """Those of the group, as they are now, that are not among these."""
    return list(group.sessions().exclude(pk__in=[session.pk for session in changed]))


def _without(sessions: Iterable[Session], others: Collection[Session]) -> list[Session]:
    return [session for session in sessions if session not in others]


def _playing(sessions: Collection[Session]) -> list[Session]:
    """Those with an open environment."""
    open_now = Attempt.objects.filter(OPEN, session__in=[one.pk for one in sessions])
    keys = set(open_now.values_list("session", flat=True))
    return [session for session in sessions if session.pk in keys]


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
    "announce": _announce,
    "grant": _grant,
    "end": _end,
}
"""Every control for many, by the last part of its address."""
