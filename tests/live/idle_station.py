"""An idle station without a browser: the socket of its page (docs/stations.md)."""

import asyncio
import json
from types import TracebackType
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.live.seeder import PATIENCE_SECONDS


class IdleStation:
    """One connection of the page of the station whose cookie this is."""

    def __init__(self, port: int, cookie: str) -> None:
        self._port = port
        self._cookie = cookie

    async def __aenter__(self) -> Self:
        self._socket: ClientConnection = await connect(
            f"ws://127.0.0.1:{self._port}/ws/station/",
            origin=f"http://127.0.0.1:{self._port}",  # type: ignore[arg-type]
            additional_headers={"Cookie": f"station={self._cookie}"},
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._socket.close()

    async def hear(self) -> str:
        """The type of the next message."""
        return str(json.loads(await asyncio.wait_for(self._socket.recv(), PATIENCE_SECONDS))["type"])

    async def say(self, text: str) -> None:
        await self._socket.send(text)

    async def hear_close(self) -> int:
        """The code with which the server closes."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006
