"""One slot of a day: people arrive, play, and leave, while the proctor uses the controls."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta

from websockets.exceptions import WebSocketException

from playtest.rehearsal.browser import Browser, RehearsalFailed
from playtest.rehearsal.day.desk import Desk
from playtest.rehearsal.day.plan import Arrival, SlotPlan
from playtest.rehearsal.people.person import Kind
from playtest.rehearsal.scheduler import Scheduler
from playtest.rehearsal.services import Breakdown, Seat
from playtest.rehearsal.session import SimulatedSession, SolutionsOf

_BREAKS_AFTER_ACTIONS = 12
_PAUSE_AT, _PAUSE_LASTS = timedelta(minutes=12), timedelta(minutes=5)
_ENDS_AT = timedelta(minutes=60)
_LEAST_PAUSE_SECONDS = 1.0
_NOTICED_WITHIN_SECONDS, _CHECK_SECONDS = 20, 0.1
"""A page whose game is still being opened hears of the pause after that."""
_PAUSE_REASON = "Fire alarm"


@dataclass
class SlotPlay:
    """Plays one slot. `seen` and `problems` are what people saw, and what did not happen as it must."""

    root: str
    slot: int
    plan: SlotPlan
    stations: list[str]
    desk: Desk
    scheduler: Scheduler
    solutions_of: SolutionsOf
    seen: dict[tuple[int, int], int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    async def play(self, booked: list[Seat], walk_in: Callable[[Arrival], Awaitable[Seat]]) -> None:
        """Plays until everybody has left or has been sent home."""
        self._walk_in = walk_in
        self._begins = self.scheduler.now()
        self._sessions: dict[int, SimulatedSession] = {}
        sessions = {one.person.number: one for one in booked}
        seats = self._seats()
        async with asyncio.TaskGroup() as group:
            for arrival in self.plan.arrivals:
                if arrival.late is not None:
                    group.create_task(self._come(arrival, sessions.get(arrival.number), next(seats)))
            if self.plan.pauses:
                group.create_task(self._pause_everybody())
            if self.plan.is_ended:
                group.create_task(self._end_slot())
        if self.plan.is_cleared:
            await self.desk.control_slot(self.slot, "end")

    def _seats(self) -> Iterator[str]:
        """A station for each person who comes; the last one is the spare."""
        return iter(self.stations[:-1])

    async def _come(self, arrival: Arrival, booked: Seat | None, station: str) -> None:
        assert arrival.late is not None
        await asyncio.sleep(arrival.late.total_seconds() / self.scheduler.speed)
        found = booked or await self._walk_in(arrival)
        breakdown = self._breakdown(arrival, found)
        session = SimulatedSession(
            replace(found, station=station),
            self.root,
            self.scheduler,
            self.solutions_of,
            breakdown,
            self._answer,
        )
        self._sessions[found.session] = session
        moving = asyncio.create_task(self._move(found.session, breakdown)) if breakdown else None
        try:
            if not await session.run(self.scheduler.now()):
                self.problems.append(f"session {found.session}: nothing was left to play")
        except (RehearsalFailed, OSError, WebSocketException) as failure:
            self.problems.append(f"session {found.session}: {failure}")
        finally:
            if moving is not None:
                moving.cancel()
        if breakdown and not breakdown.happened.is_set():
            self.problems.append(f"session {found.session} ended before its station could break")
        self.seen |= {(found.session, number): last for number, last in session.seen.items()}
        await self._try_again(found)

    def _breakdown(self, arrival: Arrival, booked: Seat) -> Breakdown | None:
        """The first person on time who tries is the one whose station breaks."""
        tries = booked.person.kind == Kind.LEARNER and arrival.late == timedelta(0)
        if not (self.plan.breaks and tries) or any(one.breakdown for one in self._sessions.values()):
            return None
        return Breakdown(_BREAKS_AFTER_ACTIONS)

    async def _move(self, session: int, breakdown: Breakdown) -> None:
        """The proctor moves the person to the spare station."""
        await breakdown.happened.wait()
        spare = self.stations[-1]
        number, _, _ = spare.partition(".")
        try:
            await self.desk.control(session, "move", station=number, reason="The station does not respond.")
        except RehearsalFailed as failure:
            breakdown.station.set_exception(failure)
        else:
            breakdown.station.set_result(spare)

    async def _answer(self, session: int) -> None:
        """The proctor answers a call that every page of staff shows."""
        page = await self.desk.see("/staff/calls/?rehearsals=1")
        if f"/staff/sessions/{session}/" not in page.text:
            self.problems.append(f"session {session} calls, and no page of staff says so")
        await self.desk.control(session, "answer")

    async def _try_again(self, booked: Seat) -> None:
        """A code that was used is refused."""
        browser = Browser(self.root)
        await browser.get("/")
        page = await browser.post("/", code=booked.code)
        if 'data-code="code_used"' not in page.text and 'data-code="session_ended"' not in page.text:
            self.problems.append(f"session {booked.session}: its used code was answered with {page.status}")

    async def _pause_everybody(self) -> None:
        """A fire alarm in the middle of the slot: no action is recorded while it lasts."""
        speed = self.scheduler.speed
        await asyncio.sleep(_PAUSE_AT.total_seconds() / speed)
        playing = [one for one in self._sessions.values() if one.is_playing]
        await self.desk.control_slot(self.slot, "pause", reason=_PAUSE_REASON)
        for _ in range(int(_NOTICED_WITHIN_SECONDS / _CHECK_SECONDS)):
            if all(one.is_paused for one in playing if one.is_playing):
                break
            await asyncio.sleep(_CHECK_SECONDS)
        playing = [one for one in playing if one.is_playing]
        self.problems += [f"session {one.pk} was not paused" for one in playing if not one.is_paused]
        before = [dict(one.seen) for one in playing]
        await asyncio.sleep(max(_LEAST_PAUSE_SECONDS, _PAUSE_LASTS.total_seconds() / speed))
        for session, seen in zip(playing, before, strict=True):
            if session.seen != seen:
                self.problems.append(f"session {session.pk} was played while it was paused")
        await self.desk.control_slot(self.slot, "resume")

    async def _end_slot(self) -> None:
        """Before its time: says that five minutes are left, then sends everybody home."""
        speed = self.scheduler.speed
        await asyncio.sleep(_ENDS_AT.total_seconds() / speed)
        await self.desk.control_slot(self.slot, "end-soon", minutes="5")
        await asyncio.sleep(timedelta(minutes=5).total_seconds() / speed)
        await self.desk.control_slot(self.slot, "end")
