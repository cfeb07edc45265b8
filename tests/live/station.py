"""A station without a browser: speaks docs/wire.md over a real WebSocket."""

import asyncio
import json
import struct
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import numpy as np
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from engine.play.frames import Frame, decode, inflated
from tests.live.seeder import PATIENCE_SECONDS

ACTION = struct.Struct("<BBHIBBBBHd")
TURN = struct.Struct("<BBHIBBBBH")


@dataclass(frozen=True)
class Turn:
    """A `turn` message, its frames decoded against what the station showed before."""

    flags: int
    attempt: int
    sequence: int
    level: int
    levels_completed: int
    state: int
    available: int
    frames: list[Frame]
    size: int

    @property
    def changed(self) -> bool:
        return bool(self.flags & 1)

    @property
    def level_completed(self) -> bool:
        return bool(self.flags & 2)

    @property
    def resync(self) -> bool:
        return bool(self.flags & 4)


@dataclass
class Station:
    """One connection; `heard` has every received message, texts as dicts.

    `seat` is the value of its `cookie`: for the page of an internal play, a member of staff's sign-in.
    """

    port: int
    seat: str
    origin: str | None = None
    address: str = "/ws/session/"
    cookie: str = "seat"
    heard: list[dict[str, Any] | Turn] = field(default_factory=list)
    frame: Frame | None = None
    sequence: int = -1
    attempt: int = 0

    async def __aenter__(self) -> Self:
        origin = self.origin or f"http://127.0.0.1:{self.port}"
        self.socket: ClientConnection = await connect(
            f"ws://127.0.0.1:{self.port}{self.address}",
            origin=origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": f"{self.cookie}={self.seat}"},
            max_size=None,
            compression=None,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.socket.close()

    async def hear(self) -> dict[str, Any] | Turn:
        """Receive the next message."""
        data = await asyncio.wait_for(self.socket.recv(), PATIENCE_SECONDS)
        message = self._turn(data) if isinstance(data, bytes) else json.loads(data)
        self.heard.append(message)
        return message

    async def hear_turn(self) -> Turn:
        """Receive the next turn; other messages are only added to `heard`."""
        while True:
            message = await self.hear()
            if isinstance(message, Turn):
                return message

    async def hear_text(self, kind: str) -> dict[str, Any]:
        """Receive the next text of this type; other messages are only added to `heard`."""
        while True:
            message = await self.hear()
            if isinstance(message, dict) and message["type"] == kind:
                return message

    async def hear_close(self) -> int:
        """Receive until the server closes, and return the close code."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    async def say(self, kind: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def begin(self) -> Turn:
        """Connect, press Next if the session is in a pause, and return the current frame."""
        status = await self.hear_text("session")
        return await (self.begin_next() if status["stage"] == "pause" else self.hear_turn())

    async def begin_next(self) -> Turn:
        """Press Next in the pause; the first frame of the next environment."""
        await self.say("next")
        assert (await self.hear_text("session"))["stage"] == "playing"
        return await self.hear_turn()

    async def act(self, action: int, x: int = 0, y: int = 0) -> Turn:
        """Send one action and receive its turn."""
        await self.send_action(action, x, y)
        return await self.hear_turn()

    async def send_action(
        self, action: int, x: int = 0, y: int = 0, *, sequence: int | None = None, attempt: int | None = None
    ) -> None:
        await self.socket.send(
            action_message(
                action,
                x,
                y,
                sequence=self.sequence + 1 if sequence is None else sequence,
                attempt=self.attempt if attempt is None else attempt,
            )
        )

    def _turn(self, data: bytes) -> Turn:
        kind, flags, attempt, sequence, level, completed, state, available, count = TURN.unpack_from(data)
        assert kind == 2
        payload = data[TURN.size :]
        frames = decode(inflated(payload) if flags & 8 else payload, self.frame)
        assert len(frames) == count
        self.frame, self.sequence, self.attempt = frames[-1], sequence, attempt
        return Turn(flags, attempt, sequence, level, completed, state, available, frames, len(data))


def action_message(
    action: int, x: int = 0, y: int = 0, *, sequence: int, attempt: int, input_kind: int = 1, paint: int = 16
) -> bytes:
    return ACTION.pack(1, input_kind, attempt, sequence, action, x, y, 0, paint, time.time() * 1000)


def same(one: Frame | None, other: Frame | None) -> bool:
    """Whether two frames are equal; None equals nothing."""
    return one is not None and other is not None and bool(np.array_equal(one, other))
