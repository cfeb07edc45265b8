"""A fault of any type ends the attempt of its environment only."""

import pytest

from tests.live.server import Server
from tests.live.station import Station, same

pytestmark = pytest.mark.once

FAULTS = {
    1: "environment_raised",
    2: "deadline_exceeded",
    3: "bad_frame",
    4: "host_died",
    6: "host_died",
    7: "bad_state",
}


@pytest.mark.parametrize(("action", "code"), FAULTS.items())
async def test_a_fault_ends_its_attempt_and_the_neighbour_continues(
    server: Server, port: int, action: int, code: str
) -> None:
    guilty = server.seed(pool=["ft01"], later=["wk01"], stage="playing")["people"][0]
    neighbour = server.seed(pool=["wk01"])["people"][0]
    async with Station(port, guilty["seat"]) as station, Station(port, neighbour["seat"]) as other:
        await other.begin()
        await other.act(4)
        await station.begin()
        await station.act(5)
        await station.send_action(action)
        status = await station.hear_text("session")
        assert status["previous"] == {"solved": False, "cause": "fault"}
        turn = await other.act(4)
        assert turn.sequence == 2
        assert turn.frames
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


async def test_a_participant_continues_with_the_next_environment_after_a_fault(
    server: Server, port: int
) -> None:
    person = server.seed(pool=["ft01"], later=["wk01"], stage="playing")["people"][0]
    async with Station(port, person["seat"]) as station:
        first = await station.begin()
        await station.send_action(1)
        assert (await station.hear_text("session"))["stage"] == "pause"
        await station.say("next")
        assert (await station.hear_text("session"))["stage"] == "playing"
        assert not same(first.frames[-1], (await station.hear_turn()).frames[-1])
