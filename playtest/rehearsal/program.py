"""A whole rehearsal: groups of people, one group after another, each as large as there are stations."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import batched
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.exceptions import WebSocketException

from playtest.play.clock import now
from playtest.play.models import Attempt, Study
from playtest.rehearsal.browser import RehearsalFailed
from playtest.rehearsal.clock import VirtualClock, virtual_time
from playtest.rehearsal.people.person import Person
from playtest.rehearsal.people.population import Group, population
from playtest.rehearsal.people.steps import Solutions
from playtest.rehearsal.people.task_worker import TaskSolutions
from playtest.rehearsal.scenes import recorded_solutions
from playtest.rehearsal.scheduler import MachineScheduler, Scheduler, VirtualScheduler
from playtest.rehearsal.server_process import check as check_server
from playtest.rehearsal.server_process import server
from playtest.rehearsal.services import Seat, check, end_abandoned, end_refused, give_back, seat
from playtest.rehearsal.session import SimulatedSession, SolutionsOf

_BETWEEN_GROUPS = timedelta(minutes=15)
_LATE_ARRIVALS = timedelta(minutes=5)

type Report = Callable[[int], None]
"""Called with the number of people who have finished."""


@dataclass(frozen=True)
class Program:
    """`people` from `seed` play in groups of `stations`. `speed` (1 or more) limits virtual time.

    They are a mix, or all of one `group`.
    """

    study: Study
    people: int
    stations: int
    seed: int
    speed: float | None = None
    group: Group | None = None

    @property
    def groups(self) -> list[tuple[Person, ...]]:
        """The people who play at the same time."""
        people = population(self.people, self.seed)
        if self.group is not None:
            people = [self.group.person(number, self.seed) for number in range(1, self.people + 1)]
        return list(batched(people, self.stations))

    @property
    def every(self) -> timedelta:
        """From the start of one group to the start of the next."""
        return timedelta(seconds=self.study.protocol.limits.session_seconds) + _BETWEEN_GROUPS


def rehearse(program: Program, report: Report) -> int:
    """Plays on its own server, in virtual time that ends before the present.

    Returns how many people found nothing left to play. No session is left open, whatever happens.
    Refusal: not_a_rehearsal, study_closed, study_full. Raises RehearsalFailed.
    """
    check(program.study)
    begin = now() - len(program.groups) * program.every
    with TemporaryDirectory(prefix="rehearsal-") as folder:
        path = Path(folder) / "clock"
        clock = VirtualClock.create(path, begin)
        with virtual_time(clock), server(path, Path(folder) / "log") as root:
            player = _Player(program.study, root, report)
            for number, people in enumerate(program.groups):
                clock.advance(begin + number * program.every)
                seats = seat(program.study, people)
                try:
                    player.play(people, seats, VirtualScheduler(clock, program.speed))
                finally:
                    clock.advance(begin + (number + 1) * program.every - _BETWEEN_GROUPS + _LATE_ARRIVALS)
                    end_abandoned(seats)
                    give_back(one.station for one in seats)
    return player.idle


def join(program: Program, root: str, report: Report) -> int:
    """Plays on a running server in real time. Result and errors as `rehearse`.

    That server ends the sessions of people who walk out, when their time is over.
    """
    check(program.study)
    check_server(root)
    player = _Player(program.study, root, report)
    for people in program.groups:
        seats = seat(program.study, people)
        try:
            player.play(people, seats, MachineScheduler())
        finally:
            give_back(one.station for one in seats)
    return player.idle


class _Player:
    """Plays one group after another; `idle` people so far found nothing left to play."""

    def __init__(self, study: Study, root: str, report: Report) -> None:
        self._study = study
        self._root = root
        self._report = report
        self._done = 0
        self.idle = 0
        self._solutions_of = solutions_of_pool(study)

    def play(self, people: Sequence[Person], seats: Sequence[Seat], scheduler: Scheduler) -> None:
        """Plays the sessions of a group; people without a session do not play."""
        without = len(people) - len(seats)
        if without:
            self.idle += without
            self._done += without
            self._report(self._done)
        if not seats:
            return
        asyncio.run(self._play(seats, scheduler))
        end_refused(seats)

    async def _play(self, seats: Sequence[Seat], scheduler: Scheduler) -> None:
        """Plays all sessions at the same time. An error in one ends the rehearsal."""
        begins = scheduler.now()
        try:
            async with asyncio.TaskGroup() as group:
                for seated in seats:
                    group.create_task(self._sit(seated, scheduler, begins))
        except* (RehearsalFailed, OSError, WebSocketException) as failures:
            raise RehearsalFailed(str(failures.exceptions[0])) from failures

    async def _sit(self, seated: Seat, scheduler: Scheduler, begins: float) -> None:
        played = await SimulatedSession(seated, self._root, scheduler, self._solutions_of).run(begins)
        self.idle += not played
        self._done += 1
        self._report(self._done)


def solutions_of_pool(study: Study) -> SolutionsOf:
    """What simulated people know of the version of an attempt, read now for all that the pool has."""
    pool = study.pool.filter(current__isnull=False).select_related("current__environment")
    known = {one.current.pk: recorded_solutions(one.current) for one in pool if one.current}

    async def solutions_of(session: int, number: int) -> Solutions | TaskSolutions:
        attempt = await Attempt.objects.select_related("environment").aget(session=session, number=number)
        return known.get(attempt.version_id) or Solutions(attempt.environment.code)

    return solutions_of
