"""Idle stations at a real server: they are ready, and a session can be moved to them."""

import asyncio
import time
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from playtest.rehearsal.browser import Browser
from tests.live.games import WALK
from tests.live.idle_station import IdleStation
from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import Server
from tests.live.station import Station, same
from tests.live.test_reload_and_restart import entries
from tests.live.visitor import Visitor

pytestmark = pytest.mark.once


def cookies(server: Server, *numbers: int) -> list[str]:
    """The cookies of the browsers of new stations."""
    found = server.seed(stations=numbers)["stations"]
    return [found[str(number)] for number in numbers]


def is_ready(server: Server, number: int) -> bool:
    rows = server.rows(
        "SELECT connected_at FROM center_stationpresence p JOIN center_station s ON s.id = p.station_id"
        f" WHERE s.number = {number}"
    )
    return bool(rows) and rows[0][0] is not None


def until_ready(server: Server, number: int, expected: bool = True) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while is_ready(server, number) != expected:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def move(proctor: Visitor, session: int, number: int) -> None:
    page = proctor.get(f"/staff/sessions/{session}/")
    assert page.status == 200
    answer = proctor.post(
        f"/staff/sessions/{session}/move/", station=str(number), reason="the mouse is broken"
    )
    assert answer.status == 200, answer.text


async def test_an_idle_station_is_ready_while_it_is_connected(server: Server, port: int) -> None:
    (cookie,) = cookies(server, 7101)
    assert not is_ready(server, 7101)
    async with IdleStation(port, cookie) as station:
        assert await station.hear() == "ready"
        await asyncio.to_thread(until_ready, server, 7101)
        await station.say('{"type": "ping"}')
        assert await station.hear() == "pong"
    await asyncio.to_thread(until_ready, server, 7101, False)


async def test_a_browser_that_is_no_station_is_told_so(port: int) -> None:
    for cookie in ("", "7101.forged", "9999.x", "x"):
        async with IdleStation(port, cookie) as station:
            assert await station.hear_close() == 4001, cookie


async def test_other_messages_end_the_connection(server: Server, port: int) -> None:
    (cookie,) = cookies(server, 7110)
    for text in ("", "ping", '"ping"', '{"type": "next"}', '{"type": "ping", "x": "%s"}' % ("x" * 99)):
        async with IdleStation(port, cookie) as station:
            assert await station.hear() == "ready"
            await station.say(text)
            assert await station.hear_close() == 4013, text


async def test_a_session_moves_in_mid_level_and_nothing_is_lost(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    proctor = server.staff(port, "proctor")
    (cookie,) = cookies(server, 7201)
    async with IdleStation(port, cookie) as idle, Station(port, person["seat"]) as old:
        assert await idle.hear() == "ready"
        await old.begin()
        for action in WALK[:3]:
            await old.act(action)
        before = old.frame
        await asyncio.to_thread(move, proctor, person["session"], 7201)
        assert await old.hear_close() == 4001
        assert await idle.hear() == "changed"
    browser = Browser(f"http://127.0.0.1:{port}", cookie)
    assert (await browser.get("/")).path == "/session/play/"
    async with Station(port, browser.cookie("seat")) as new:
        turn = await new.begin()
        assert (turn.sequence, turn.resync) == (3, True)
        assert same(new.frame, before)
        for action in WALK[3:]:
            turn = await new.act(action)
    assert turn.state == 1
    assert entries(server, person["session"]) == list(enumerate([0, *WALK]))
    async with Station(port, person["seat"]) as again:
        assert await again.hear_close() == 4001, "the old seat is void"


async def test_an_action_under_way_during_a_move_is_never_made_twice(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    proctor = server.staff(port, "proctor")
    (cookie,) = cookies(server, 7202)
    async with Station(port, person["seat"]) as old:
        await old.begin()
        moving = asyncio.create_task(asyncio.to_thread(move, proctor, person["session"], 7202))
        sent = 0
        with suppress(ConnectionClosed):
            while not moving.done() and sent < len(WALK) - 1:
                await old.send_action(WALK[sent], sequence=sent + 1)
                sent += 1
                await asyncio.sleep(0.01)
        await moving
        await old.hear_close()
    recorded = entries(server, person["session"])
    assert recorded == list(enumerate([0, *WALK]))[: len(recorded)]
    browser = Browser(f"http://127.0.0.1:{port}", cookie)
    await browser.get("/")
    async with Station(port, browser.cookie("seat")) as new:
        turn = await new.begin()
        assert turn.sequence == len(recorded) - 1
        for action in WALK[turn.sequence :]:
            turn = await new.act(action)
    assert entries(server, person["session"]) == list(enumerate([0, *WALK]))


async def test_a_station_that_was_away_finds_the_session_that_came(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    (cookie,) = cookies(server, 7203)
    await asyncio.to_thread(move, server.staff(port, "proctor"), person["session"], 7203)
    async with IdleStation(port, cookie) as idle:
        assert await idle.hear() == "changed"
