"""Stations that ask at the same moment overfill no quota and freeze a version once."""

import asyncio
from collections import Counter

import pytest

from tests.live.server import Server
from tests.live.station import Station
from tests.live.visitor import Visitor


@pytest.mark.postgresql
async def test_one_free_place_is_assigned_to_one_of_many_stations(
    server: Server, port: int, other_port: int
) -> None:
    ports = [port, other_port]
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


async def stage_after_next(port: int, seat: str) -> str:
    async with Station(port, seat) as station:
        await station.hear_text("session")
        await station.say("next")
        return str((await station.hear_text("session"))["stage"])


PEOPLE = 6


def check_in(port: int, code: str) -> str:
    visitor = Visitor(port)
    visitor.get("/")
    return visitor.post("/", code=code).path


def change_fee(server: Server, lead: Visitor, study: int, fee: int) -> bool:
    """Sends the form and returns whether it was accepted; an outdated one is refused."""
    [(name, number, digest)] = server.rows(
        "SELECT s.name, v.number, v.digest FROM play_study s JOIN play_protocolversion v ON v.study_id = s.id"
        f" WHERE s.id = {study} ORDER BY v.number DESC LIMIT 1"
    )
    pool = server.rows(f"SELECT environment_id FROM play_study_pool WHERE study_id = {study}")
    fields = {
        "name": name, "pool": [str(one) for (one,) in pool], "soft_minutes": "20", "hard_minutes": "30",
        "session_minutes": "90", "away_seconds": "300", "away_times": "20",
        "people": "10", "solvers": "2", "more_than_actions": "30",
        "less_than_minutes": "30", "fee": str(fee), "bonus": "5.00", "consent_text": "You may stop.",
        "open": "on", "reason": "This test changes the fee.", "edition": f"{number}-{digest}",
    }  # fmt: skip
    return lead.post(f"/staff/studies/{study}/edit/", **fields).path == f"/staff/studies/{study}/"


@pytest.mark.postgresql
async def test_simultaneous_check_ins_and_changes_freeze_a_version_once(
    server: Server, port: int, other_port: int
) -> None:
    lead = server.staff(port, "lead")
    seeded = server.seed(pool=["wk01", "ck01"], people=PEOPLE, stage="new")
    study = seeded["study"]
    jobs = [
        asyncio.to_thread(check_in, (port, other_port)[number % 2], person["code"])
        for number, person in enumerate(seeded["people"])
    ]
    changes = [asyncio.to_thread(change_fee, server, lead, study, 100 + fee) for fee in range(3)]
    results = await asyncio.gather(*jobs[:3], *changes, *jobs[3:])
    assert results.count("/session/consent/") == PEOPLE
    versions = server.rows(
        "SELECT number, frozen_at IS NOT NULL,"
        " (SELECT COUNT(*) FROM play_session s WHERE s.protocol_id = v.id)"
        f" FROM play_protocolversion v WHERE study_id = {study} ORDER BY number"
    )
    assert [number for number, *_ in versions] == list(range(1, len(versions) + 1))
    assert sum(sessions for *_, sessions in versions) == PEOPLE
    assert all(bool(frozen) for _, frozen, _ in versions[:-1]), "only the newest can be a draft"
    assert all(frozen for _, frozen, sessions in versions if sessions)
