"""Stations that ask for their next environment at the same moment cannot overfill a quota."""

import asyncio
from collections import Counter

import pytest

from tests.live.server import Server
from tests.live.station import Station


@pytest.mark.postgresql
async def test_one_free_place_is_assigned_to_one_of_many_stations(server: Server, port: int) -> None:
    ports = [port, server.start()]
    seeded = server.seed(pool=["wk01", "ck01"], people=8, have_places=True, study={"people": 3})
    people = seeded["people"]
    stages = await asyncio.gather(
        *(stage_after_next(ports[i % 2], person["seat"]) for i, person in enumerate(people))
    )
    assert Counter(stages) == {"playing": 6, "over": 2}
    filled = server.rows(
        "SELECT attempt.environment_id, count(*) FROM play_attempt attempt"
        " JOIN play_session session ON session.id = attempt.session_id"
        f" WHERE session.study_id = {seeded['study']} GROUP BY attempt.environment_id"
    )
    assert sorted(count for _, count in filled) == [3, 3]
    server.kill(ports[1])


async def stage_after_next(port: int, seat: str) -> str:
    async with Station(port, seat) as station:
        await station.hear_text("session")
        await station.say("next")
        return str((await station.hear_text("session"))["stage"])


@pytest.mark.once
async def test_assignment_repeats_no_environment_and_prefers_the_one_with_fewest_people(
    server: Server, port: int
) -> None:
    person, other = server.seed(pool=["wk01", "ck01", "rn01"], people=2)["people"]
    async with Station(port, person["seat"]) as station, Station(port, other["seat"]) as neighbour:
        await station.begin()
        await neighbour.begin()
        for number in (1, 2):
            await station.say("give_up", attempt=number)
            await station.hear_text("session")
            await station.begin_next()
    met = server.rows(
        f"SELECT environment_id FROM play_attempt WHERE session_id = {person['session']} ORDER BY number"
    )
    theirs = server.rows(f"SELECT environment_id FROM play_attempt WHERE session_id = {other['session']}")
    assert len(set(met)) == 3
    assert theirs[0] != met[0], "the neighbour got one of the two that nobody had"
