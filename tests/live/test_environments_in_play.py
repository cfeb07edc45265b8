"""Environments over the wire: won to their end, let go, at fault, or waiting for a host."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.live.games import ENVIRONMENTS, WALK
from tests.live.server import Server
from tests.live.station import Station, Turn, same

pytestmark = pytest.mark.once


async def test_levels_follow_each_other_and_the_journal_has_exactly_the_actions(
    server: Server, port: int
) -> None:
    person = server.seed(pool=["wk01"], later=["ck01"], stage="playing")["people"][0]
    async with Station(port, person["seat"]) as station:
        first = await station.begin()
        turns = [await station.act(action) for action in WALK]
        status = await station.hear_text("session")
    assert (first.sequence, first.resync, first.levels_completed) == (0, True, 0)
    assert [turn.sequence for turn in turns] == list(range(1, 19))
    assert [turn.level for turn in turns] == [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 6]
    assert [turn.level_completed for turn in turns] == [False, False, True] * 6
    assert (turns[-1].state, turns[-1].levels_completed) == (1, 6)
    assert (status["stage"], status["previous"]) == ("pause", {"solved": True, "cause": "completed"})
    rows = server.rows(
        "SELECT e.seq, e.action, e.level, e.level_completed FROM play_entry e"
        f" JOIN play_attempt a ON a.id = e.attempt_id WHERE a.session_id = {person['session']} ORDER BY e.seq"
    )
    assert [row[:2] for row in rows] == list(enumerate([0, *WALK]))
    assert [row[2] for row in rows[1:]] == [level for level in range(1, 7) for _ in range(3)]
    assert [bool(row[3]) for row in rows[1:]] == [False, False, True] * 6
    assert server.rows(
        f"SELECT outcome, actions, levels_completed FROM play_attempt WHERE session_id = {person['session']}"
    ) == [("completed", 18, 6)]


async def test_the_last_environment_of_the_pool_ends_the_session(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await station.say("give_up", attempt=1)
        assert (await station.hear_text("session"))["stage"] == "over"
    assert server.rows(f"SELECT end_reason FROM play_session WHERE id = {person['session']}") == [
        ("pool_used_up",)
    ]


async def test_a_reset_restarts_only_the_level_even_before_its_first_action(
    server: Server, port: int
) -> None:
    person = server.seed(pool=["wk01"])["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        turns = [await station.act(action) for action in WALK[:3]]
        assert turns[-1].level == 2
        turn = await station.act(0)
        assert (turn.level, turn.levels_completed) == (2, 1)


async def test_paint_time_and_input_kind_are_stored_with_the_entry(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"])["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await station.act(2)
    assert server.rows(
        "SELECT e.previous_paint_ms, e.input_kind, e.client_time IS NOT NULL FROM play_entry e"
        f" JOIN play_attempt a ON a.id = e.attempt_id WHERE a.session_id = {person['session']} AND e.seq = 1"
    ) == [(16, 1, 1)]


@pytest.mark.parametrize(("action", "code"), [(1, "environment_raised"), (4, "host_died")])
async def test_a_fault_ends_its_attempt_and_the_neighbour_and_the_session_continue(
    server: Server, port: int, action: int, code: str
) -> None:
    guilty = server.seed(pool=["ft01"], later=["wk01"], stage="playing")["people"][0]
    neighbour = server.seed(pool=["wk01"])["people"][0]
    async with Station(port, guilty["seat"]) as station, Station(port, neighbour["seat"]) as other:
        await other.begin()
        await other.act(4)
        first = await station.begin()
        await station.act(5)
        await station.send_action(action)
        status = await station.hear_text("session")
        assert (status["stage"], status["previous"]) == ("pause", {"solved": False, "cause": "fault"})
        turn = await other.act(4)
        assert turn.sequence == 2
        assert turn.frames
        await station.say("next")
        assert (await station.hear_text("session"))["stage"] == "playing"
        assert not same(first.frames[-1], (await station.hear_turn()).frames[-1])
    [(found_code, message, actions)] = server.rows(
        "SELECT a.fault_code, a.fault_message, a.actions FROM play_attempt a"
        f" WHERE a.session_id = {guilty['session']} AND a.outcome = 'fault'"
    )
    assert (found_code, actions) == (code, 1)
    assert message
    assert server.rows(
        "SELECT count(*) FROM play_event WHERE kind = 'environment_fault'"
        f" AND session_id = {guilty['session']}"
    ) == [(1,)]


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
    server.kill(port)


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


TRY_AGAIN = 4503


async def test_a_participant_without_a_host_waits_and_continues_when_one_is_free(server: Server) -> None:
    port = server.start(ENGINE_MOST_HOSTS="1")
    first = server.seed(pool=["wk01"])["people"][0]
    second = server.seed(pool=["ck01"])["people"][0]
    async with Station(port, first["seat"]) as station:
        opened = await station.begin()
        async with Station(port, second["seat"]) as other:
            await other.hear_text("session")
            await other.say("next")
            assert await other.hear_close() == TRY_AGAIN
        await station.act(4)
        await station.say("give_up", attempt=opened.attempt)
        assert (await station.hear_text("session"))["attempt"] is None
    async with Station(port, second["seat"]) as other:
        turn = await other.begin()
        assert (turn.sequence, turn.resync) == (0, True)
        assert (await other.act(6, 2, 20)).sequence == 1
    assert server.rows(f"SELECT outcome FROM play_attempt WHERE session_id = {second['session']}") == [("",)]
    server.kill(port)
