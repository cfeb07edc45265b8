"""Every end of a connection is logged, silent ones are closed, and nobody is kept out by others."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack, suppress

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from playtest.arena.api.http import SOCKET_PATH
from playtest.play.page.wire import CloseCode
from playtest.serve.connection_limits import (
    SOCKETS_OF_A_KEY,
    SOCKETS_OF_A_MEMBER_OF_STAFF,
    SOCKETS_OF_A_STATION,
)
from tests.live.arena import Arena
from tests.live.fixtures import MOST_WAITING
from tests.live.games import WALK
from tests.live.idle_station import IdleStation
from tests.live.seeder import PATIENCE_SECONDS
from tests.live.serve_impatient import SILENCE_SECONDS
from tests.live.server import Server
from tests.live.station import Station
from tests.live.test_idle_stations import cookies, is_ready, until_ready
from tests.live.wall_viewer import WallViewer
from tests.setup.test_health import execute

pytestmark = pytest.mark.once


async def test_an_action_that_fails_ends_its_connection_and_the_next_one_works(
    server: Server, port: int
) -> None:
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await station.act(2)
        execute(server, "ALTER TABLE play_entry RENAME TO elsewhere")
        await station.send_action(2, sequence=1)  # a repeated action is answered from the journal
        assert await station.hear_close() == 1011
    execute(server, "ALTER TABLE elsewhere RENAME TO play_entry")
    assert await kinds_in_time(server, person["session"]) == ["connected", "disconnected"]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        assert (await station.act(2)).sequence == 2


async def test_actions_that_come_before_an_answer_are_carried_out_in_order(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        for sequence in range(1, 9):
            await station.send_action(2, sequence=sequence)
            if sequence % 3 == 0:
                await asyncio.sleep(0.01)  # some come alone, some together
        assert [(await station.hear_turn()).sequence for _ in range(8)] == list(range(1, 9))
    assert await kinds_in_time(server, person["session"]) == ["connected", "disconnected"]


async def test_a_page_that_closes_without_a_code_is_logged_as_gone(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    before = server.log()
    async with Station(port, person["seat"]) as station:
        await station.begin()
        station.socket.transport.write(b"\x88\x80\x00\x00\x00\x00")  # a close frame without a code
        assert await kinds_in_time(server, person["session"]) == ["connected", "disconnected"]
    assert "Traceback" not in server.log().removeprefix(before)


async def kinds_in_time(server: Server, session: int) -> list[str]:
    """Waits for the end of the session's connection and returns the types of its events."""
    query = f"SELECT kind FROM play_event WHERE kind LIKE '%connected' AND session_id = {session} ORDER BY id"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        kinds = [kind for (kind,) in server.rows(query)]
        if kinds[-1:] == ["disconnected"] or time.monotonic() > deadline:
            return kinds
        await asyncio.sleep(0.1)


async def test_an_unknown_socket_address_is_refused_without_a_traceback(server: Server, port: int) -> None:
    before = server.log()
    for path in ("/ws/other/", "/ws/session/more/", "/"):
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://127.0.0.1:{port}{path}", origin=f"http://127.0.0.1:{port}")  # type: ignore[arg-type]
        assert refused.value.response.status_code == 403
    assert server.log() == before


async def test_a_page_of_another_port_scheme_or_name_cannot_connect(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    for origin in (
        f"http://127.0.0.1:{port + 1}",
        "http://127.0.0.1",
        f"https://127.0.0.1:{port}",
        f"http://localhost:{port}",
        "https://elsewhere.example",
        "null",
    ):
        with pytest.raises(InvalidStatus) as refused:
            async with Station(port, person["seat"], origin=origin):
                pass
        assert refused.value.response.status_code == 403, origin
    with pytest.raises(InvalidStatus) as refused:
        async with WallViewer(port, server.staff(port, "proctor"), origin="https://elsewhere.example"):
            pass
    assert refused.value.response.status_code == 403


async def test_a_trusted_origin_of_forms_can_connect(server: Server, port: int) -> None:
    """The server trusts `TRUSTED_ORIGINS` of tests/live/fixtures.py."""
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    for origin in ("https://center.example", "https://center.example:443", "https://one.test.example:8443"):
        async with Station(port, person["seat"], origin=origin) as station:
            await station.begin()
    for origin in ("https://one.test.example", "https://other.example"):
        with pytest.raises(InvalidStatus):
            async with Station(port, person["seat"], origin=origin):
                pass


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


async def test_a_machine_that_holds_silent_connections_locks_out_nobody(server: Server, port: int) -> None:
    """Neither other machines of the room, of which one is slow, nor others behind the same address."""
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    with ExitStack() as stack:
        slow = stack.enter_context(
            socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS, ("127.0.0.2", 0))
        )
        silent = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS))
            for _ in range(3 * MOST_WAITING)
        ]
        silent[-1].sendall(b"GET / HTTP/1.1\r\n")
        async with Station(port, person["seat"]) as station:
            await station.begin()
            for action in WALK[:3]:
                await station.act(action)
        closed = [is_closed(connection) for connection in silent]
        assert closed == sorted(closed, reverse=True), "the oldest are closed"
        assert closed.count(False) < MOST_WAITING
        slow.settimeout(PATIENCE_SECONDS)
        slow.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert slow.recv(12) == b"HTTP/1.1 200"


def test_a_hundred_connect_at_once_though_the_server_is_busy(server: Server, port: int) -> None:
    """As after a restart: what the system cannot queue for it would try again only after seconds."""
    process = server.processes[port]
    process.send_signal(signal.SIGSTOP)
    try:
        with ExitStack() as stack:
            for _ in range(100):
                stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS))
    finally:
        process.send_signal(signal.SIGCONT)


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


OPENING = """GET /ws/station/ HTTP/1.1\r
Host: 127.0.0.1:{port}\r
Origin: http://127.0.0.1:{port}\r
Cookie: station={cookie}\r
Upgrade: websocket\r
Connection: Upgrade\r
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
Sec-WebSocket-Version: 13\r
\r
"""


async def ping(station: IdleStation) -> None:
    await station.say('{"type": "ping"}')
    assert await station.hear() == "pong"
    await asyncio.sleep(0.1)


async def test_a_silent_page_is_closed_and_one_that_pings_stays(make_server: Callable[..., Server]) -> None:
    impatient = make_server()
    port = impatient.start("tests.live.serve_impatient")
    silent, lively = cookies(impatient, 7301, 7302)
    with socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS) as raw:
        # From here on nothing is sent: no ping, and no pong to a ping of the server.
        raw.sendall(OPENING.format(port=port, cookie=silent).encode())
        began = time.monotonic()
        async with IdleStation(port, lively) as station:
            assert await station.hear() == "ready"
            seen = asyncio.create_task(asyncio.to_thread(until_ready, impatient, 7301))
            while not seen.done():
                await ping(station)
            await seen
            closed = asyncio.create_task(asyncio.to_thread(until_ready, impatient, 7301, False))
            while not closed.done() or time.monotonic() < began + 1.5 * SILENCE_SECONDS:
                await ping(station)
            await closed
            await ping(station)  # still open, long after the other was closed
            assert is_ready(impatient, 7302)
        received = b""
        while b"\x88" not in received:  # the frame that closes
            part = raw.recv(4096)
            assert part, "the server closes by a frame first"
            received += part
        assert b'{"type": "ready"}' in received
