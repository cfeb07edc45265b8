"""The replay plays, steps, seeks and leads to moments, in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from playtest.play.models import Attempt
from tests import make
from tests.browsing import settled
from tests.review import tampering
from tests.review.replaying import BLUE, Open, colour_at

pytestmark = pytest.mark.django_db


def test_arrows_step_by_action_comma_and_full_stop_by_frame_and_brackets_by_level(
    page: Page, open_replay: Open, walk: Attempt
) -> None:
    """All of it with one request of the journal."""
    tampering.set_entry(walk, 1, queued_ms=120, screen_age_ms=4120)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    player = open_replay(walk)
    settled(page)
    journals = [url for url in asked if url.endswith("/journal.json")]
    before = len(asked)
    expect(player).to_have_attribute("data-seq", "0")
    expect(player.locator("output")).to_contain_text("0:00.0 of 0:38.0 · level 1, action 0")
    expect(player.locator(".last-action kbd")).to_have_count(0)
    assert colour_at(page, 8 + 4, 8 + 4) == BLUE
    page.keyboard.press("ArrowRight")
    expect(player).to_have_attribute("data-seq", "1")
    expect(player.locator(".last-action")).to_have_text("→ right · key · queued 120 ms · screen 4.1 s old")
    expect(player.locator(".last-action kbd")).to_have_text("→")
    assert colour_at(page, 16 + 4, 8 + 4) == BLUE
    page.keyboard.press("ArrowLeft")
    expect(player).to_have_attribute("data-seq", "0")
    assert colour_at(page, 8 + 4, 8 + 4) == BLUE
    assert walk.entries.get(seq=3).frame_count > 1, "a completed level has more than one frame"
    for _ in range(3):
        page.keyboard.press(".")
    expect(player).to_have_attribute("data-seq", "3")
    expect(player).to_have_attribute("data-frame", "0")
    page.keyboard.press(".")
    expect(player).to_have_attribute("data-frame", "1")
    page.keyboard.press(",")
    page.keyboard.press(",")
    expect(player).to_have_attribute("data-seq", "2")
    for seq in ("3", "7", "10", "13", "16", "16"):
        page.keyboard.press("]")
        expect(player).to_have_attribute("data-seq", seq)
    page.keyboard.press("[")
    expect(player).to_have_attribute("data-seq", "13")
    assert (len(journals), len(asked)) == (1, before)


def test_it_plays_pauses_goes_on_to_the_end_and_stops(page: Page, open_replay: Open) -> None:
    attempt = make.play(make.session(make.study()), [4, 4, 4, 2], seconds_an_action=4)
    player = open_replay(attempt)
    page.keyboard.press(" ")
    expect(player.locator(".play")).to_have_text("Pause")
    page.keyboard.press(" ")
    expect(player.locator(".play")).to_have_text("Play")
    held = player.locator("output").text_content()
    page.wait_for_timeout(120)
    assert player.locator("output").text_content() == held
    player.locator("[name=speed]").select_option("16")
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(player).to_have_attribute("data-seq", "4")
    expect(player.locator(".play")).to_have_text("Play")


def test_the_bar_seeks_by_time_and_the_other_clock_keeps_the_place(
    page: Page, open_replay: Open, walk: Attempt
) -> None:
    player = open_replay(walk)
    bar = player.locator("input[type=range]")
    bar.fill("7000")
    expect(player).to_have_attribute("data-seq", "3")
    expect(player.locator("output")).to_contain_text("0:07.0")
    page.locator("h1").click()
    page.keyboard.press("t")
    expect(player.locator("[name=clock]")).to_have_value("action")
    expect(player).to_have_attribute("data-seq", "3")
    expect(bar).not_to_have_value("7000")
    page.keyboard.press("ArrowRight")
    expect(player).to_have_attribute("data-seq", "4")


def test_idle_time_is_hatched_and_skipped(page: Page, open_replay: Open) -> None:
    attempt = make.play(make.session(make.study()), [4, 2], seconds_an_action=600)
    player = open_replay(attempt)
    expect(player.locator("replay-bar .idle")).to_have_count(2)
    page.keyboard.press("i")
    expect(player.get_by_label("Skip idle over")).to_be_checked()
    page.keyboard.press(" ")
    expect(player).to_have_attribute("data-seq", "2")
    player.get_by_text("More", exact=True).click()
    player.locator("[name=idle]").fill("600")
    expect(player.locator("replay-bar .idle")).to_have_count(0)


def test_addresses_lead_to_moments_and_the_link_of_one_back_to_it(
    page: Page, open_replay: Open, walk: Attempt
) -> None:
    expect(open_replay(walk, "#action=5")).to_have_attribute("data-seq", "5")
    expect(open_replay(walk, "?t=7.25").locator("output")).to_contain_text("0:07.2")
    player = open_replay(walk, "#level=3")
    expect(player).to_have_attribute("data-seq", "7")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("l")
    expect(player.locator(".message")).not_to_be_empty()
    expect(page).to_have_url(re.compile(r"\?a=8$"))
    page.goto(page.url)
    expect(player).to_have_attribute("data-seq", "8")


def test_the_log_seeks_and_follows_and_keeps_its_current_line_in_view(
    page: Page, open_replay: Open, walk: Attempt
) -> None:
    player = open_replay(walk)
    log = player.locator("replay-log")
    log.get_by_role("button", name="reset level").click()
    expect(player).to_have_attribute("data-seq", "4")
    expect(log.locator("[aria-current]")).to_contain_text("reset level")
    page.keyboard.press("ArrowRight")
    expect(log.locator("[aria-current]")).to_contain_text("down")
    expect(log.locator(".event")).to_contain_text("attempt ended · completed")
    player = open_replay(make.play(make.session(walk.session.study), [2] * 150))
    player.locator("input[type=range]").fill("200000")
    expect(player).to_have_attribute("data-seq", "100")
    expect(player.locator("replay-log [aria-current]")).to_be_in_viewport()
