"""A bad network between browser and server: it cuts, delays, loses, repeats and reorders messages.

It speaks WebSocket on both sides. Copies and changes of order are made of what the browser sends, above all
copies that arrive after later messages. What the server sends is delayed, and cut off in the midst. What is
lost is lost as when a cable is pulled: the connection seems to go on. Nothing more gets through on it in that
direction, because TCP delivers nothing after a gap; new connections are well once the network is.
"""

import asyncio
import contextlib
import random
from dataclasses import dataclass

from websockets.asyncio.client import connect
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.live.server import free_port


@dataclass
class Mischief:
    """Chances by message; `longest_delay` in seconds. `is_gone`: new connections are refused."""

    delay: float = 0.0
    longest_delay: float = 1.0
    copy: float = 0.0
    swap: float = 0.0
    cut: float = 0.0
    lose_up: float = 0.0
    lose_down: float = 0.0
    is_gone: bool = False


class Proxy:
    """Listens on `port` for one server."""

    def __init__(self, server_port: int, dice: random.Random) -> None:
        self.port = free_port()
        self.mischief = Mischief()
        self._open = set[ServerConnection]()
        self._server_port = server_port
        self._dice = dice
        self._listening: Server | None = None

    async def start(self) -> None:
        self._listening = await serve(
            self._handle, "127.0.0.1", self.port, compression=None, max_size=None, ping_interval=None
        )

    async def stop(self) -> None:
        if self._listening is not None:
            self._listening.close()
            await self._listening.wait_closed()

    async def _handle(self, browser: ServerConnection) -> None:
        assert browser.request is not None
        if self.mischief.is_gone:
            browser.transport.abort()
            return
        self._open.add(browser)
        try:
            upstream = connect(
                f"ws://127.0.0.1:{self._server_port}{browser.request.path}",
                origin=f"http://127.0.0.1:{self._server_port}",  # type: ignore[arg-type]
                additional_headers={"Cookie": browser.request.headers["Cookie"]},
                compression=None,
                max_size=None,
                ping_interval=None,
                close_timeout=1,
            )
            async with upstream as server:
                directions = (self._up(browser, server), self._down(server, browser))
                tasks = [asyncio.create_task(one) for one in directions]
                _, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in pending:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        except (OSError, WebSocketException, TimeoutError):
            browser.transport.abort()
        finally:
            self._open.discard(browser)

    async def cut_all(self) -> None:
        """Cuts all connections."""
        for browser in list(self._open):
            browser.transport.abort()

    async def _up(self, browser: Connection, server: Connection) -> None:
        late = set[asyncio.Task[None]]()
        has_gap = False
        with contextlib.suppress(ConnectionClosed):
            async for message in browser:
                await self._perhaps_delay()
                if self._chance("cut"):
                    self._cut(browser, server)
                    return
                has_gap = has_gap or self._chance("lose_up")
                if has_gap:
                    continue
                if self._chance("swap"):
                    late.add(asyncio.create_task(self._send_later(server, message)))
                    continue
                await server.send(message)
                if self._chance("copy"):
                    late.add(asyncio.create_task(self._send_later(server, message)))

    async def _send_later(self, server: Connection, message: str | bytes) -> None:
        await asyncio.sleep(self._dice.random() * self.mischief.longest_delay)
        with contextlib.suppress(ConnectionClosed):
            await server.send(message)

    async def _down(self, server: Connection, browser: Connection) -> None:
        has_gap = False
        try:
            async for message in server:
                await self._perhaps_delay()
                if self._chance("cut"):
                    self._cut(browser, server)
                    return
                has_gap = has_gap or self._chance("lose_down")
                if not has_gap:
                    await browser.send(message)
        except ConnectionClosed:
            pass
        if server.close_code not in (None, 1006):
            await browser.close(server.close_code or 1000)

    def _chance(self, name: str) -> bool:
        return bool(self._dice.random() < getattr(self.mischief, name))

    async def _perhaps_delay(self) -> None:
        if self._chance("delay"):
            await asyncio.sleep(self._dice.random() * self.mischief.longest_delay)

    def _cut(self, browser: Connection, server: Connection) -> None:
        browser.transport.abort()
        server.transport.abort()
