"""One simulated person's session: check-in, pages, environments, end."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from playtest.play.sessions.quota import STUDY_FULL
from playtest.rehearsal.browser import (
    Browser,
    RehearsalFailed,
    SeatLost,
    TryAgain,
    debrief_answers,
    enter_code,
    expect,
    survey_answers,
)
from playtest.rehearsal.people.population import play, work_on
from playtest.rehearsal.people.steps import (
    Act,
    Answer,
    Editing,
    FocusChange,
    Leave,
    Press,
    Scene,
    SetAside,
    Solutions,
    WalkOut,
    after,
)
from playtest.rehearsal.people.task_worker import TaskScene, TaskSolutions
from playtest.rehearsal.scenes import STATES, scene_of, task_scene_of
from playtest.rehearsal.scheduler import Scheduler, actor
from playtest.rehearsal.services import Breakdown, Seat
from playtest.rehearsal.socket import Connection, watch_limits

_PAGE_SECONDS = 1.0
"""Virtual time may advance by so much while a page is loaded."""
_ACTION_SHARE, _ACTION_SECONDS = 0.6, 3.0
"""While an action is answered, it may advance by this share of the pause before, up to a maximum."""
_CONNECTIONS, _RECONNECT_SECONDS = 40, 0.5
_LOST_CONNECTIONS = 1 / 600
"""The share of actions after which the connection is lost."""
_CALLERS, _CALL_AFTER_ACTIONS = 0.4, 3
"""The share of people who call a proctor where somebody answers, and when they do."""
_THANKS, _DEBRIEF, _CALL = "/session/thanks/", "/session/debrief/", "/session/call/"

type SolutionsOf = Callable[[int, int], Awaitable[Solutions | TaskSolutions]]
"""Returns the solutions for an attempt, by session and number."""


class SimulatedSession:
    """`answer` answers a call of this session; without it nobody calls. `seen` is the last sequence that this
    person was shown, by the attempt's number.
    """

    def __init__(
        self,
        seat: Seat,
        root: str,
        scheduler: Scheduler,
        solutions_of: SolutionsOf,
        breakdown: Breakdown | None = None,
        answer: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        self._seat = seat
        self._scheduler = scheduler
        self._browser = Browser(root, seat.station)
        self._solutions_of = solutions_of
        self._chance = seat.person.chance("sitting")
        self._paint: int | None = None
        self._is_connected = False
        self.breakdown = breakdown
        self._answer = answer if seat.person.chance("calls").random() < _CALLERS else None
        self._actions = 0
        self.seen: dict[int, int] = {}
        self._returned_to: set[int] = set()

    async def run(self, begins: float) -> bool:
        """Plays the session from `begins` on; False if nothing was left to play. Raises RehearsalFailed."""
        with actor(self._scheduler) as self._actor:
            self._moment = begins
            await self._wait(self._chance.uniform(0, 90))
            if not await self._check_in():
                return False
            await self._connect()
            try:
                while await self._play_on():
                    pass
            finally:
                self._is_connected = False
                await self._connection.close()
            if self._connection.stage == "over":
                expect(await self._while_busy(self._browser.get("/session/")), _THANKS)
            return True

    async def _check_in(self) -> bool:
        """Code, consent, survey, tutorial; False if nothing is left to play."""
        browser, chance = self._browser, self._chance
        expect(await self._while_busy(browser.get("/")), "/")
        await self._wait(chance.uniform(5, 20))
        page = await self._while_busy(enter_code(browser, self._seat.code))
        if page.status == HTTPStatus.CONFLICT and f'data-code="{STUDY_FULL}"' in page.text:
            return False
        expect(page, "/session/consent/")
        await self._wait(chance.uniform(15, 70))
        page = await self._while_busy(browser.post("/session/consent/", answer="agree"))
        expect(page, "/session/survey/")
        await self._wait(chance.uniform(20, 60))
        page = await self._while_busy(browser.post("/session/survey/", **survey_answers(chance)))
        expect(page, "/session/tutorial/")
        await self._wait(chance.uniform(15, 50))
        page = await self._while_busy(browser.post("/session/tutorial/"))
        if page.path == "/session/tutorial/":  # a pool of both kinds has a second part
            page = await self._while_busy(browser.post("/session/tutorial/?part=task"))
        if page.path == _THANKS:
            return False
        expect(page, "/session/play/")
        return True

    async def _connect(self) -> None:
        """Connects, as often as the server asks to try again."""
        for _ in range(_CONNECTIONS):
            self._connection = Connection(self._browser.root, self._browser.cookie("seat"), seen=self.seen)
            try:
                await self._while_busy(self._connection.open())
            except TryAgain:
                await asyncio.sleep(_RECONNECT_SECONDS)
            else:
                self._is_connected = True
                return
        raise RehearsalFailed("The server asks again and again to connect later.")

    @property
    def pk(self) -> int:
        return self._seat.session

    @property
    def is_playing(self) -> bool:
        """Whether an environment is open on this person's page."""
        return self._is_connected and self._connection.stage == "playing"

    @property
    def is_paused(self) -> bool:
        return self._is_connected and not self._connection.running.is_set()

    async def _play_on(self) -> bool:
        """Plays the open environment and asks for the next, at another station if this one breaks.

        False if the session does not continue.
        """
        try:
            if not await self._play_one():
                return False
            await self._pause()
            return True
        except TryAgain:
            await self._connection.close()
            await self._connect()
            return True
        except SeatLost:
            if self.breakdown is None or not self.breakdown.happened.is_set():
                raise
        await self._connection.close()
        await self._change_station(await self.breakdown.station)
        return True

    async def _change_station(self, cookie: str) -> None:
        """Continues at another station. Raises RehearsalFailed if a move was lost or made twice."""
        before = dict(self.seen)
        self._browser = Browser(self._browser.root, cookie)
        expect(await self._while_busy(self._browser.get("/")), "/session/play/")
        await self._connect()
        if self.seen != before:
            raise RehearsalFailed(f"At the new station the last actions are {self.seen}, not {before}.")

    async def _play_one(self) -> bool:
        """Plays the open environment to its end; True if the session continues."""
        connection = self._connection
        if connection.stage != "playing":
            return connection.stage == "pause"
        number = connection.status["attempt"]["number"]
        await self._until_running()
        await connection.first_turn(number)
        if connection.over.is_set():
            return connection.stage == "pause"
        speed = self._scheduler.speed
        self._began = self._scheduler.now() - speed * connection.status["attempt"]["elapsed_seconds"]
        self._paint = None
        solutions = await self._solutions_of(self._seat.session, number)
        watch = asyncio.create_task(watch_limits(self._connection, self._scheduler, self._began, number))
        steps, scene = self._steps(solutions)
        try:
            step = next(steps, None)
            while step is not None:
                await self._wait(step.pause)
                await self._until_running()
                if connection.over.is_set() or isinstance(step.act, WalkOut):
                    break
                await self._perform(step.act, number, step.pause)
                await self._perhaps_call()
                await self._perhaps_lose_connection()
                await self._perhaps_break_down()
                if connection.over.is_set():
                    break
                step = after(steps, scene())
        finally:
            watch.cancel()
        return connection.stage == "pause"

    def _steps(self, solutions: Solutions | TaskSolutions) -> tuple[Any, Callable[[], Any]]:
        """What this person does, and what they see after each step."""
        if isinstance(solutions, TaskSolutions):
            return work_on(self._seat.person, self._task_scene(), solutions), self._task_scene
        return play(self._seat.person, self._scene(), solutions), self._scene

    def _scene(self) -> Scene:
        return scene_of(self._connection, self._scheduler.now() - self._began)

    def _task_scene(self) -> TaskScene:
        scene = task_scene_of(self._connection, self._scheduler.now() - self._began)
        may = scene.may_be_set_aside and self._connection.shown not in self._returned_to
        return replace(scene, may_be_set_aside=may)

    async def _perform(self, act: Act, number: int, pause: float) -> None:
        connection = self._connection
        match act:
            case Press():
                await self._press(act, pause)
            case Editing():
                await self._edit(act, pause)
            case FocusChange():
                await connection.send("observed", event=act.event)
            case Leave():
                await self._ask("give_up", attempt=number)
            case SetAside():
                await self._ask("set_aside", attempt=number)
            case Answer():
                connection.prompted.clear()
                if act.answer == "finish":
                    await self._ask("prompt_answered", attempt=number, answer=act.answer)
                else:
                    await connection.send("prompt_answered", attempt=number, answer=act.answer)

    async def _press(self, press: Press, pause: float) -> None:
        before = self._connection.turn
        self._actor.busy(min(_ACTION_SECONDS, _ACTION_SHARE * pause))
        time = self._scheduler.server_time()
        received = await self._connection.act(press, client_time=time, paint=self._paint)
        self._actions += 1
        self._actor.busy(0)
        turn = self._connection.turn
        assert turn is not None
        if received == "error" or turn is before:
            return
        self._paint = self._chance.randint(14, 46)
        if STATES[turn.state] == "WIN":
            await self._while_busy(self._connection.receive("session"))
        elif turn.frame_count > 1:
            await self._wait((turn.frame_count - 1) / self._frames_per_second())

    async def _edit(self, editing: Editing, pause: float) -> None:
        self._actor.busy(min(_ACTION_SECONDS, _ACTION_SHARE * pause))
        time = self._scheduler.server_time()
        received = await self._connection.edit(
            editing.edit, editing.input, client_time=time, paint=self._paint
        )
        self._actions += 1
        self._actor.busy(0)
        if received == "edited":
            self._paint = self._chance.randint(8, 30)
            if self._connection.task["finished"]:
                await self._while_busy(self._connection.receive("session"))

    async def _pause(self) -> None:
        """Between two environments."""
        await self._wait(self._chance.uniform(4, 30))
        await self._until_running()
        await self._answer_debrief()
        if self._connection.stage == "pause":
            await self._go_on()

    async def _go_on(self) -> None:
        """Asks for the next environment; at the end, for each that was set aside once more."""
        connection = self._connection
        if not connection.status["only_aside"]:
            return await self._ask("next")
        aside = (one["attempt"] for one in connection.status["aside"])
        again = next((number for number in aside if number not in self._returned_to), None)
        if again is None:
            return await self._ask("finish")
        self._returned_to.add(again)
        return await self._ask("take_up", attempt=again)

    async def _answer_debrief(self) -> None:
        """Most people say how hard it was."""
        status = self._connection.status
        asked = status.get("debrief")
        if asked is None:
            return
        chance = self._seat.person.chance(f"debrief {asked['attempt']}")
        if (answers := debrief_answers(chance, status["previous"])) is not None:
            said = self._browser.post_json(_DEBRIEF, {"token": asked["token"], **answers})
            expect(await self._while_busy(said), _DEBRIEF)

    async def _ask(self, kind: str, **fields: Any) -> None:
        """Asks, and again after a pause by staff that came first."""
        await self._while_busy(self._connection.ask(kind, **fields))
        while self._connection.refused == "paused":
            await self._until_running()
            await self._while_busy(self._connection.ask(kind, **fields))

    async def _until_running(self) -> None:
        """Waits while staff have paused the session."""
        if not self._connection.running.is_set():
            await self._while_busy(self._connection.running.wait())

    async def _perhaps_lose_connection(self) -> None:
        if self._chance.random() >= _LOST_CONNECTIONS:
            return
        await self._connection.close()
        await self._wait(self._chance.uniform(1, 8))
        await self._while_busy(self._connection.open())
        self._paint = None

    async def _perhaps_call(self) -> None:
        """Calls a proctor once, and goes on when the call is answered."""
        if self._answer is None or self._actions < _CALL_AFTER_ACTIONS or self._connection.over.is_set():
            return
        answer, self._answer = self._answer, None
        expect(await self._while_busy(self._browser.post_json(_CALL, {})), _CALL)
        await self._while_busy(answer(self.pk))

    async def _perhaps_break_down(self) -> None:
        breakdown = self.breakdown
        if breakdown and self._actions >= breakdown.after_actions and not breakdown.happened.is_set():
            await self._connection.close()
            breakdown.happened.set()
            raise SeatLost("The station stopped working.")

    def _frames_per_second(self) -> float:
        attempt = self._connection.status["attempt"]
        return float(attempt["frames_per_second"]) if attempt else 1.0

    async def _wait(self, seconds: float) -> None:
        """Waits from the last action on; the time until its answer is part of the pause."""
        soonest = self._scheduler.now() + (1 - _ACTION_SHARE) * seconds
        self._moment = max(self._moment + seconds, soonest)
        await self._actor.sleep_until(self._moment)

    async def _while_busy[Answered](self, waiting: Awaitable[Answered]) -> Answered:
        self._actor.busy(_PAGE_SECONDS)
        try:
            return await waiting
        finally:
            self._actor.busy(0)
