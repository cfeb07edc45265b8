"""Environments that are let go are rebuilt at their next action, and nobody notices."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.live.games import ENVIRONMENTS, WALK
from tests.live.server import Server
from tests.live.station import Station, Turn

pytestmark = pytest.mark.once


def rebuilt(server: Server, person: dict[str, int]) -> int:
    query = f"SELECT count(*) FROM play_event WHERE kind = 'rebuilt' AND session_id = {person['session']}"
    return int(server.rows(query)[0][0])


async def test_people_take_turns_where_one_environment_may_be_in_memory(server: Server) -> None:
    port = server.start(ENGINE_MOST_GAMES="1")
    first, second = server.seed(pool=["wk01"], people=2)["people"]
    async with Station(port, first["seat"]) as station, Station(port, second["seat"]) as other:
        for player in (station, other):
            await player.begin()
        turns: list[Turn] = []
        for action in WALK[:4]:
            turns = [await player.act(action) for player in (station, other)]
            assert turns[0].level == turns[1].level
        assert {turn.sequence for turn in turns} == {4}
        both = await asyncio.gather(*(player.act(WALK[4]) for player in (station, other)))
        assert [turn.sequence for turn in both] == [5, 5]
        assert not [heard for heard in station.heard if heard == {"type": "rebuilding"}]
    assert rebuilt(server, first) >= 4


@pytest.mark.long
async def test_an_environment_that_is_rebuilt_differently_ends_alone(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    for code in ("tm01", "wk01"):
        shutil.copytree(ENVIRONMENTS / code, tmp_path / "games" / code)
    server = make_server(GAMES_DIR=str(tmp_path / "games"))
    port = server.start(ENGINE_MOST_GAMES="1")
    games = {"games": str(tmp_path / "games"), "stage": "playing"}
    changing = server.seed(pool=["tm01"], later=["wk01"], **games)["people"][0]
    steady = server.seed(pool=["wk01"], **games)["people"][0]
    async with Station(port, changing["seat"]) as station:
        await station.begin()
        for _ in range(5):
            await station.act(4)
        async with Station(port, steady["seat"]) as other:  # takes its place in memory
            await other.begin()
            await other.act(WALK[0])
            await asyncio.sleep(1)
            await station.send_action(4)
            assert (await station.hear_text("session"))["previous"] == {"solved": False, "cause": "fault"}
            assert (await other.act(WALK[1])).sequence == 2
    assert server.rows("SELECT fault_code FROM play_attempt WHERE outcome = 'fault'") == [("diverged",)]
