"""Every end of a connection is logged, and unknown sockets are refused."""

import asyncio
import time

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import Server
from tests.live.station import Station
from tests.setup.test_health import execute

pytestmark = pytest.mark.once


async def test_a_failed_connection_is_logged_as_ended_and_the_next_one_works(
    server: Server, port: int
) -> None:
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        execute(server, "ALTER TABLE play_study RENAME TO elsewhere")
        await station.say("resync")
        assert await station.hear_close() == 1011
    execute(server, "ALTER TABLE elsewhere RENAME TO play_study")
    assert await kinds_in_time(server, person["session"]) == ["connected", "disconnected"]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        assert (await station.act(2)).sequence == 1


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
