"""Soft, hard and session limits on the real server, with a study whose minutes are seconds."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from tests.live.server import Server
from tests.live.station import Station
from tests.live.visitor import Visitor


def ended(server: Server, session: int) -> tuple[str, float]:
    """(outcome, seconds from the first frame to the end) of the session's only attempt."""
    [(outcome, first, end)] = server.rows(
        f"SELECT outcome, first_frame_at, ended_at FROM play_attempt WHERE session_id = {session}"
    )
    return outcome, (moment(end) - moment(first)).total_seconds()


def moment(value: Any) -> datetime:
    return value if isinstance(value, datetime) else datetime.fromisoformat(value)


async def test_the_soft_limit_asks_once_and_keep_going_is_remembered(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], study={"soft_seconds": 1, "hard_seconds": 60})["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        prompt = await station.hear_text("prompt")
        assert (prompt["attempt"], prompt["spent_seconds"]) == (1, 1)
        assert 30 < prompt["seconds_left"] <= 59
        await station.say("prompt_shown", attempt=1)
    async with Station(port, person["seat"]) as station:
        assert (await station.hear_text("sitting"))["attempt"]["prompt"] is True
        await station.hear_turn()
        await station.say("prompt_answered", attempt=1, answer="continue")
        await station.say("resync")
        assert (await station.hear_text("sitting"))["attempt"]["prompt"] is False
    kinds = [
        row[0] for row in server.rows(f"SELECT kind FROM play_event WHERE session_id = {person['session']}")
    ]
    assert kinds.count("prompt_shown") == kinds.count("prompt_answered") == 1


@pytest.mark.once
async def test_finish_now_concludes_the_attempt(server: Server, port: int) -> None:
    wanted = {"pool": ["wk01"], "later": ["ck01"], "stage": "playing"}
    person = server.seed(**wanted, study={"soft_seconds": 1})["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await station.hear_text("prompt")
        await station.say("prompt_answered", attempt=1, answer="finish")
        assert (await station.hear_text("sitting"))["previous"] == {"solved": False, "cause": "concluded"}


@pytest.mark.once
async def test_the_hard_limit_cuts_off_a_connected_person(server: Server, port: int) -> None:
    wanted = {"pool": ["wk01"], "later": ["ck01"], "stage": "playing"}
    person = server.seed(**wanted, study={"soft_seconds": 1, "hard_seconds": 4})["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await station.act(2)
        sitting = await station.hear_text("sitting")
        assert sitting["previous"] == {"solved": False, "cause": "timed_out"}
        await station.send_action(2)
        assert (await station.hear_text("error"))["code"] == "no_open_attempt"
    assert ended(server, person["session"]) == ("timed_out", 4.0)


async def test_the_session_limit_ends_attempt_and_session(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], study={"session_seconds": 6})["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        assert (await station.hear_text("sitting"))["stage"] == "over"
    assert server.rows(
        "SELECT a.outcome, s.end_reason FROM play_session s JOIN play_attempt a ON a.session_id = s.id"
        f" WHERE s.id = {person['session']}"
    ) == [("session_over", "time_over")]


async def test_an_abandoned_attempt_ends_at_its_deadline_although_nobody_is_connected(
    make_server: Callable[..., Server],
) -> None:
    server = make_server()
    port = server.start()
    study = {"soft_seconds": 1, "hard_seconds": 2, "session_seconds": 9}
    person = server.seed(pool=["wk01"], study=study)["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
    server.kill(port)
    await asyncio.sleep(9)
    sweep = "import django; django.setup(); from playtest.play.tasks import end_overdue; end_overdue()"
    server.run("-c", sweep)
    server.run("-c", sweep)
    assert ended(server, person["session"]) == ("timed_out", 2.0)
    assert server.rows(f"SELECT end_reason FROM play_session WHERE id = {person['session']}") == [
        ("time_over",)
    ]


async def test_a_change_of_the_limits_reaches_open_pages_at_once(make_server: Callable[..., Server]) -> None:
    """The pages are told the new limits, and the server cuts off, or lets play on, by them."""
    server = make_server()
    port = server.start()
    lead = server.staff(port, "lead")
    shorter = server.seed(pool=["wk01"], later=["ck01"], study={"soft_seconds": 600, "hard_seconds": 900})[
        "people"
    ][0]
    longer = server.seed(pool=["wk01"], study={"soft_seconds": 4, "hard_seconds": 5})["people"][0]
    async with Station(port, longer["seat"]) as station:
        await station.begin()
        await asyncio.to_thread(change_limits, server, lead, longer["session"], 10, 20)
        assert (await station.hear_text("sitting"))["attempt"]["hard_limit_seconds"] == 1200
        await station.hear_turn()
        await asyncio.sleep(5)  # beyond the limit that the attempt began with
        assert (await station.act(2)).sequence == 1
    async with Station(port, shorter["seat"]) as station:
        await station.begin()
        await asyncio.to_thread(change_limits, server, lead, shorter["session"], 0.2, 0.2)
        sitting = await station.hear_text("sitting")
        if sitting["attempt"] is not None:  # else the new limit has passed already
            assert sitting["attempt"]["hard_limit_seconds"] == 12
            sitting = await station.hear_text("sitting")
        assert sitting["previous"] == {"solved": False, "cause": "timed_out"}
    assert ended(server, shorter["session"]) == ("timed_out", 12.0)


def change_limits(server: Server, lead: Visitor, session: int, soft: float, hard: float) -> None:
    """By the form, in minutes."""
    [(study, name, text)] = server.rows(
        "SELECT s.id, s.name, s.consent_text FROM play_study s"
        f" JOIN play_session t ON t.study_id = s.id WHERE t.id = {session}"
    )
    pool = server.rows(f"SELECT environment_id FROM play_study_pool WHERE study_id = {study}")
    answer = lead.post(
        f"/staff/studies/{study}/edit/",
        name=name,
        pool=[str(environment) for (environment,) in pool],
        soft_minutes=str(soft),
        hard_minutes=str(hard),
        session_minutes="90",
        target_people="10",
        fee="115.00",
        bonus="5.00",
        consent_text=text,
        open="on",
        reason="The limits of this test are others.",
    )
    assert answer.path == f"/staff/studies/{study}/", answer.text
