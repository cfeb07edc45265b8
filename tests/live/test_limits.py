"""Soft, hard and session limits on the real server, with a study whose minutes are seconds."""

from datetime import datetime
from typing import Any

import pytest

from tests.live.server import Server
from tests.live.station import Station

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
