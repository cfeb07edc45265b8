"""The wall follows the people who play, at most four times a second, and is right after whatever happened."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.live.games import WALK
from tests.live.server import PASSWORD, Server
from tests.live.station import Station, same
from tests.live.visitor import Visitor
from tests.live.wall_viewer import WallViewer

pytestmark = pytest.mark.once

TRUE_WITHIN_SECONDS = 1.0


@pytest.fixture
def person(server: Server) -> dict[str, Any]:
    return dict(server.seed(pool=["wk01"], stage="playing")["people"][0])


@pytest.fixture
def proctor(server: Server, port: int) -> Visitor:
    return server.staff(port, "proctor")


async def play(station: Station, actions: list[int], seconds: float) -> None:
    for action in actions:
        await station.act(action)
        await asyncio.sleep(seconds)


@pytest.mark.long
async def test_a_viewer_hears_at_most_four_times_a_second_and_the_truth_within_one(
    port: int, person: dict[str, Any], proctor: Visitor
) -> None:
    session = person["session"]
    async with Station(port, person["seat"]) as station, WallViewer(port, proctor) as viewer:
        await station.begin()
        await viewer.until(session, link="connected", environment="wk01")
        playing = asyncio.ensure_future(play(station, [4, 3] * 40, 0.05))  # 20 actions a second
        while not playing.done():
            await viewer.hear()
        await station.act(2)
        acted = time.monotonic()
        await viewer.until(session, actions=station.sequence)
        await viewer.until_board(session, station.frame)
        assert time.monotonic() - acted <= TRUE_WITHIN_SECONDS
        for first, fifth in zip(viewer.sent_at, viewer.sent_at[4:], strict=False):
            assert fifth - first >= 1.0


async def test_a_viewer_who_comes_back_sees_what_the_participant_sees_and_is_counted_once(
    server: Server, port: int, person: dict[str, Any], proctor: Visitor
) -> None:
    async with Station(port, person["seat"]) as station:
        await station.begin()
        async with WallViewer(port, proctor) as viewer:
            await viewer.until(person["session"], actions=0)
        await play(station, WALK[:4], 0)
        async with WallViewer(port, proctor) as viewer:
            await viewer.until_board(person["session"], station.frame)
            await viewer.until(person["session"], level=2, levels=6, actions=4, stage="playing")
            assert viewer.kinds[0] == "all"
    seen = "SELECT COUNT(*) FROM studio_sighting WHERE kind = 'live' GROUP BY staff_id, environment_id, day"
    assert set(server.rows(seen)) == {(1,)}


async def test_a_viewer_who_falls_behind_gets_everything_later(
    port: int, person: dict[str, Any], proctor: Visitor
) -> None:
    async with Station(port, person["seat"]) as station, WallViewer(port, proctor, confirms=False) as viewer:
        await station.begin()
        playing = asyncio.ensure_future(play(station, [4, 3] * 20, 0.1))
        while len(viewer.kinds) < 8:
            await viewer.hear()
        await viewer.hear_for(1.0)
        assert len(viewer.kinds) == 8
        await playing
        await viewer.confirm(8)
        assert (await viewer.hear())["type"] == "all"
        await viewer.until_board(person["session"], station.frame)


async def test_the_wall_says_who_lost_the_connection_and_keeps_the_board(
    port: int, person: dict[str, Any], proctor: Visitor
) -> None:
    session = person["session"]
    async with WallViewer(port, proctor) as viewer:
        async with Station(port, person["seat"]) as station:
            await station.begin()
            await station.say("ping", round_trip_ms=31)
            await station.act(4)
            await viewer.until(session, link="connected", round_trip_ms=31)
            assert viewer.tiles[f"session-{session}"]["needs"] == []
        await viewer.until(session, link="lost")
        tile = await viewer.until(session, urgent=True)
        assert [need["label"] for need in tile["needs"]] == ["connection lost"]
        assert same(viewer.boards[f"session-{session}"], station.frame)


@pytest.mark.long
async def test_the_board_of_somebody_who_is_not_connected_is_the_last_one_recorded(
    make_server: Callable[..., Server],
) -> None:
    server = make_server()
    port = server.start()
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await play(station, WALK[:8], 0)
    server.kill(port)
    port = server.start()
    async with WallViewer(port, server.staff(port, "proctor")) as viewer:
        await viewer.until_board(person["session"], station.frame)
        await viewer.until(person["session"], link="lost", level=3, actions=8)
        async with Station(port, person["seat"]) as again:
            await again.begin()
            await again.act(WALK[8])
            await viewer.until_board(person["session"], again.frame)
            await viewer.until(person["session"], link="connected", urgent=False)


@pytest.mark.postgresql
async def test_a_wall_on_one_process_shows_those_who_play_on_another(server: Server, port: int) -> None:
    one, other = port, server.start()
    people = server.seed(pool=["wk01"], people=2, stage="playing")["people"]
    async with (
        WallViewer(one, server.staff(one, "proctor")) as viewer,
        Station(one, people[0]["seat"]) as near,
        Station(other, people[1]["seat"]) as far,
    ):
        await near.begin()
        await far.begin()
        for station, person in ((near, people[0]), (far, people[1])):
            await viewer.until(person["session"], link="connected")
            await play(station, WALK[:5], 0.02)
            await viewer.until_board(person["session"], station.frame)
        server.kill(other)
        await viewer.until(people[1]["session"], link="silent")
        tile = await viewer.until(people[1]["session"], urgent=True)
        assert tile["needs"][0]["label"] == "server does not answer"
        async with Station(one, people[1]["seat"]) as again:
            await again.begin()
            await viewer.until(people[1]["session"], link="connected")
            assert same(viewer.boards[f"session-{people[1]['session']}"], again.frame)


async def test_only_staff_who_run_sessions_may_watch(server: Server, port: int) -> None:
    async with WallViewer(port, None) as viewer:
        assert await viewer.hear_close() == 4403
    async with WallViewer(port, server.staff(port, "researcher")) as viewer:
        assert await viewer.hear_close() == 4403


@pytest.mark.long
async def test_the_wall_closes_when_its_viewer_signs_out(server: Server, port: int) -> None:
    server.seed(staff="lead", password=PASSWORD)
    lead = server.staff(port, "lead")
    async with WallViewer(port, lead) as viewer:
        await viewer.hear()
        lead.post("/staff/sign-out/")
        assert await viewer.hear_close() == 4403


async def test_a_malformed_confirmation_closes_the_wall(port: int, proctor: Visitor) -> None:
    for message in (
        "",
        "[]",
        '{"type": "drawn"}',
        '{"type": "drawn", "number": -1}',
        '{"type": "view", "sessions": ["1"]}',
        '{"type": "view", "sessions": 3}',
        '{"type": "next"}',
        "[" * 90,
        "x" * 500,
    ):
        async with WallViewer(port, proctor) as viewer:
            await viewer.hear()
            await viewer.socket.send(message)
            assert await viewer.hear_close() == 4400, message
