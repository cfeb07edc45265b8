"""Limits and pauses on the real server, with minutes that are seconds and staff in another process."""

import json
from datetime import datetime
from typing import Any

import pytest

from tests.live.server import Server
from tests.live.station import Station
from tests.live.visitor import Visitor

pytestmark = pytest.mark.once


def ended(server: Server, session: int) -> tuple[str, float]:
    """Returns outcome and seconds from the first frame to the end of the session's only attempt."""
    [(outcome, first, end)] = server.rows(
        f"SELECT outcome, first_frame_at, ended_at FROM play_attempt WHERE session_id = {session}"
    )
    return outcome, (moment(end) - moment(first)).total_seconds()


def moment(value: Any) -> datetime:
    return value if isinstance(value, datetime) else datetime.fromisoformat(value)


async def test_the_soft_limit_asks_once_and_the_answer_is_stored(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], study={"soft_seconds": 1, "hard_seconds": 60})["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        prompt = await station.hear_text("prompt")
        assert (prompt["attempt"], prompt["spent_seconds"]) == (1, 1)
        assert 30 < prompt["seconds_left"] <= 59
        await station.say("prompt_shown", attempt=1)
    async with Station(port, person["seat"]) as station:
        assert (await station.hear_text("session"))["attempt"]["prompt"] is True
        await station.hear_turn()
        await station.say("prompt_answered", attempt=1, answer="continue")
        await station.say("resync")
        assert (await station.hear_text("session"))["attempt"]["prompt"] is False
    kinds = [
        row[0] for row in server.rows(f"SELECT kind FROM play_event WHERE session_id = {person['session']}")
    ]
    assert kinds.count("prompt_shown") == kinds.count("prompt_answered") == 1


async def test_finish_now_concludes_the_attempt(server: Server, port: int) -> None:
    wanted = {"pool": ["wk01"], "later": ["ck01"], "stage": "playing"}
    person = server.seed(**wanted, study={"soft_seconds": 1})["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await station.hear_text("prompt")
        await station.say("prompt_answered", attempt=1, answer="finish")
        assert (await station.hear_text("session"))["previous"] == {"solved": False, "cause": "concluded"}


async def test_the_hard_limit_ends_the_attempt_of_a_connected_person(server: Server, port: int) -> None:
    wanted = {"pool": ["wk01"], "later": ["ck01"], "stage": "playing"}
    person = server.seed(**wanted, study={"soft_seconds": 1, "hard_seconds": 4})["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await station.act(2)
        status = await station.hear_text("session")
        assert status["previous"] == {"solved": False, "cause": "timed_out"}
        await station.send_action(2)
        assert (await station.hear_text("error"))["code"] == "no_open_attempt"
    assert ended(server, person["session"]) == ("timed_out", 4.0)


@pytest.mark.long
async def test_the_session_limit_ends_the_attempt_and_the_session(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], study={"session_seconds": 6})["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        assert (await station.hear_text("session"))["stage"] == "over"
    assert server.rows(
        "SELECT a.outcome, s.end_reason FROM play_session s JOIN play_attempt a ON a.session_id = s.id"
        f" WHERE s.id = {person['session']}"
    ) == [("session_over", "time_over")]


def kinds(server: Server, session: int) -> list[str]:
    found = server.rows(f"SELECT kind FROM play_event WHERE session_id = {session} ORDER BY id")
    return [kind for (kind,) in found]


def entries(server: Server, session: int) -> int:
    [(found,)] = server.rows(
        "SELECT COUNT(*) FROM play_entry e JOIN play_attempt a ON a.id = e.attempt_id"
        f" WHERE a.session_id = {session}"
    )
    return int(found)


async def heard(station: Station, **expected: Any) -> dict[str, Any]:
    """The next `session` with these values."""
    while True:
        status = await station.hear_text("session")
        if all(status[name] == value for name, value in expected.items()):
            return status


async def asked(station: Station, **expected: Any) -> dict[str, Any]:
    await station.say("resync")
    return await heard(station, **expected)


async def refused(station: Station) -> str:
    return str((await station.hear_text("error"))["code"])


async def test_play_is_refused_during_a_pause_and_continues_afterwards(server: Server, port: int) -> None:
    study = {"soft_seconds": 600, "hard_seconds": 900}
    person = server.seed(pool=["wk01"], stage="playing", study=study)["people"][0]
    session = person["session"]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        assert (await station.act(2)).sequence == 1
        server.seed(control="pausing", session=session, reason="fire alarm")
        await station.send_action(2)
        # The seeder cannot notify the serving process, so it is the database that refuses the entry.
        assert await refused(station) == "resync_required"
        paused = await heard(station, stage="playing", paused=True)
        await station.send_action(2)
        assert await refused(station) == "paused"
        still = await heard(station, paused=True)
        assert still["session_seconds_left"] == paused["session_seconds_left"]
        assert still["attempt"] == paused["attempt"]
        await station.say("give_up", attempt=1)
        assert await refused(station) == "paused"
    async with Station(port, person["seat"]) as station:  # a reload in the middle of the pause
        await heard(station, paused=True)
        grant = {"seconds": 60, "environment": True, "session_too": True, "reason": ""}
        server.seed(control="granting", session=session, **grant)
        server.seed(control="resuming", session=session)
        await station.say("ping")
        resumed = await heard(station, paused=False)
        assert resumed["attempt"]["hard_limit_seconds"] == 960
        assert 59 < resumed["session_seconds_left"] - paused["session_seconds_left"] <= 60
        assert (await station.hear_turn()).resync
        assert (await station.act(2)).sequence == 2
    assert entries(server, session) == 3
    assert kinds(server, session).count("paused") == kinds(server, session).count("resumed") == 1


async def test_staff_end_an_attempt_and_next_is_refused_during_a_pause(server: Server, port: int) -> None:
    wanted = {"pool": ["wk01"], "later": ["ck01"], "stage": "playing"}
    person = server.seed(**wanted)["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        server.seed(control="end_attempt_by_staff", session=person["session"])
        await station.send_action(2)
        assert await refused(station) == "resync_required"
        assert (await asked(station, stage="pause"))["previous"]["cause"] == "ended_by_staff"
        server.seed(control="pausing", session=person["session"], reason="")
        await station.say("next")
        assert await refused(station) == "paused"
        await heard(station, stage="pause", paused=True)


def asked_page(visitor: Visitor) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(visitor.get("/session/page/").text)
    return answer


def test_pages_without_a_socket_ask_whether_the_session_is_paused(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], stage="new")["people"][0]
    visitor = Visitor(port)
    assert asked_page(visitor) == {"page": "/", "paused": False, "announced": None}
    visitor.get("/")
    assert visitor.post("/", code=person["code"]).path == "/session/consent/"
    assert asked_page(visitor) == {"page": "/session/consent/", "paused": False, "announced": None}
    server.seed(control="planning_end", session=person["session"], minutes=5)
    assert asked_page(visitor)["announced"]["minutes"] == 5
    server.seed(control="pausing", session=person["session"], reason="")
    assert asked_page(visitor)["paused"]
    # What was pressed in the same moment is not lost, and opens no environment.
    covered = visitor.post("/session/consent/", answer="agree")
    assert covered.path == "/session/survey/"
    assert "Your time is stopped" in covered.text.split("<paused-cover")[1]
    visitor.post("/session/survey/")
    assert visitor.post("/session/tutorial/").path == "/session/play/"
    assert not server.rows(f"SELECT id FROM play_attempt WHERE session_id = {person['session']}")
