"""A whole rehearsal: sitting after sitting, each with as many people as there are stations."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import batched
from pathlib import Path
from tempfile import TemporaryDirectory

from channels.db import database_sync_to_async
from websockets.exceptions import WebSocketException

from playtest.play.clock import now
from playtest.play.models import Attempt, Study
from playtest.rehearsal.clock import VirtualClock, virtual_time
from playtest.rehearsal.errors import RehearsalFailed
from playtest.rehearsal.knowledge import ways
from playtest.rehearsal.people import Person, Ways, cast
from playtest.rehearsal.scheduler import MachineScheduler, Scheduler, VirtualScheduler
from playtest.rehearsal.server import check as check_server
from playtest.rehearsal.server import server
from playtest.rehearsal.services import check, end_left, end_turned_away, seat
from playtest.rehearsal.sitting import Seat, Sitting

_BETWEEN_SITTINGS = timedelta(minutes=15)
_LATE_ARRIVALS = timedelta(minutes=5)

type Tell = Callable[[int], None]
"""Is told how many people are done."""


@dataclass(frozen=True)
class Program:
    """Who plays: `stations` at once. `seed` makes the people, `speed` (1 or more) caps virtual time."""

    study: Study
    people: int
    stations: int
    seed: int
    speed: float | None = None

    @property
    def sittings(self) -> list[tuple[Person, ...]]:
        """Who sits together."""
        return list(batched(cast(self.people, self.seed), self.stations))

    @property
    def every(self) -> timedelta:
        """From the beginning of a sitting to that of the next."""
        return timedelta(seconds=self.study.protocol.limits.session_seconds) + _BETWEEN_SITTINGS


def rehearse(program: Program, tell: Tell) -> int:
    """Play it on a server of its own, in virtual time that ends before the present.

    How many people found nothing left to play. Nobody's session is left open, whatever happens.
    Refusal: not_a_rehearsal, study_closed, study_full. Raises RehearsalFailed.
    """
    check(program.study)
    begin = now() - len(program.sittings) * program.every
    with TemporaryDirectory(prefix="rehearsal-") as folder:
        path = Path(folder) / "clock"
        clock = VirtualClock.create(path, begin)
        with virtual_time(clock), server(path, Path(folder) / "log") as root:
            room = _Room(program.study, root, tell)
            for number, people in enumerate(program.sittings):
                clock.advance(begin + number * program.every)
                seats = seat(program.study, people)
                try:
                    room.play(people, seats, VirtualScheduler(clock, program.speed))
                finally:
                    clock.advance(begin + (number + 1) * program.every - _BETWEEN_SITTINGS + _LATE_ARRIVALS)
                    end_left(seats)
    return room.idle


def join(program: Program, root: str, tell: Tell) -> int:
    """Play it on a running server, at people's own pace. Result, Refusal and RehearsalFailed as `rehearse`.

    The sessions of those who walk out are ended by that server, when their time is over.
    """
    check(program.study)
    check_server(root)
    room = _Room(program.study, root, tell)
    for people in program.sittings:
        room.play(people, seat(program.study, people), MachineScheduler())
    return room.idle


class _Room:
    """Where people sit down, sitting after sitting; `idle` of them so far found nothing left to play."""

    def __init__(self, study: Study, root: str, tell: Tell) -> None:
        self._study = study
        self._root = root
        self._tell = tell
        self._done = 0
        self.idle = 0
        pool = study.pool.filter(current__isnull=False).select_related("current__environment")
        self._ways = {one.current.pk: ways(one.current) for one in pool if one.current}

    def play(self, people: Sequence[Person], seats: Sequence[Seat], scheduler: Scheduler) -> None:
        """A sitting from its beginning to when the last one is done; who has no seat goes home at once."""
        if not seats:
            self.idle += len(people)
            self._done += len(people)
            self._tell(self._done)
            return
        asyncio.run(self._play(seats, scheduler))
        end_turned_away(seats)

    async def _play(self, seats: Sequence[Seat], scheduler: Scheduler) -> None:
        """Everyone at once. What goes wrong for one ends it for all: half a rehearsal is none."""
        begins = scheduler.now()
        try:
            async with asyncio.TaskGroup() as group:
                for seated in seats:
                    group.create_task(self._sit(seated, scheduler, begins))
        except* (RehearsalFailed, OSError, WebSocketException) as failures:
            raise RehearsalFailed(str(failures.exceptions[0])) from failures

    async def _sit(self, seated: Seat, scheduler: Scheduler, begins: float) -> None:
        played = await Sitting(seated, self._root, scheduler, self._ways_of).run(begins)
        self.idle += not played
        self._done += 1
        self._tell(self._done)

    async def _ways_of(self, session: int, number: int) -> Ways:
        attempt = await database_sync_to_async(_attempt)(session, number)
        return self._ways.get(attempt.version_id) or Ways(attempt.environment.code)


def _attempt(session: int, number: int) -> Attempt:
    return Attempt.objects.select_related("environment").get(session=session, number=number)
