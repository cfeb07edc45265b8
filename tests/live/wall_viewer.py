"""A viewer of the wall without a browser: speaks docs/wall.md over a real WebSocket."""

import asyncio
import json
from base64 import b64decode
from collections.abc import Collection
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from engine.play.frames import Frame, decode
from tests.live.seeder import PATIENCE_SECONDS
from tests.live.station import same
from tests.live.visitor import Visitor


@dataclass
class WallViewer:
    """One connection. `tiles` are by key, `boards` their frames.

    It has every session in view, or only those in `sees` if that is given.
    `sent_at` has the server's time of each message in seconds, to the millisecond.
    """

    port: int
    staff: Visitor | None
    origin: str | None = None
    confirms: bool = True
    sees: Collection[int] | None = None
    in_view: list[int] = field(default_factory=list)
    tiles: dict[str, dict[str, Any]] = field(default_factory=dict)
    boards: dict[str, Frame | None] = field(default_factory=dict)
    sent_at: list[float] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    bytes_heard: int = 0

    async def __aenter__(self) -> Self:
        cookie = self.staff.cookie("sessionid") if self.staff else ""
        self.socket: ClientConnection = await connect(
            f"ws://127.0.0.1:{self.port}/ws/wall/",
            origin=self.origin or f"http://127.0.0.1:{self.port}",  # type: ignore[arg-type]
            additional_headers={"Cookie": f"sessionid={cookie}"},
            max_size=None,
            compression=None,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.socket.close()

    async def hear(self) -> dict[str, Any]:
        """Receive the next message, and bring the tiles up to date with it."""
        text = await asyncio.wait_for(self.socket.recv(), PATIENCE_SECONDS)
        self.bytes_heard += len(text)
        message: dict[str, Any] = json.loads(text)
        self.kinds.append(message["type"])
        self.sent_at.append(message["at"] / 1000)
        self._merge(message)
        if self.confirms:
            await self.confirm(message["number"])
        await self._send_view(anew=message["type"] == "all")
        return message

    async def _send_view(self, *, anew: bool) -> None:
        """Say what is in view, as the page does."""
        sessions = sorted(tile["session"] for tile in self.tiles.values() if tile["session"] is not None)
        seen = [pk for pk in sessions if self.sees is None or pk in self.sees]
        if anew or seen != self.in_view:
            self.in_view = seen
            await self.socket.send(json.dumps({"type": "view", "sessions": seen}))

    async def confirm(self, number: int) -> None:
        await self.socket.send(json.dumps({"type": "drawn", "number": number}))

    async def hear_for(self, seconds: float) -> None:
        """Receive whatever comes for so long."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    await self.hear()
        except TimeoutError:
            pass

    async def until(self, session: int, **facts: Any) -> dict[str, Any]:
        """Receive until the tile of a session has these facts."""
        while not self.has(session, **facts):
            await self.hear()
        return self.tiles[f"session-{session}"]

    async def until_board(self, session: int, frame: Frame | None) -> None:
        """Receive until the board of a session is this frame."""
        while not same(self.boards.get(f"session-{session}"), frame):
            await self.hear()

    async def hear_close(self) -> int:
        """Receive until the server closes, and return the close code."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    def has(self, session: int, **facts: Any) -> bool:
        tile = self.tiles.get(f"session-{session}")
        return tile is not None and all(tile.get(name) == value for name, value in facts.items())

    def _merge(self, message: dict[str, Any]) -> None:
        if message["type"] == "all":
            for key in self.tiles.keys() - {news["key"] for news in message["tiles"]}:
                del self.tiles[key]
                self.boards.pop(key, None)
        for key in message.get("gone", ()):
            self.tiles.pop(key, None)
            self.boards.pop(key, None)
        for news in message["tiles"]:
            key = news.pop("key")
            if "board" in news:
                board = news.pop("board")
                self.boards[key] = decode(b64decode(board), self.boards.get(key))[-1] if board else None
            self.tiles.setdefault(key, {}).update(news)
