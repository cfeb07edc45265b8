"""The replay page in a real browser."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from playtest.people.roles import Role
from playtest.play.models import Attempt, Event, EventKind
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
    speed = open_replay(walk).locator("[name=speed]")
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
    expect(player.locator("replay-bar .level")).to_have_count(6)
    expect(player.locator("replay-bar .reset")).to_have_count(1)
    player.get_by_role("button", name="To level 3").click()
    expect(player.locator("output")).to_contain_text("level 3, action 7")


def test_what_happened_is_marked_where_it_happened(page: Page, open_replay: Open, walk: Attempt) -> None:
    began = walk.entries.get(seq=0).server_time
    for kind, seconds in ((EventKind.PROMPT_SHOWN, 19), (EventKind.PAGE_HIDDEN, 38)):
        Event.objects.create(
            session=walk.session, attempt=walk, kind=kind, server_time=began + timedelta(seconds=seconds)
        )
    bar = open_replay(walk).locator("replay-bar")
    expect(bar.locator(".prompt")).to_have_attribute("title", "prompt shown")
    expect(bar.locator(".unchanged")).to_have_attribute("title", "action 4 changed nothing")
    middle, end = bar.locator(".prompt").bounding_box(), bar.locator(".page").bounding_box()
    first = bar.locator(".level").first.bounding_box()
    assert middle is not None
    assert end is not None
    assert first is not None
    assert (middle["x"] - first["x"]) / (end["x"] - first["x"]) == pytest.approx(0.5, abs=0.02)


def test_idle_time_is_hatched_and_skipped(page: Page, open_replay: Open) -> None:
    attempt = sittings.play(sittings.sit_down(sittings.study()), [4, 2], seconds_an_action=600)
    player = open_replay(attempt)
    expect(player.locator("replay-bar .idle")).to_have_count(2)
    page.keyboard.press("i")
    expect(player.get_by_label("Skip idle over")).to_be_checked()
    page.keyboard.press(" ")
    expect(player).to_have_attribute("data-seq", "2")
    player.locator("[name=idle]").fill("600")
    expect(player.locator("replay-bar .idle")).to_have_count(0)


def test_the_clock_can_be_changed_and_keeps_the_place(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk)
    player.locator("input[type=range]").fill("7000")
    page.locator("h1").click()
    page.keyboard.press("t")
    expect(player.locator("[name=clock]")).to_have_value("action")
    expect(player).to_have_attribute("data-seq", "3")
    expect(player.locator("input[type=range]")).not_to_have_value("7000")
    page.keyboard.press("ArrowRight")
    expect(player).to_have_attribute("data-seq", "4")


def test_a_link_to_the_moment_leads_back_to_it(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk, "#level=3")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("l")
    expect(player.locator(".said")).not_to_be_empty()
    assert page.url.endswith("?a=8")
    page.goto(page.url)
    expect(player).to_have_attribute("data-seq", "8")
    player = open_replay(walk, "?t=7.25")
    expect(player.locator("output")).to_contain_text("0:07.2")


def test_a_panel_lists_the_keys(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk)
    page.keyboard.press("?")
    panel = page.get_by_role("dialog", name="Keys and marks")
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("previous or next level")
    page.keyboard.press("ArrowRight")
    expect(player).to_have_attribute("data-seq", "0")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_the_pressed_key_is_shown_as_a_cap(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk)
    expect(player.locator(".made kbd")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(player.locator(".made kbd")).to_have_text("→")


def test_board_bar_and_buttons_fit_a_window_of_1280_by_800(
    page: Page, open_replay: Open, walk: Attempt
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    player = open_replay(walk)
    for part in ("canvas >> nth=0", "replay-bar", ".play", "output", "replay-log"):
        expect(player.locator(part)).to_be_in_viewport(ratio=1)
    board = player.locator("canvas").first.bounding_box()
    assert board is not None
    assert board["width"] >= 384, "six pixels a cell"


def test_heat_lies_over_the_levels_first_frame(page: Page, open_replay: Open) -> None:
    attempt = sittings.play(sittings.sit_down(sittings.study("ck01")), [(32, 16), (32, 16), (5, 6)])
    player = open_replay(attempt, "#action=3")
    heat = player.locator(".heat")
    expect(heat).to_be_hidden()
    page.keyboard.press("h")
    expect(heat).to_be_visible()
    opacity = "(canvas, [x, y]) => canvas.getContext('2d').getImageData(x, y, 1, 1).data[3]"
    warm, cool, none = (heat.evaluate(opacity, cell) for cell in ([32, 16], [5, 6], [9, 9]))
    assert warm > cool > none == 0
    over, board = heat.bounding_box(), player.locator("play-board canvas").bounding_box()
    assert over == pytest.approx(board, abs=1)
    for _ in range(3):
        page.keyboard.press("h")
    expect(heat).to_be_hidden()


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
    expect(player.locator(".ripple")).not_to_have_attribute("hidden", "")
    marker = player.locator(".cell-marker").bounding_box()
    canvas = player.locator("play-board canvas").bounding_box()
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
