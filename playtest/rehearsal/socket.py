"""The browser's side of the participant's socket (docs/wire.md), without drawing."""

import asyncio
import json
import struct
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from playtest.play.page.wire import ACTION_LAYOUT, TURN_LAYOUT, UNKNOWN_PAINT, CloseCode
from playtest.rehearsal.browser import RehearsalFailed, SeatLost, TryAgain
from playtest.rehearsal.people.steps import Press
from playtest.rehearsal.scheduler import Scheduler, actor

_ACTION, _TURN = struct.Struct(ACTION_LAYOUT), struct.Struct(TURN_LAYOUT)
_ACTION_KIND = 1
_TIMEOUT_SECONDS = 60
_CLOSED = "closed"
_FAILURES: dict[int, type[RehearsalFailed]] = {CloseCode.NO_SEAT: SeatLost, CloseCode.TRY_AGAIN: TryAgain}


@dataclass(frozen=True, slots=True)
class Turn:
    """A `turn` message without its frames."""

    flags: int
    attempt: int
    sequence: int
    level: int
    levels_completed: int
    state: int
    available: int
    frame_count: int

    @property
    def changed(self) -> bool:
        return bool(self.flags & 1)


@dataclass
class Connection:
    """A connection. `session`, `turn` and `task` (a `task` or `edited` message) are the last ones received.

    `shown` is the number of the attempt that the last of these showed.

    `over` is set when play has ended, `running` while staff have not paused the session. `seen` is the last
    sequence that was shown, by the attempt's number. `refused` is the code of the refusal that answered the
    last message asked.
    """

    root: str
    seat: str
    status: dict[str, Any] = field(default_factory=dict)
    turn: Turn | None = None
    task: dict[str, Any] = field(default_factory=dict)
    shown: int = 0
    prompted: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    running: asyncio.Event = field(default_factory=asyncio.Event)
    seen: dict[int, int] = field(default_factory=dict)
    refused: str | None = None

    @property
    def stage(self) -> str:
        return str(self.status["stage"])

    async def open(self) -> None:
        """Connects and receives the session's stage."""
        self._received: asyncio.Queue[str] = asyncio.Queue()
        scheme, _, host = self.root.partition("://")
        self._socket: ClientConnection = await connect(
            f"{'wss' if scheme == 'https' else 'ws'}://{host}/ws/session/",
            origin=Origin(self.root),
            additional_headers={"Cookie": f"seat={self.seat}"},
            compression=None,
            max_size=None,
            proxy=None,
        )
        self._reader = asyncio.create_task(self._read())
        await self._receive_stage()

    async def _receive_stage(self, *others: str) -> None:
        self.refused = None
        received = await self.receive("session", *others)
        while received == "session" and self.stage == "playing" and self.running.is_set():
            received = await self.receive("turn", "task", "session")  # the attempt may end before its turn

    async def first_turn(self, attempt: int) -> None:
        """Waits for a turn of this attempt, which comes after a pause if the page was opened in one."""
        while not self.over.is_set() and self.shown != attempt:
            await self.receive("turn", "task", "session")

    async def close(self) -> None:
        self._reader.cancel()
        await self._socket.close()

    async def send(self, kind: str, **fields: Any) -> None:
        await self._socket.send(json.dumps({"type": kind, **fields}))

    async def ask(self, kind: str, **fields: Any) -> None:
        """Sends a text message and receives the session's new stage, and the frame while playing.

        An environment or the session may end, or be paused, before the message arrives: it is then refused.
        Raises RehearsalFailed for any other refusal.
        """
        self._discard()
        await self.send(kind, **fields)
        await self._receive_stage("error")
        if self.refused not in (None, "no_open_attempt", "wrong_attempt", "not_now", "paused"):
            raise RehearsalFailed(f"The server refused {kind}: {self.refused}.")

    async def act(self, press: Press, *, client_time: float, paint: int | None) -> str:
        """Sends an action; returns the answer's kind: "turn", "session" (the attempt is over) or "error"."""
        assert self.turn is not None
        self._discard()
        paint_ms = UNKNOWN_PAINT if paint is None else paint
        sent_ms = int(client_time * 10_000) / 10  # the resolution of browsers
        await self._socket.send(
            _ACTION.pack(
                _ACTION_KIND, press.input, self.turn.attempt, self.turn.sequence + 1, press.action,
                press.x, press.y, 0, paint_ms, sent_ms, UNKNOWN_PAINT, UNKNOWN_PAINT,
            )
        )  # fmt: skip
        return await self.receive("turn", "session", "error")

    async def edit(self, edit: dict[str, Any], how: int, *, client_time: float, paint: int | None) -> str:
        """Sends an edit of a task; returns the answer's kind: "edited", "session" or "error"."""
        self._discard()
        await self.send(
            "edit",
            attempt=self.shown,
            sequence=self.seen[self.shown] + 1,
            edit=edit,
            input=how,
            client_time=int(client_time * 10_000) / 10,
            previous_paint_ms=paint,
        )
        return await self.receive("edited", "session", "error")

    async def receive(self, *kinds: str) -> str:
        """Waits for a message of one of these kinds and stores others. Raises RehearsalFailed."""
        while True:
            try:
                kind = await asyncio.wait_for(self._received.get(), _TIMEOUT_SECONDS)
            except TimeoutError as error:
                raise RehearsalFailed(f"The server did not answer for {_TIMEOUT_SECONDS} seconds.") from error
            if kind.startswith(_CLOSED):
                raise self._closed(kind)
            if kind in kinds:
                return kind

    def _discard(self) -> None:
        while not self._received.empty():
            if (kind := self._received.get_nowait()).startswith(_CLOSED):
                raise self._closed(kind)

    def _closed(self, kind: str) -> RehearsalFailed:
        failure = _FAILURES.get(self._socket.close_code or 0, RehearsalFailed)
        return failure(f"The server {kind}.")

    async def _read(self) -> None:
        try:
            async for data in self._socket:
                self._received.put_nowait(self._store(data))
        except ConnectionClosed:
            pass
        self.running.set()  # nobody waits for a resumption that cannot be heard
        self._received.put_nowait(f"{_CLOSED} the connection ({self._socket.close_code})")

    def _store(self, data: str | bytes) -> str:
        if isinstance(data, bytes):
            _, *facts = _TURN.unpack_from(data)
            self.turn = Turn(*facts)
            self.shown = self.turn.attempt
            self.seen[self.turn.attempt] = self.turn.sequence
            return "turn"
        message = json.loads(data)
        kind = str(message["type"])
        if kind == "prompt":
            self.prompted.set()
        elif kind == "session":
            self._store_stage(message)
        elif kind in ("task", "edited"):
            self.task, self.shown = message["task"], message["attempt"]
            self.seen[self.shown] = message["sequence"]
        elif kind == "error":
            self.refused = str(message["code"])
        return kind

    def _store_stage(self, status: dict[str, Any]) -> None:
        self.status = status
        if status["paused"] and status["stage"] != "over":
            self.running.clear()
        else:
            self.running.set()
        if status["stage"] != "playing":
            self.over.set()
            return
        self.over.clear()
        if status["attempt"]["prompt"]:
            self.prompted.set()
        else:
            self.prompted.clear()


_LIMIT_TIMEOUT_SECONDS = 10.0


async def watch_limits(connection: Connection, scheduler: Scheduler, began: float, number: int) -> None:
    """Reports the soft limit's prompt as shown; virtual time waits for the server at each limit."""
    attempt = connection.status["attempt"]
    speed = scheduler.speed
    session_ends = scheduler.now() + speed * connection.status["session_seconds_left"]
    asks = began + speed * attempt["soft_limit_seconds"]
    with actor(scheduler) as watching, suppress(TimeoutError, ConnectionClosed):
        if asks < session_ends:
            await watching.sleep_until(asks)
            await _wait_for(connection.prompted)
            await connection.send("prompt_shown", attempt=number)
        await watching.sleep_until(min(began + speed * attempt["hard_limit_seconds"], session_ends))
        await _wait_for(connection.over)


async def _wait_for(event: asyncio.Event) -> None:
    async with asyncio.timeout(_LIMIT_TIMEOUT_SECONDS):
        await event.wait()
