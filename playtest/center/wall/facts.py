"""What the database knows of every session in progress, read as often as a wall is refreshed."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Q, TextField
from django.db.models.functions import Cast, Coalesce

from playtest.center.stations.models import FIRST_OF_REHEARSALS, Station
from playtest.center.stations.queries import connected_stations
from playtest.play.models import Attempt, Event, EventKind, ProtocolVersion, Session, SessionEnd, Study
from playtest.play.sessions.adjustments import CLOCK_KINDS, adjustments_of_sessions
from playtest.play.sessions.reads import OPEN, PEOPLE, Stage, calls_since
from playtest.play.sessions.seats import is_served
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.attempt import Outcome
from playtest.rules.kinds import Kind
from playtest.rules.limits import Away, Limits

FINISHED_SHOWN = timedelta(minutes=2)
"""For so long a session that has ended stays on the wall."""
_OVERLAP = timedelta(seconds=10)
"""Events are read again for so long: transactions do not commit in the order of their rows' numbers."""
_COLUMNS = (
    "pk",
    "station",
    "study",
    "protocol",
    "participant__label",
    "consent",
    "survey",
    "tutorial_done_at",
    "checked_in_at",
    "ended_at",
)
_KINDS = (EventKind.PROCTOR_CALLED, EventKind.CALL_ANSWERED, *CLOCK_KINDS)


class OpenAttempt(NamedTuple):
    """The environment that is open in a session, known to the room by its code alone."""

    pk: int
    number: int
    code: str
    levels: int
    first_frame_at: datetime | None
    kind: Kind


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """One session as the database has it. `called_at`: since when it calls a proctor.

    `break_at` is when the break between environments began, and `fault`: the environment before it ended by
    a fault.
    """

    session: int
    station: int | None
    study: str
    rehearsal: bool
    participant: str
    stage: Stage
    checked_in_at: datetime
    ended_at: datetime | None
    limits: Limits
    away: Away
    attempt: OpenAttempt | None = None
    break_at: datetime | None = None
    fault: bool = False
    called_at: datetime | None = None
    adjustments: Adjustments = NO_ADJUSTMENTS


class _Study(NamedTuple):
    name: str
    rehearsal: bool


class FactsReader:
    """Reads the sessions in progress. Kept by a wall: what cannot change is read once."""

    def __init__(self) -> None:
        self._limits: dict[int, tuple[Limits, Away]] = {}
        self._events = _EventLog()
        self._versions: dict[int, _Version] = {}
        self._served: dict[int, _Study] = {}
        self._facts: dict[int, SessionFacts] = {}

    def read(self, moment: datetime) -> dict[int, SessionFacts]:
        """Every session that this process serves and that is in progress or has just ended.

        Only those are read whole that differ from the last time: most of a reading is to make values of rows.
        """
        versions = _versions(moment)
        studies = Study.objects.in_bulk({version.study for version in versions.values()})
        served = {pk: _Study(one.name, one.rehearsal) for pk, one in studies.items() if is_served(one)}
        versions = {pk: version for pk, version in versions.items() if version.study in served}
        changed = self._events.read(versions.keys(), moment)
        changed |= {pk for pk, version in versions.items() if self._versions.get(pk) != version}
        if served != self._served:  # a study has another name
            changed |= versions.keys()
        new = self._read_whole(changed, served) if changed else {}
        self._facts = {pk: facts for pk, facts in (self._facts | new).items() if pk in versions}
        self._versions, self._served = versions, served
        return self._facts

    def _read_whole(self, sessions: Collection[int], served: dict[int, _Study]) -> dict[int, SessionFacts]:
        rows = list(Session.objects.filter(pk__in=sessions).values(*_COLUMNS))
        self._read_limits({row["protocol"] for row in rows})
        attempts = _open_attempts(sessions)
        between = [row["pk"] for row in rows if row["tutorial_done_at"] and row["pk"] not in attempts]
        ended = _last_ends(between)
        return {
            row["pk"]: self._made(row, served[row["study"]], attempts.get(row["pk"]), ended) for row in rows
        }

    def _read_limits(self, versions: set[int]) -> None:
        for version in ProtocolVersion.objects.filter(pk__in=versions - self._limits.keys()):
            self._limits[version.pk] = version.value.limits, version.value.away

    def _made(
        self,
        row: dict[str, Any],
        study: _Study,
        attempt: OpenAttempt | None,
        ended: dict[int, tuple[datetime | None, bool]],
    ) -> SessionFacts:
        limits, away = self._limits[row["protocol"]]
        break_at, fault = ended.get(row["pk"], (row["tutorial_done_at"], False))
        return SessionFacts(
            session=row["pk"],
            station=row["station"],
            study=study.name,
            rehearsal=study.rehearsal,
            participant=row["participant__label"],
            stage=_stage(row, attempt),
            checked_in_at=row["checked_in_at"],
            ended_at=row["ended_at"],
            limits=limits,
            away=away,
            attempt=attempt,
            break_at=break_at if attempt is None else None,
            fault=fault and row["ended_at"] is None,
            called_at=self._events.calls.get(row["pk"]),
            adjustments=self._events.adjustments[row["pk"]],
        )


class _EventLog:
    """The calls and clocks of sessions in progress: read again only for sessions with new events."""

    def __init__(self) -> None:
        self.calls: dict[int, datetime] = {}
        self.adjustments: dict[int, Adjustments] = {}
        self._marks: list[tuple[datetime, int]] = []
        self._known: Collection[int] = ()

    def read(self, sessions: Collection[int], moment: datetime) -> set[int]:
        """Of which of these sessions something is read anew."""
        newest = Event.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        self._marks.append((moment, newest))
        while len(self._marks) > 1 and self._marks[1][0] <= moment - _OVERLAP:
            del self._marks[0]
        new = Event.objects.filter(pk__gt=self._marks[0][1], kind__in=_KINDS).values_list("pk", "session_id")
        found = dict(new)
        changed = {session for pk, session in found.items() if pk not in self._known} & {*sessions}
        changed |= {*sessions} - self.adjustments.keys()
        self._known = found.keys()
        if changed:
            self.calls = {pk: at for pk, at in self.calls.items() if pk not in changed} | calls_since(changed)
            self.adjustments |= dict.fromkeys(changed, NO_ADJUSTMENTS)
            self.adjustments |= adjustments_of_sessions(changed)
        for pk in self.adjustments.keys() - {*sessions}:
            del self.adjustments[pk]
            self.calls.pop(pk, None)
        return changed


class _Version(NamedTuple):
    """What changes whenever a session's facts do, but for its events. Times are texts, which cost less."""

    study: int
    row: tuple[Any, ...]
    attempt: tuple[Any, ...]


def _versions(moment: datetime) -> dict[int, _Version]:
    """The sessions that are in progress or have just ended; imported ones were never in the room."""
    shown = Q(ended_at=None) | Q(ended_at__gt=moment - FINISHED_SHOWN) & ~Q(end_reason=SessionEnd.IMPORTED)
    times = [Cast(name, TextField()) for name in ("tutorial_done_at", "checked_in_at", "ended_at")]
    rows = Session.objects.filter(shown, checked_in_at__isnull=False).values_list(
        "pk", "study", "station", "protocol", "consent", "survey", "end_reason", *times
    )
    open_attempts = Attempt.objects.filter(PEOPLE, OPEN, session__ended_at=None)
    attempts = {
        session: tuple(row)
        for session, *row in open_attempts.values_list("session", "pk", Cast("first_frame_at", TextField()))
    }
    return {pk: _Version(study, tuple(row), attempts.get(pk, ())) for pk, study, *row in rows}


def _open_attempts(sessions: Collection[int]) -> dict[int, OpenAttempt]:
    rows = Attempt.objects.filter(OPEN, session__in=sessions, session__ended_at=None).values_list(
        "session_id",
        "pk",
        "number",
        "environment__code",
        "version__levels",
        "first_frame_at",
        "environment__kind",
    )
    return {row[0]: OpenAttempt(*row[1:]) for row in rows}


def _last_ends(sessions: Collection[int]) -> dict[int, tuple[datetime | None, bool]]:
    """When the last attempt of each of these sessions ended or was set aside, and whether by a fault."""
    until = Coalesce("ended_at", "set_aside_at")
    rows = Attempt.objects.filter(session__in=sessions).annotate(until=until).exclude(until=None)
    return {
        session: (moment, outcome == Outcome.FAULT)
        for session, moment, outcome in rows.order_by("until").values_list("session_id", "until", "outcome")
    }


def _stage(row: dict[str, Any], attempt: OpenAttempt | None) -> Stage:
    """As `play.sessions.reads.stage`, from columns, but for a session that is overdue: the sweep ends it."""
    if row["ended_at"] is not None:
        return Stage.OVER
    if row["consent"] is None:
        return Stage.CONSENT
    if row["survey"] is None:
        return Stage.SURVEY
    if row["tutorial_done_at"] is None:
        return Stage.TUTORIAL
    return Stage.PLAYING if attempt else Stage.PAUSE


def disconnected_since(sessions: Collection[int]) -> dict[int, datetime]:
    """When the last connection of each of these sessions ended; sessions that never had one are absent."""
    ends = Event.objects.filter(session__in=sessions, kind=EventKind.DISCONNECTED).order_by("pk")
    return dict(ends.values_list("session_id", "server_time"))


type Idle = dict[int, dict[str, Any]]
"""What viewers are told of each station at which nobody is, by number."""


def places(facts: Iterable[SessionFacts], moment: datetime) -> tuple[dict[int, str], Idle]:
    """The room of every station, and the stations without a session.

    Stations of rehearsals are shown only with somebody at them. `moment` is the machine's time.
    """
    taken = {one.station for one in facts if one.ended_at is None}
    rooms: dict[int, str] = {}
    idle: Idle = {}
    ready = connected_stations(moment)
    stations = Station.objects.filter(retired_at=None)  # plain rows: this is read twice a second
    for number, room, token_hash in stations.values_list("number", "room", "token_hash"):
        rooms[number] = room
        if number not in taken and number < FIRST_OF_REHEARSALS and token_hash:
            stage = "ready" if number in ready else "offline"
            idle[number] = {"session": None, "station": number, "room": room, "stage": stage}
    return rooms, idle
