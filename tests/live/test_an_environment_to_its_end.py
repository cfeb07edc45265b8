"""A person wins a whole environment over the wire; the journal has exactly the same actions."""

import pytest

from tests.live.games import WALK
from tests.live.server import Server
from tests.live.station import Station

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
