"""One simulated person's sitting: by the pages to the board, from environment to environment, to the end."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal

from websockets.exceptions import ConnectionClosed

from playtest.play.services.remaining import STUDY_FULL
from playtest.rehearsal.errors import RehearsalFailed
from playtest.rehearsal.pages import Browser, Page
from playtest.rehearsal.people import (
    Answer,
    Doing,
    Leave,
    Look,
    Person,
    Press,
    Scene,
    Step,
    WalkOut,
    Ways,
)
from playtest.rehearsal.people.cast import play
from playtest.rehearsal.people.doing import UNDO, Play
from playtest.rehearsal.scheduler import Scheduler, actor
from playtest.rehearsal.socket import Connection
from playtest.rules.survey import QUESTIONS

_STATES: tuple[Literal["NOT_FINISHED", "WIN", "GAME_OVER"], ...] = ("NOT_FINISHED", "WIN", "GAME_OVER")
_PAGE_SECONDS = 1.0
"""How far the time may run while a page is fetched,"""
_ACTION_SHARE, _ACTION_SECONDS = 0.6, 3.0
"""and while an action is answered: this share of the pause before it, and no more than that."""
_LIMIT_PATIENCE_SECONDS = 10.0
_LOST_CONNECTIONS = 1 / 600
"""How many actions are followed by one."""
_THANKS = "/sitting/thanks/"
_TRIES, _TRY_AGAIN_SECONDS = 40, 5.0


@dataclass(frozen=True)
class Seat:
    """Who sits where: a person, the code they were given, and the cookie of their station."""

    person: Person
    session: int
    code: str
    station: str


class Sitting:
    """`ways_of` tells the ways of a session's attempt, by its number."""

    def __init__(
        self, seat: Seat, root: str, scheduler: Scheduler, ways_of: Callable[[int, int], Awaitable[Ways]]
    ) -> None:
        self._seat = seat
        self._scheduler = scheduler
        self._browser = Browser(root, seat.station)
        self._ways_of = ways_of
        self._chance = seat.person.chance("sitting")
        self._paint: int | None = None

    async def run(self, begins: float) -> bool:
        """The whole sitting, from `begins` on; whether there was anything to play. Raises RehearsalFailed."""
        with actor(self._scheduler) as self._actor:
            self._moment = begins
            await self._wait(self._chance.uniform(0, 90))
            if not await self._come_in():
                return False
            self._connection = Connection(self._browser.root, self._browser.cookie("seat"))
            await self._patiently(self._connection.open())
            try:
                while await self._play_one():
                    await self._pause()
            finally:
                await self._connection.close()
            if self._connection.stage == "over":
                self._on(await self._patiently(self._browser.get("/sitting/")), _THANKS)
            return True

    # Before play

    async def _come_in(self) -> bool:
        """Code, consent, survey, tutorial; whether play begins, or everything had its people by then."""
        browser, chance = self._browser, self._chance
        self._on(await self._patiently(browser.get("/")), "/")
        await self._wait(chance.uniform(5, 20))
        page = await self._patiently(self._enter_code())
        if page.status == HTTPStatus.CONFLICT and f'data-code="{STUDY_FULL}"' in page.text:
            return False
        self._on(page, "/sitting/consent/")
        await self._wait(chance.uniform(15, 70))
        page = await self._patiently(browser.post("/sitting/consent/", answer="agree"))
        self._on(page, "/sitting/survey/")
        await self._wait(chance.uniform(20, 60))
        page = await self._patiently(browser.post("/sitting/survey/", **self._answers()))
        self._on(page, "/sitting/tutorial/")
        await self._wait(chance.uniform(15, 50))
        page = await self._patiently(browser.post("/sitting/tutorial/"))
        if page.path == _THANKS:
            return False
        self._on(page, "/sitting/play/")
        return True

    async def _enter_code(self) -> Page:
        """Again when too many try at once: a real minute has to pass, whatever the rehearsal's clock says."""
        for _ in range(_TRIES):
            page = await self._browser.post("/", code=self._seat.code)
            if page.status != HTTPStatus.TOO_MANY_REQUESTS:
                return page
            await asyncio.sleep(_TRY_AGAIN_SECONDS)
        raise RehearsalFailed("The server takes no more codes.")

    def _answers(self) -> dict[str, str]:
        """One in four answers nothing, the others leave out a question here and there."""
        if self._chance.random() < 0.25:
            return {}
        return {
            question.name: self._chance.choice(question.choices)[0]
            for question in QUESTIONS
            if self._chance.random() < 0.9
        }

    # Play

    async def _play_one(self) -> bool:
        """The open environment to its end; whether the person is still there and play goes on."""
        connection = self._connection
        if connection.stage != "playing":
            return connection.stage == "pause"
        number = connection.sitting["attempt"]["number"]
        self._began = self._scheduler.now() - connection.sitting["attempt"]["elapsed_seconds"]
        self._paint = None
        ways = await self._ways_of(self._seat.session, number)
        watch = asyncio.create_task(self._watch_limits(number))
        steps = play(self._seat.person, self._scene(), ways)
        try:
            step = next(steps, None)
            while step is not None:
                await self._wait(step.pause)
                if connection.over.is_set() or isinstance(step.do, WalkOut):
                    break
                await self._do(step.do, number, step.pause)
                await self._perhaps_lose_connection()
                if connection.over.is_set():
                    break
                step = _sent(steps, self._scene())
        finally:
            watch.cancel()
        return connection.stage == "pause"

    async def _do(self, do: Doing, number: int, pause: float) -> None:
        connection = self._connection
        match do:
            case Press():
                await self._press(do, pause)
            case Look():
                await connection.say("observed", event=do.event)
            case Leave():
                await self._patiently(connection.ask("give_up", attempt=number))
            case Answer():
                connection.prompted.clear()
                if do.answer == "finish":
                    await self._patiently(connection.ask("prompt_answered", attempt=number, answer=do.answer))
                else:
                    await connection.say("prompt_answered", attempt=number, answer=do.answer)

    async def _press(self, press: Press, pause: float) -> None:
        before = self._connection.turn
        self._actor.busy(min(_ACTION_SECONDS, _ACTION_SHARE * pause))
        heard = await self._connection.act(press, client_time=self._scheduler.now(), paint=self._paint)
        self._actor.busy(0)
        turn = self._connection.turn
        assert turn is not None
        if heard == "error" or turn is before:
            return
        self._paint = self._chance.randint(14, 46)
        if _STATES[turn.state] == "WIN":
            await self._patiently(self._connection.hear("sitting"))
        elif turn.frame_count > 1:
            await self._wait((turn.frame_count - 1) / self._frames_per_second())

    async def _pause(self) -> None:
        """Between two environments."""
        await self._wait(self._chance.uniform(4, 30))
        if self._connection.stage == "pause":
            await self._patiently(self._connection.ask("next"))

    async def _perhaps_lose_connection(self) -> None:
        if self._chance.random() >= _LOST_CONNECTIONS:
            return
        await self._connection.close()
        await self._wait(self._chance.uniform(1, 8))
        await self._patiently(self._connection.open())
        self._paint = None

    async def _watch_limits(self, number: int) -> None:
        """The page shows the bar when the soft limit asks; the time waits for the server to act on limits."""
        connection = self._connection
        attempt = connection.sitting["attempt"]
        session_ends = self._scheduler.now() + connection.sitting["session_seconds_left"]
        asks = self._began + attempt["soft_limit_seconds"]
        with actor(self._scheduler) as watching, suppress(TimeoutError, ConnectionClosed):
            if asks < session_ends:
                await watching.sleep_until(asks)
                await _arrives(connection.prompted)
                await connection.say("prompt_shown", attempt=number)
            await watching.sleep_until(min(self._began + attempt["hard_limit_seconds"], session_ends))
            await _arrives(connection.over)

    # What they see

    def _scene(self) -> Scene:
        turn, sitting = self._connection.turn, self._connection.sitting
        assert turn is not None
        return Scene(
            level=turn.level,
            levels=sitting["attempt"]["levels"] if sitting["attempt"] else turn.level,
            available=tuple(action for action in range(1, UNDO + 1) if turn.available >> action & 1),
            state=_STATES[turn.state],
            changed=turn.changed,
            seconds=self._scheduler.now() - self._began,
            prompted=self._connection.prompted.is_set(),
        )

    def _frames_per_second(self) -> float:
        attempt = self._connection.sitting["attempt"]
        return float(attempt["frames_per_second"]) if attempt else 1.0

    # Time

    async def _wait(self, seconds: float) -> None:
        """A pause from what they did last; how long that took to be answered is a part of it."""
        soonest = self._scheduler.now() + (1 - _ACTION_SHARE) * seconds
        self._moment = max(self._moment + seconds, soonest)
        await self._actor.sleep_until(self._moment)

    async def _patiently[Answered](self, waiting: Awaitable[Answered]) -> Answered:
        self._actor.busy(_PAGE_SECONDS)
        try:
            return await waiting
        finally:
            self._actor.busy(0)

    def _on(self, page: Page, path: str) -> None:
        if (page.status, page.path) != (200, path):
            raise RehearsalFailed(f"Expected {path}, but came to {page.path} ({page.status}).")


def _sent(steps: Play, scene: Scene) -> Step | None:
    """What they do next; None when they are done."""
    try:
        return steps.send(scene)
    except StopIteration:
        return None


async def _arrives(event: asyncio.Event) -> None:
    async with asyncio.timeout(_LIMIT_PATIENCE_SECONDS):
        await event.wait()
