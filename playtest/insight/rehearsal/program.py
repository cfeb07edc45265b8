"""A whole rehearsal: sitting after sitting, each with as many people as there are stations."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import batched
from pathlib import Path
from tempfile import TemporaryDirectory

from channels.db import database_sync_to_async

from playtest.insight.rehearsal.errors import RehearsalFailed
from playtest.insight.rehearsal.knowledge import ways
from playtest.insight.rehearsal.people import Ways, cast
from playtest.insight.rehearsal.server import server
from playtest.insight.rehearsal.sitting import Seat, Sitting
from playtest.insight.rehearsal.time import OwnTime, RealTime, Time
from playtest.insight.services.rehearsal import check, end_left, seat
from playtest.play.clock import Hand, now, rehearsal
from playtest.play.models import Attempt, Study

_BETWEEN_SITTINGS = timedelta(minutes=15)
_LATE_ARRIVALS = timedelta(minutes=5)

type Tell = Callable[[str], None]


@dataclass(frozen=True)
class Program:
    """Who plays. `stations` at once; `seed` makes the people; `speed` caps how fast an own time runs."""

    study: Study
    people: int
    stations: int
    seed: int
    speed: float | None = None

    @property
    def sittings(self) -> int:
        return -(-self.people // self.stations)

    @property
    def every(self) -> timedelta:
        """From the beginning of a sitting to that of the next."""
        return timedelta(seconds=self.study.session_seconds) + _BETWEEN_SITTINGS


def rehearse(program: Program, tell: Tell) -> None:
    """Play it on a server of its own, in a time of its own that ends before the present.

    Refusal: not_a_rehearsal, study_closed. Raises RehearsalFailed.
    """
    check(program.study)
    begin = now() - program.sittings * program.every
    with TemporaryDirectory(prefix="rehearsal-") as folder:
        hand = Hand.make(Path(folder) / "hand", begin)
        with rehearsal(hand), server(Path(folder) / "hand", Path(folder) / "log") as root:
            knowledge = _knowledge(program.study)
            for number, people in enumerate(batched(cast(program.people, program.seed), program.stations)):
                hand.move(begin + number * program.every)
                seats = seat(program.study, people)
                _sit(seats, root, OwnTime(hand, program.speed), knowledge, tell)
                hand.move(begin + (number + 1) * program.every - _BETWEEN_SITTINGS + _LATE_ARRIVALS)
                end_left(seats)


def join(program: Program, root: str, tell: Tell) -> None:
    """Play it on a running server, at people's own pace. Refusal and RehearsalFailed as `rehearse`."""
    check(program.study)
    knowledge = _knowledge(program.study)
    for people in batched(cast(program.people, program.seed), program.stations):
        _sit(seat(program.study, people), root, RealTime(), knowledge, tell)


def _knowledge(study: Study) -> dict[int, Ways]:
    """By the environment's current version."""
    pool = study.pool.filter(current__isnull=False).select_related("current__environment")
    return {environment.current.pk: ways(environment.current) for environment in pool if environment.current}


def _sit(seats: Sequence[Seat], root: str, time: Time, knowledge: dict[int, Ways], tell: Tell) -> None:
    asyncio.run(_play(seats, root, time, knowledge, tell))


async def _play(seats: Sequence[Seat], root: str, time: Time, knowledge: dict[int, Ways], tell: Tell) -> None:
    """Everyone at once. What goes wrong for one ends it for all: half a rehearsal is none."""

    async def ways_of(session: int, number: int) -> Ways:
        attempt = await database_sync_to_async(_attempt)(session, number)
        return knowledge.get(attempt.version_id) or Ways(attempt.environment.code)

    async def sit(seated: Seat) -> None:
        await Sitting(seated, root, time, ways_of).run(begins)
        tell(f"{seated.person.kind} {seated.person.number} is done")

    begins = time.now()
    try:
        async with asyncio.TaskGroup() as group:
            for seated in seats:
                group.create_task(sit(seated))
    except* (RehearsalFailed, OSError) as failures:
        raise RehearsalFailed(str(failures.exceptions[0])) from failures


def _attempt(session: int, number: int) -> Attempt:
    return Attempt.objects.select_related("environment").get(session=session, number=number)
