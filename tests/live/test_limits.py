"""Soft, hard and session limits on the real server, with a study whose minutes are seconds."""

import asyncio
from collections.abc import Callable
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


@pytest.mark.long
@pytest.mark.services
async def test_an_abandoned_attempt_ends_at_its_deadline_without_a_connection(
    make_server: Callable[..., Server],
) -> None:
    server = make_server()
    port = server.start()
    study = {"soft_seconds": 1, "hard_seconds": 2, "session_seconds": 9, "away_seconds": 0}
    person = server.seed(pool=["wk01"], study=study)["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
    await asyncio.sleep(9)
    assert Visitor(port).get("/healthz").status == 200  # it says that it is up, so nothing since is an outage
    sweep = "import django; django.setup(); from playtest.play.tasks import end_overdue; end_overdue()"
    server.run("-c", sweep)
    server.run("-c", sweep)
    assert ended(server, person["session"]) == ("timed_out", 2.0)
    assert server.rows(f"SELECT end_reason FROM play_session WHERE id = {person['session']}") == [
        ("time_over",)
    ]


@pytest.mark.long
async def test_a_session_keeps_the_limits_it_checked_in_under(make_server: Callable[..., Server]) -> None:
    """Shorter limits of the next version affect no open page and end no attempt on it."""
    server = make_server()
    port = server.start()
    lead = server.staff(port, "lead")
    seeded = server.seed(pool=["wk01"], people=2, study={"soft_seconds": 600, "hard_seconds": 900})
    first, second = seeded["people"]
    async with Station(port, first["seat"]) as station:
        await station.begin()
        await asyncio.to_thread(change_limits, server, lead, seeded["study"], 0.1, 0.1)
        await asyncio.sleep(7)  # beyond the limit of the next version
        assert (await station.act(2)).sequence == 1
    async with Station(port, second["seat"]) as station:  # checked in before the change, too
        await station.begin()
    async with Station(port, first["seat"]) as station:
        assert (await station.hear_text("session"))["attempt"]["hard_limit_seconds"] == 900
    assert server.rows("SELECT number, frozen_at IS NULL FROM play_protocolversion ORDER BY number") == [
        (1, False),
        (2, True),
    ]


def change_limits(server: Server, lead: Visitor, study: int, soft: float, hard: float) -> None:
    """Changes the limits with the form, in minutes."""
    [(name, number, digest)] = server.rows(
        "SELECT s.name, v.number, v.digest FROM play_study s"
        f" JOIN play_protocolversion v ON v.study_id = s.id WHERE s.id = {study}"
        " ORDER BY v.number DESC LIMIT 1"
    )
    pool = server.rows(f"SELECT environment_id FROM play_study_pool WHERE study_id = {study}")
    answer = lead.post(
        f"/staff/studies/{study}/edit/",
        name=name,
        pool=[str(environment) for (environment,) in pool],
        soft_minutes=str(soft),
        hard_minutes=str(hard),
        session_minutes="90",
        away_seconds="300",
        away_times="20",
        people="10",
        solvers="2",
        more_than_actions="30",
        less_than_minutes="30",
        fee="115.00",
        bonus="5.00",
        review_percent="10",
        tries="2",
        most_submissions="2",
        view_seconds="5",
        feedback="on",
        consent_text="You may stop at any time.",
        edition=f"{number}-{digest}",
        open="on",
        reason="The limits of this test are others.",
    )
    assert answer.path == f"/staff/studies/{study}/", answer.text
