"""A participant waits while no host is free for an environment, and nothing is lost."""

import pytest

from tests.live.server import Server
from tests.live.station import Station

pytestmark = pytest.mark.once

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
