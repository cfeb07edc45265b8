"""The replay page in a real browser."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.play.services.attempts import open_next
from playtest.rules.attempt import Outcome
from tests import sittings
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = pytest.mark.django_db

BLUE = [30, 147, 255]  # the walker of wk01

type Open = Callable[..., Locator]


@pytest.fixture
def open_replay(page: Page) -> Iterator[Open]:
    """Opens an attempt's replay and gives the player; an error on the page fails the test."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    browse(page, signed_in(Role.RESEARCHER))

    def open_it(attempt: Attempt, fragment: str = "") -> Locator:
        page.goto(f"{ORIGIN}{reverse('review:attempt', args=[attempt.pk])}{fragment}")
        page.wait_for_selector("replay-player[data-seq], replay-player .notice")
        return page.locator("replay-player")

    yield open_it
    assert errors == []


@pytest.fixture
def walk() -> Attempt:
    """Solved at two seconds an action: three actions a level, and a reset first in the second."""
    return sittings.play(sittings.sit_down(sittings.study()), [*WALK[:3], 0, *WALK[3:]], Outcome.COMPLETED)


def colour_at(page: Page, x: int, y: int) -> list[int]:
    """Red, green and blue of a cell on the board."""
    script = (
        "([x, y]) => [...document.querySelector('canvas').getContext('2d').getImageData(x, y, 1, 1).data]"
    )
    found: list[int] = page.evaluate(script, [x, y])
    return found[:3]


def test_it_opens_on_the_first_frame(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk)
    expect(player).to_have_attribute("data-seq", "0")
    expect(player.locator("output")).to_contain_text("0:00.0 of 0:38.0 · level 1, action 0")
    assert colour_at(page, 8 + 4, 8 + 4) == BLUE


def test_arrows_step_by_action_and_the_board_follows(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk)
    page.keyboard.press("ArrowRight")
    expect(player).to_have_attribute("data-seq", "1")
    assert colour_at(page, 16 + 4, 8 + 4) == BLUE
    expect(player.locator(".made")).to_have_text("→ right · key")
    page.keyboard.press("ArrowLeft")
    expect(player).to_have_attribute("data-seq", "0")
    assert colour_at(page, 8 + 4, 8 + 4) == BLUE


def test_comma_and_full_stop_step_by_frame(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk)
    frames = walk.entries.get(seq=3).frame_count
    assert frames > 1, "a completed level has more than one frame"
    for _ in range(3):
        page.keyboard.press(".")
    expect(player).to_have_attribute("data-seq", "3")
    expect(player).to_have_attribute("data-frame", "0")
    page.keyboard.press(".")
    expect(player).to_have_attribute("data-frame", "1")
    page.keyboard.press(",")
    page.keyboard.press(",")
    expect(player).to_have_attribute("data-seq", "2")


def test_brackets_go_from_level_to_level(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk)
    seen = []
    for _ in range(6):
        page.keyboard.press("]")
        seen.append(player.get_attribute("data-seq"))
    assert seen == ["3", "7", "10", "13", "16", "16"]
    page.keyboard.press("[")
    expect(player).to_have_attribute("data-seq", "13")


def test_it_plays_to_the_end_and_stops(page: Page, open_replay: Open) -> None:
    attempt = sittings.play(sittings.sit_down(sittings.study()), [4, 4, 4, 2], seconds_an_action=0.2)
    player = open_replay(attempt)
    page.keyboard.press(" ")
    expect(player).to_have_attribute("data-seq", "4")
    expect(player.locator(".play")).to_have_text("Play")


def test_speed_changes_by_keys_and_by_hand(page: Page, open_replay: Open, walk: Attempt) -> None:
    speed = open_replay(walk).locator("select")
    expect(speed).to_have_value("1")
    page.keyboard.press("ArrowUp")
    expect(speed).to_have_value("2")
    for _ in range(9):
        page.keyboard.press("ArrowDown")
    expect(speed).to_have_value("0.25")
    speed.select_option("16")
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(page.locator("replay-player")).to_have_attribute("data-seq", "19")


def test_pausing_holds_the_frame(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk)
    page.keyboard.press(" ")
    expect(player.locator(".play")).to_have_text("Pause")
    page.keyboard.press(" ")
    expect(player.locator(".play")).to_have_text("Play")
    held = player.locator("output").text_content()
    page.wait_for_timeout(120)
    assert player.locator("output").text_content() == held


def test_the_bar_seeks_by_time(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk)
    player.locator("input[type=range]").fill("7000")
    expect(player).to_have_attribute("data-seq", "3")
    expect(player.locator("output")).to_contain_text("0:07.0")


def test_levels_and_resets_are_marked_on_the_bar(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk)
    expect(player.locator(".marks .level")).to_have_count(6)
    expect(player.locator(".marks .reset")).to_have_count(1)
    player.get_by_role("button", name="To level 3").click()
    expect(player.locator("output")).to_contain_text("level 3, action 7")


def test_the_log_seeks_and_follows(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk)
    log = player.locator("replay-log")
    log.get_by_role("button", name="reset level").click()
    expect(player).to_have_attribute("data-seq", "4")
    expect(log.locator("[aria-current]")).to_contain_text("reset level")
    page.keyboard.press("ArrowRight")
    expect(log.locator("[aria-current]")).to_contain_text("down")
    expect(log.locator(".event")).to_contain_text("attempt ended · completed")


def test_the_current_line_of_a_long_log_is_in_view(page: Page, open_replay: Open) -> None:
    attempt = sittings.play(sittings.sit_down(sittings.study()), [2] * 150)
    player = open_replay(attempt)
    player.locator("input[type=range]").fill("200000")
    current = player.locator("replay-log [aria-current]")
    expect(player).to_have_attribute("data-seq", "100")
    expect(current).to_be_in_viewport()


def test_an_address_leads_to_a_level_and_to_an_action(page: Page, open_replay: Open, walk: Attempt) -> None:
    expect(open_replay(walk, "#level=3")).to_have_attribute("data-seq", "7")
    page.goto("about:blank")
    expect(open_replay(walk, "#action=5")).to_have_attribute("data-seq", "5")


def test_a_click_is_shown_where_it_was_made(page: Page, open_replay: Open) -> None:
    attempt = sittings.play(sittings.sit_down(sittings.study("ck01")), [(32, 16)])
    player = open_replay(attempt)
    expect(player.locator(".cell-marker")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(player.locator(".made")).to_have_text("click 32, 16 · mouse")
    marker = player.locator(".cell-marker").bounding_box()
    canvas = player.locator("canvas").bounding_box()
    assert marker is not None
    assert canvas is not None
    cell = canvas["width"] / 64
    assert (marker["x"] - canvas["x"]) / cell == pytest.approx(32, abs=0.1)
    assert (marker["y"] - canvas["y"]) / cell == pytest.approx(16, abs=0.1)


def test_everything_comes_with_one_request_of_the_journal(
    page: Page, open_replay: Open, walk: Attempt
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    player = open_replay(walk)
    expect(player).to_have_attribute("data-seq", "0")
    page.wait_for_load_state("networkidle")
    journals = [url for url in asked if url.endswith("/journal.json")]
    before = len(asked)
    for key in "]]].,[ ":
        page.keyboard.press(key)
    assert (len(journals), len(asked)) == (1, before)


def test_an_attempt_without_an_action_says_so(page: Page, open_replay: Open) -> None:
    attempt = sittings.play(sittings.sit_down(sittings.study()), [])
    expect(open_replay(attempt)).to_contain_text("No action was made")


def test_an_attempt_without_a_frame_says_so(page: Page, open_replay: Open) -> None:
    attempt = open_next(sittings.sit_down(sittings.study()))
    assert attempt is not None
    expect(open_replay(attempt)).to_contain_text("ended before its first frame")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("gone", 500, "journal_unavailable"),
        ('{"entries": [{"seq": 0, "frames": "AQA=", "frame_count": 1}]}', 200, "journal_unreadable"),
    ],
)
def test_a_journal_that_cannot_be_shown_is_told_with_a_code(
    page: Page, walk: Attempt, body: str, status: int, code: str
) -> None:
    browse(page, signed_in(Role.RESEARCHER))
    page.route(re.compile("journal.json$"), lambda route: route.fulfill(status=status, body=body))
    page.goto(f"{ORIGIN}{reverse('review:attempt', args=[walk.pk])}")
    expect(page.get_by_role("alert")).to_contain_text(code)
