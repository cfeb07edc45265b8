"""Connections that say nothing: they are closed, and keep nobody else out."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack, suppress

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from playtest.arena.api.http import SOCKET_PATH
from playtest.play.page.wire import CloseCode
from playtest.serve.connection_limits import (
    SOCKETS_OF_A_KEY,
    SOCKETS_OF_A_MEMBER_OF_STAFF,
    SOCKETS_OF_A_STATION,
)
from tests.live.arena import Arena
from tests.live.games import WALK
from tests.live.idle_station import IdleStation
from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import Server
from tests.live.station import Station
from tests.live.test_idle_stations import cookies

pytestmark = pytest.mark.once

MOST = 20
SILENT, TOO_MANY = int(CloseCode.SILENT), int(CloseCode.TOO_MANY_MESSAGES)


def is_closed(connection: socket.socket) -> bool:
    """Whether the other end has closed it by now."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


async def test_a_machine_that_holds_silent_connections_locks_out_nobody(
    make_server: Callable[..., Server],
) -> None:
    """Neither other machines of the room, of which one is slow, nor others behind the same address."""
    server = make_server(MOST_WAITING_CONNECTIONS=str(MOST))
    port = server.start()
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    with ExitStack() as stack:
        slow = stack.enter_context(
            socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS, ("127.0.0.2", 0))
        )
        silent = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS))
            for _ in range(3 * MOST)
        ]
        silent[-1].sendall(b"GET / HTTP/1.1\r\n")
        async with Station(port, person["seat"]) as station:
            await station.begin()
            for action in WALK[:3]:
                await station.act(action)
        closed = [is_closed(connection) for connection in silent]
        assert closed == sorted(closed, reverse=True), "the oldest are closed"
        assert closed.count(False) < MOST
        slow.settimeout(PATIENCE_SECONDS)
        slow.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert slow.recv(12) == b"HTTP/1.1 200"


async def closing_code(address: str, **headers: str) -> int | None:
    """With what a socket is closed on which nothing is ever sent, while its library answers pings."""
    origin = Origin("http" + address[2:].partition("/ws")[0].partition("/api")[0])
    async with connect(address, origin=origin, additional_headers=headers) as opened:
        try:
            while True:
                await asyncio.wait_for(opened.recv(), PATIENCE_SECONDS)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None


async def test_a_silent_socket_is_closed_though_its_network_answers(
    make_server: Callable[..., Server],
) -> None:
    server = make_server(SILENT_SECONDS="1")
    port = server.start()
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    key = server.seed(key=["public"], per_minute=600)["key"]
    root = f"ws://127.0.0.1:{port}"
    codes = await asyncio.gather(
        closing_code(f"{root}/ws/session/", Cookie=f"seat={person['seat']}"),
        closing_code(f"{root}{SOCKET_PATH}", **{"X-API-Key": key}),
    )
    assert set(codes) == {SILENT}


async def until_open(port: int, cookie: str) -> None:
    """Connects a station as often as that takes."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            with suppress(ConnectionClosed):
                async with IdleStation(port, cookie) as station:
                    assert await station.hear() == "ready"
                    return


@pytest.mark.long
async def test_an_owner_has_a_number_of_sockets(arena: Arena) -> None:
    """More of a station, a member of staff or a key are refused; those of others are not."""
    port, lead = arena.port, arena.server.staff(arena.port, "lead").cookie("sessionid")
    one, other = cookies(arena.server, 7401, 7402)
    key = str(arena.agent("public").session.headers["X-API-Key"])
    owners: dict[str, tuple[int, dict[str, str]]] = {
        "/ws/station/": (SOCKETS_OF_A_STATION, {"Cookie": f"station={one}"}),
        "/ws/wall/": (SOCKETS_OF_A_MEMBER_OF_STAFF, {"Cookie": f"sessionid={lead}"}),
        SOCKET_PATH: (SOCKETS_OF_A_KEY, {"X-API-Key": key}),
    }
    for path, (most, headers) in owners.items():
        address, origin = f"ws://127.0.0.1:{port}{path}", Origin(f"http://127.0.0.1:{port}")
        async with AsyncExitStack() as stack:
            for _ in range(most):
                opened = await stack.enter_async_context(
                    connect(address, origin=origin, additional_headers=headers)
                )
                if path == SOCKET_PATH:
                    await opened.send('{"id": 1, "method": "GET", "path": "/api/games"}')
                await asyncio.wait_for(opened.recv(), PATIENCE_SECONDS)
            assert await closing_code(address, **headers) == TOO_MANY
            await until_open(port, other)
    await until_open(port, one)
