"""The participant's socket from the browser's side (docs/wire.md), without drawing anything."""

import asyncio
import json
import struct
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from playtest.play.wire import ACTION_LAYOUT, TURN_LAYOUT, UNKNOWN_PAINT
from playtest.rehearsal.errors import RehearsalFailed
from playtest.rehearsal.people import Press

_ACTION, _TURN = struct.Struct(ACTION_LAYOUT), struct.Struct(TURN_LAYOUT)
_ACTION_KIND, _RESYNC = 1, 4
_PATIENCE_SECONDS = 60
_CLOSED = "closed"


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

    @property
    def resync(self) -> bool:
        return bool(self.flags & _RESYNC)


@dataclass
class Connection:
    """One connection. `sitting` and `turn` are the last ones heard; `over` is set when play has stopped."""

    root: str
    seat: str
    sitting: dict[str, Any] = field(default_factory=dict)
    turn: Turn | None = None
    prompted: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def stage(self) -> str:
        return str(self.sitting["stage"])

    async def open(self) -> None:
        """Connect and hear where the sitting stands."""
        self._heard: asyncio.Queue[str] = asyncio.Queue()
        scheme, _, host = self.root.partition("://")
        self._socket: ClientConnection = await connect(
            f"{'wss' if scheme == 'https' else 'ws'}://{host}/ws/sitting/",
            origin=Origin(self.root),
            additional_headers={"Cookie": f"seat={self.seat}"},
            compression=None,
            max_size=None,
            proxy=None,
        )
        self._reader = asyncio.create_task(self._read())
        await self._hear_standing()

    async def _hear_standing(self) -> None:
        await self.hear("sitting")
        if self.stage == "playing":
            await self.hear("turn")

    async def close(self) -> None:
        self._reader.cancel()
        await self._socket.close()

    async def say(self, kind: str, **fields: Any) -> None:
        await self._socket.send(json.dumps({"type": kind, **fields}))

    async def ask(self, kind: str, **fields: Any) -> None:
        """Send a text message and hear where the sitting then stands, and the frame to play on from."""
        self._forget()
        await self.say(kind, **fields)
        await self._hear_standing()

    async def act(self, press: Press, *, client_time: float, paint: int | None) -> str:
        """Send an action; what was heard of it: "turn", "sitting" (the attempt is over) or "error"."""
        assert self.turn is not None
        self._forget()
        paint_ms = UNKNOWN_PAINT if paint is None else paint
        sent_ms = int(client_time * 10_000) / 10  # browsers tell no more
        await self._socket.send(
            _ACTION.pack(
                _ACTION_KIND, press.input, self.turn.attempt, self.turn.sequence + 1, press.action,
                press.x, press.y, 0, paint_ms, sent_ms,
            )
        )  # fmt: skip
        return await self.hear("turn", "sitting", "error")

    async def hear(self, *kinds: str) -> str:
        """Wait for a message of one of these kinds; others on the way are noted. RehearsalFailed."""
        while True:
            try:
                kind = await asyncio.wait_for(self._heard.get(), _PATIENCE_SECONDS)
            except TimeoutError as error:
                raise RehearsalFailed(
                    f"The server did not answer for {_PATIENCE_SECONDS} seconds."
                ) from error
            if kind.startswith(_CLOSED):
                raise RehearsalFailed(f"The server {kind}.")
            if kind in kinds:
                return kind

    def _forget(self) -> None:
        while not self._heard.empty():
            if (kind := self._heard.get_nowait()).startswith(_CLOSED):
                raise RehearsalFailed(f"The server {kind}.")

    async def _read(self) -> None:
        try:
            async for data in self._socket:
                self._heard.put_nowait(self._note(data))
        except ConnectionClosed:
            pass
        self._heard.put_nowait(f"{_CLOSED} the connection ({self._socket.close_code})")

    def _note(self, data: str | bytes) -> str:
        if isinstance(data, bytes):
            _, *facts = _TURN.unpack_from(data)
            self.turn = Turn(*facts)
            return "turn"
        message = json.loads(data)
        kind = str(message["type"])
        if kind == "prompt":
            self.prompted.set()
        elif kind == "sitting":
            self._stands(message)
        return kind

    def _stands(self, sitting: dict[str, Any]) -> None:
        self.sitting = sitting
        if sitting["stage"] != "playing":
            self.over.set()
            return
        self.over.clear()
        if sitting["attempt"]["prompt"]:
            self.prompted.set()
        else:
            self.prompted.clear()
