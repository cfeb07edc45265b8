"""A reload, a lost network or a killed server loses no action and shows the same frame."""

import asyncio
import os

import pytest

from tests.live.games import WALK
from tests.live.server import Server
from tests.live.station import Station, same

pytestmark = pytest.mark.once


def entries(server: Server, session: int) -> list[tuple[int, int]]:
    return [
        (row[0], row[1])
        for row in server.rows(
            "SELECT e.seq, e.action FROM play_entry e JOIN play_attempt a ON a.id = e.attempt_id"
            f" WHERE a.session_id = {session} ORDER BY e.seq"
        )
    ]


async def test_a_reload_shows_the_same_frame_and_play_continues(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"])["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        for action in WALK[:4]:
            await station.act(action)
        before = station.frame
    async with Station(port, person["seat"]) as station:
        turn = await station.begin()
        assert (turn.sequence, turn.level, turn.resync) == (4, 2, True)
        assert same(station.frame, before)
        assert (await station.act(WALK[4])).sequence == 5
    assert entries(server, person["session"]) == list(enumerate([0, *WALK[:5]]))


@pytest.mark.services
async def test_a_killed_server_loses_nothing(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"])["people"][0]
    station = Station(port, person["seat"])
    await station.__aenter__()
    await station.begin()
    for action in WALK[:4]:
        await station.act(action)
    await station.send_action(WALK[4])  # on its way when the server dies: recorded or not, never half
    server.kill(port)
    server.start(port=port)
    recorded = entries(server, person["session"])
    assert recorded in (list(enumerate([0, *WALK[:4]])), list(enumerate([0, *WALK[:5]])))
    async with Station(port, person["seat"]) as again:
        turn = await again.begin()
        assert turn.sequence == len(recorded) - 1
        for action in WALK[len(recorded) - 1 :]:
            turn = await again.act(action)
        assert turn.state == 1
    assert entries(server, person["session"]) == list(enumerate([0, *WALK]))
    [(attempt,)] = server.rows(f"SELECT id FROM play_attempt WHERE session_id = {person['session']}")
    verified = server.command("verify_attempts", str(attempt))
    assert "1 checked, 0 differ" in verified, "the chain goes on over the kill"


async def test_a_repeated_action_gets_its_recorded_answer_without_a_second_turn(
    server: Server, port: int
) -> None:
    person = server.seed(pool=["wk01"])["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        first = await station.act(2)
        shown, station.frame = station.frame, first.frames[0]
        await station.send_action(2, sequence=1)
        again = await station.hear_turn()
        assert (again.sequence, again.level, again.state) == (1, first.level, first.state)
        assert same(station.frame, shown)
        assert (await station.act(2)).sequence == 2
    assert entries(server, person["session"]) == [(0, 0), (1, 2), (2, 2)]


async def test_another_action_under_a_recorded_number_is_refused(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"])["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await station.act(2)
        for sequence in (0, 1, 3, 4_000_000_000):
            await station.send_action(4, sequence=sequence)
            error = await station.hear_text("error")
            assert (error["code"], error["sequence"]) == ("wrong_sequence", sequence)
    assert entries(server, person["session"]) == [(0, 0), (1, 2)]


@pytest.mark.services
async def test_two_processes_cannot_both_record_an_action(server: Server, port: int, other_port: int) -> None:
    one, other = port, other_port
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    async with Station(one, person["seat"]) as first, Station(other, person["seat"]) as second:
        await first.begin()
        await second.begin()
        assert (await second.act(2)).sequence == 1
        await second.act(2)
        if os.environ.get("REDIS_URL"):
            assert await first.hear_close() == 4009, "the channel layer tells the other process"
        else:
            await first.send_action(4)
            assert (await first.hear_text("error"))["code"] == "resync_required"
            assert (await first.hear_turn()).sequence == 2
    async with Station(one, person["seat"]) as first:
        turn = await first.begin()
        assert turn.sequence == 2, "the process that had fallen behind follows the journal"
        assert (await first.act(4)).sequence == 3
    assert entries(server, person["session"]) == [(0, 0), (1, 2), (2, 2), (3, 4)]


async def test_staff_can_end_a_session_while_its_participant_is_connected(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    visitor = server.staff(port, role="proctor")
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await asyncio.to_thread(visitor.post, f"/staff/sessions/{person['session']}/end/")
        assert (await station.hear_text("session"))["stage"] == "over"
    assert server.rows(f"SELECT end_reason FROM play_session WHERE id = {person['session']}") == [
        ("ended_by_staff",)
    ]


async def test_a_connection_that_comes_late_supersedes_no_newer_page(server: Server, port: int) -> None:
    """Of the page itself, which had given it up, and of a page before a reload; who takes back is newest."""
    person = server.seed(pool=["wk01"])["people"][0]

    def page(claim: int, token: str, connection: int) -> Station:
        return Station(port, person["seat"], address=f"/ws/session/?page={claim}-{token}-{connection}")

    async with page(200, "reloaded0", 2) as playing:
        await playing.begin()
        for late in (page(200, "reloaded0", 1), page(100, "before00", 9)):
            async with late:
                assert await late.hear_close() == 4009
        assert (await playing.act(2)).sequence == 1
        async with page(201, "before00", 1) as back:
            assert await playing.hear_close() == 4009
            await back.begin()
            assert (await back.act(2)).sequence == 2


async def test_a_page_that_does_not_say_rightly_which_it_is_is_refused(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"])["people"][0]
    async with Station(port, person["seat"], address="/ws/session/?page=newest") as station:
        assert (await station.hear_text("error"))["code"] == "malformed_message"
        assert await station.hear_close() == 4503


async def test_a_limit_waits_for_a_sign_of_life_of_a_page_that_is_silent(server: Server, port: int) -> None:
    """The server asks for one, and a page that gives it ends at the limit's own time."""
    study = {"soft_seconds": 1, "hard_seconds": 2}
    person = server.seed(pool=["wk01"], later=["ck01"], stage="playing", study=study)["people"][0]
    async with Station(port, person["seat"], address="/ws/session/?page=1-thispage-1") as station:
        await station.begin()
        await station.hear_text("probe")
        [(outcome,)] = server.rows(f"SELECT outcome FROM play_attempt WHERE session_id = {person['session']}")
        assert outcome == ""
        await station.say("ping")
        assert (await station.hear_text("session"))["previous"] == {"solved": False, "cause": "timed_out"}


async def test_what_a_connection_delivers_late_is_no_sign_and_the_page_is_asked_for_one(
    server: Server, port: int
) -> None:
    person = server.seed(pool=["wk01"])["people"][0]
    async with Station(port, person["seat"], address="/ws/session/?page=1-thispage-1") as station:
        await station.begin()
        await station.act(2)
        await asyncio.sleep(6.5)
        await station.say("ping")
        await station.act(2)
        await station.hear_text("probe")
    async with Station(port, person["seat"], address="/ws/session/?page=1-thispage-2") as station:
        await station.begin()
        assert (await station.hear_text("absence"))["excused_seconds"] >= 6.5 + 3


@pytest.mark.long
async def test_a_page_that_comes_back_is_told_what_its_absence_costs(server: Server, port: int) -> None:
    study = {"soft_seconds": 3, "hard_seconds": 4}
    person = server.seed(pool=["wk01"], study=study)["people"][0]
    async with Station(port, person["seat"], address="/ws/session/?page=1-thispage-1") as station:
        await station.begin()
        await station.act(2)
    await asyncio.sleep(7)
    async with Station(port, person["seat"], address="/ws/session/?page=1-thispage-2") as station:
        await station.begin()
        absence = await station.hear_text("absence")
        assert absence["seconds"] == absence["excused_seconds"] >= 7
        assert (await station.act(2)).sequence == 2
