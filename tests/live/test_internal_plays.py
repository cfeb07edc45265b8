"""A member of staff plays a version on the page and socket of participants, without a session."""

import re

import pytest

from tests.live.games import WALK
from tests.live.server import Server
from tests.live.station import Station, same
from tests.live.visitor import Visitor

pytestmark = pytest.mark.once

THIRD = WALK[6:9]


@pytest.fixture
def designer(server: Server, port: int) -> Visitor:
    return server.staff(port, "designer")


def begin(staff: Visitor, level: int) -> int:
    """Begins a play from the studio's page; its number."""
    page = staff.get("/staff/environments/wk01/studio/").text
    found = re.search(r'name="version" value="(\d+)"', page)
    assert found, page
    opened = staff.post("/staff/environments/wk01/play/", version=found[1], level=str(level))
    number = re.fullmatch(r"/staff/plays/(\d+)/", opened.path)
    assert number, opened
    return int(number[1])


def page_of(port: int, staff: Visitor, play: int) -> Station:
    """The page's socket."""
    return Station(port, staff.cookie("sessionid"), address=f"/ws/internal/{play}/", cookie="sessionid")


def entries_of(server: Server, play: int) -> list[tuple[int, int, int]]:
    found = server.rows(f"SELECT seq, action, level FROM play_entry WHERE attempt_id = {play} ORDER BY seq")
    return [(row[0], row[1], row[2]) for row in found]


@pytest.mark.long
async def test_a_play_from_a_later_level_is_recorded_resumed_and_verified(
    server: Server, port: int, designer: Visitor
) -> None:
    play = begin(designer, 3)
    async with page_of(port, designer, play) as page:
        turn = await page.begin()
        status = next(one for one in page.heard if isinstance(one, dict))
        assert (turn.sequence, turn.level, turn.levels_completed) == (0, 3, 2)
        assert (status["session_seconds_left"], status["attempt"]["hard_limit_seconds"]) == (None, None)
        await page.act(THIRD[0])
        before = page.frame
        await page.say("next")
        assert (await page.hear_text("error"))["code"] == "not_now"
    async with page_of(port, designer, play) as page:
        assert (await page.begin()).sequence == 1
        assert same(page.frame, before)
        for action in THIRD[1:]:
            turn = await page.act(action)
        assert (turn.level, turn.level_completed) == (4, True)
        await page.say("give_up", attempt=1)
        assert (await page.hear_text("session"))["stage"] == "over"
    recorded = entries_of(server, play)
    assert recorded == [(0, 0, 3), *((seq, act, 3) for seq, act in enumerate(THIRD, start=1))]
    assert "1 checked, 0 differ" in server.command("verify_attempts", str(play))
    assert "completed 1 level</h1>" in designer.get(f"/staff/plays/{play}/").text


async def test_the_newer_of_two_tabs_plays_and_another_level_ends_it(port: int, designer: Visitor) -> None:
    play = begin(designer, 1)
    async with page_of(port, designer, play) as older:
        await older.begin()
        await older.act(4)
        async with page_of(port, designer, play) as newer:
            assert (await newer.begin()).sequence == 1
            assert await older.hear_close() == 4009
            assert begin(designer, 2) != play
            assert (await newer.hear_text("session"))["stage"] == "over"
    assert "started again" in designer.get(f"/staff/plays/{play}/").text


async def test_only_its_player_gets_in_and_only_while_signed_in(
    server: Server, port: int, designer: Visitor
) -> None:
    play = begin(designer, 5)
    strangers = [server.staff(port, "lead"), server.staff(port, "proctor"), Visitor(port)]
    for stranger, number in (*((stranger, play) for stranger in strangers), (designer, play + 1000)):
        async with page_of(port, stranger, number) as page:
            assert await page.hear_close() == 4001
    async with page_of(port, designer, play) as page:
        await page.begin()
        await page.say("ping")
        await page.hear_text("pong")
        designer.post("/staff/sign-out/")
        await page.say("ping")
        assert await page.hear_close() == 4001
