"""A row that the database refuses fails one action and affects no other."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.live.fixtures import Templates
from tests.live.seeder import Seeder
from tests.live.server import Server
from tests.live.station import Station, action_message
from tests.setup.test_health import ask, execute

pytestmark = pytest.mark.once

REFUSED_PAINT = 7


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, templates: Templates, seeder: Seeder
) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("refusing"), templates.played, seeder)
    server.start()
    execute(
        server,
        f"CREATE TRIGGER refuse BEFORE INSERT ON play_entry WHEN NEW.previous_paint_ms = {REFUSED_PAINT} "
        "BEGIN SELECT RAISE(ABORT, 'not this one'); END",
    )
    yield server
    server.stop()


@pytest.fixture
def port(server: Server) -> int:
    return next(iter(server.processes))


def refused_action() -> bytes:
    return action_message(2, sequence=1, attempt=1, paint=REFUSED_PAINT)


async def test_neighbours_of_a_failing_row_are_recorded(server: Server, port: int) -> None:
    people = server.seed(pool=["wk01"], people=6, stage="playing")["people"]
    stations = [await Station(port, person["seat"]).__aenter__() for person in people]
    try:
        for station in stations:
            await station.begin()
        for sequence in range(1, 6):
            await stations[0].socket.send(refused_action())
            turns = await asyncio.gather(*(station.act(2) for station in stations[1:]))
            assert [turn.sequence for turn in turns] == [sequence] * 5
            assert (await stations[0].hear_text("error"))["code"] == "resync_required"
            assert (await stations[0].hear_turn()).sequence == 0
        assert (await stations[0].act(2)).sequence == 1
        assert (await asyncio.to_thread(ask, port))[0] == 200
    finally:
        for station in stations:
            await station.socket.close()


async def test_an_action_can_be_recorded_after_its_first_copy_failed(server: Server, port: int) -> None:
    """As docs/wire.md says under "Order and retry"."""
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await station.socket.send(refused_action())
        await station.send_action(2, sequence=1)
        error = await station.hear_text("error")
        assert (error["code"], error["sequence"]) == ("resync_required", 1)
        first, second = await station.hear_turn(), await station.hear_turn()
    assert (first.resync, first.sequence) == (True, 0)
    assert (second.resync, second.sequence) == (False, 1)
    assert server.rows(
        "SELECT count(*) FROM play_entry e JOIN play_attempt a ON a.id = e.attempt_id"
        f" WHERE e.seq = 1 AND a.session_id = {person['session']}"
    ) == [(1,)]
