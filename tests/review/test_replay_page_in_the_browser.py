"""What the replay page shows beside the board: marks, clicks, heat, keys; and what it says when it cannot."""

import os
import re
from datetime import datetime, timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.center.interventions.services import void_attempt
from playtest.center.models import VoidReason
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Attempt, Event, EventKind
from playtest.play.sessions.attempts import open_next
from playtest.studio.models import Recording
from tests import make
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.review.replaying import Open
from tests.staff import signed_in, staff

pytestmark = pytest.mark.django_db

COLOURS_DRAWN = """(canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
}"""


def test_what_happened_is_marked_where_it_happened(page: Page, open_replay: Open, walk: Attempt) -> None:
    began = walk.entries.get(seq=0).server_time
    for kind, seconds in ((EventKind.PROMPT_SHOWN, 19), (EventKind.PAGE_HIDDEN, 38)):
        Event.objects.create(
            session=walk.session, attempt=walk, kind=kind, server_time=began + timedelta(seconds=seconds)
        )
    player = open_replay(walk)
    bar = player.locator("replay-bar")
    expect(bar.locator(".level")).to_have_count(6)
    expect(bar.locator(".reset")).to_have_count(1)
    expect(bar.locator(".prompt")).to_have_attribute("title", "prompt shown")
    expect(bar.locator(".unchanged")).to_have_attribute("title", "action 4 changed nothing")
    middle, end = bar.locator(".prompt").bounding_box(), bar.locator(".page").bounding_box()
    first = bar.locator(".level").first.bounding_box()
    assert middle is not None
    assert end is not None
    assert first is not None
    assert (middle["x"] - first["x"]) / (end["x"] - first["x"]) == pytest.approx(0.5, abs=0.02)
    level = player.get_by_role("button", name="To level 3")
    assert level.locator("canvas").evaluate(COLOURS_DRAWN) > 1
    level.click()
    expect(player.locator("output")).to_contain_text("level 3, action 7")


def test_what_staff_did_is_marked_and_in_the_log_in_words(page: Page, open_replay: Open) -> None:
    attempt = make.play(make.session(make.study()), WALK[:6], None, minutes_ago=30, pause=(3, 380))
    void_attempt(attempt, staff(Role.PROCTOR), VoidReason.DISTURBED, "fire alarm")
    player = open_replay(attempt)
    bar, log = player.locator("replay-bar"), player.locator("replay-log")
    expect(bar.locator(".pause")).to_have_attribute("title", "paused 6:20")
    expect(bar.locator(".staff").first).to_have_attribute(
        "title", "The session was paused: “fire alarm” · by proctor"
    )
    expect(log).to_contain_text("The session was paused: “fire alarm” · by proctorpaused 6:20")
    expect(log).to_contain_text("“fire alarm” · by proctor")
    expect(player.locator("output")).to_contain_text("of 0:12.1")
    clock, form = page.locator("replay-player time"), re.compile(r"^\w{3} \d+, \d\d:\d\d:\d\d$")
    expect(clock).to_have_text(form)
    opened = clock.get_attribute("datetime")
    log.get_by_role("button", name="↓ down").last.click()
    expect(clock).to_have_text(form)
    later = clock.get_attribute("datetime")
    passed = datetime.fromisoformat(str(later)) - datetime.fromisoformat(str(opened))
    assert passed == timedelta(seconds=12.1 + 380)
    expect(page.get_by_role("button", name="Reverse void")).to_be_visible()
    if shots := os.environ.get("SHOTS"):
        page.screenshot(path=f"{shots}/replay.png", full_page=True)


def test_all_fits_a_window_of_1280_by_800_and_a_panel_lists_the_keys(
    page: Page, open_replay: Open, walk: Attempt
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    player = open_replay(walk, "?a=99999")
    expect(player).to_have_attribute("data-seq", "19")
    expect(player.locator(".message")).to_have_text("There is no action 99999: this is the end.")
    for part in ("canvas >> nth=0", "replay-bar", ".play", "output", "replay-log"):
        expect(player.locator(part)).to_be_in_viewport(ratio=1)
    board = player.locator("canvas").first.bounding_box()
    assert board is not None
    assert board["width"] >= 384, "six pixels a cell"
    page.keyboard.press("?")
    panel = page.get_by_role("dialog", name="Keys and marks")
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("previous or next level")
    page.keyboard.press("ArrowLeft")
    expect(player).to_have_attribute("data-seq", "19")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_clicks_are_shown_where_they_were_made_and_their_heat_over_the_levels_first_frame(
    page: Page, open_replay: Open
) -> None:
    attempt = make.play(make.session(make.study("ck01")), [(32, 16), (32, 16), (5, 6)])
    player = open_replay(attempt)
    page.evaluate(
        "for (const part of document.querySelectorAll('body *')) part.style.font = '17.3px/1.37 monospace'"
    )
    expect(player.locator(".cell-marker")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(player.locator(".last-action")).to_have_text("click 32, 16 · mouse")
    expect(player.locator(".ripple")).not_to_have_attribute("hidden", "")
    marker = player.locator(".cell-marker").bounding_box()
    board = player.locator("play-board canvas").first
    canvas = board.bounding_box()
    assert marker is not None
    assert canvas is not None
    cell = canvas["width"] / 64
    assert (marker["x"] - canvas["x"]) / cell == pytest.approx(32, abs=0.01)
    assert (marker["y"] - canvas["y"]) / cell == pytest.approx(16, abs=0.01)
    heat = player.locator(".heat")
    expect(heat).to_be_hidden()
    page.keyboard.press("h")
    expect(heat).to_be_visible()
    opacity = "(canvas, [x, y]) => canvas.getContext('2d').getImageData(x, y, 1, 1).data[3]"
    warm, cool, none = (heat.evaluate(opacity, cell) for cell in ([32, 16], [5, 6], [9, 9]))
    assert warm > cool > none == 0
    assert heat.bounding_box() == pytest.approx(board.bounding_box(), abs=0.02)
    for _ in range(3):
        page.keyboard.press("h")
    expect(heat).to_be_hidden()


def test_the_board_is_large_on_a_small_screen(page: Page, open_replay: Open, walk: Attempt) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    player = open_replay(walk)
    assert player.locator("play-board canvas").first.evaluate("(canvas) => canvas.clientWidth") >= 512
    overflow = "() => document.documentElement.scrollWidth - innerWidth"
    assert page.evaluate(overflow) == 0
    end = player.bounding_box()
    assert end is not None
    assert end["y"] + end["height"] <= 800, "the player is in sight as a whole"


def test_progress_stands_below_the_bar_beside_the_fewest_actions_known(
    page: Page, open_replay: Open, walk: Attempt
) -> None:
    Recording.objects.create(
        version=walk.version, kind="win", name="win", actions=[[act, None, None] for act in WALK],
        levels_completed=[number // 3 for number in range(19)], made_at=now(),
    )  # fmt: skip
    player = open_replay(walk)
    progress = player.locator("replay-progress")
    summary = "6 levels completed in 19 actions; the first 6 took 19, the fewest known for them is 18."
    drawing = progress.get_by_role("img", name=summary)
    expect(drawing).to_be_visible()
    expect(progress.locator("path")).to_have_count(2)
    box = drawing.bounding_box()
    assert box is not None
    drawing.click(position={"x": box["width"] * 10 / 19, "y": 5})
    expect(player).to_have_attribute("data-seq", "10")
    expect(progress.locator(".now")).to_have_attribute("x1", str(1000 * 10 / 19))


def test_without_clicks_dwell_lies_on_what_was_moved(page: Page, open_replay: Open, walk: Attempt) -> None:
    player = open_replay(walk, "#level=2")
    player.get_by_text("More", exact=True).click()
    player.get_by_label("Heat map").select_option("dwell")
    expect(player.locator(".message")).to_contain_text("on the cells it changed")
    shown = "(canvas) => canvas.getContext('2d').getImageData(0, 0, 64, 64).data.some((value) => value > 0)"
    assert player.locator(".heat").evaluate(shown)
    player.get_by_label("Heat map").select_option("clicks")
    expect(player.locator(".message")).to_contain_text("nothing was clicked on this level")


def test_what_has_nothing_to_show_says_so(page: Page, open_replay: Open) -> None:
    study = make.study()
    expect(open_replay(make.play(make.session(study), []))).to_contain_text("No action was made")
    never_opened = open_next(make.session(study))
    assert never_opened is not None
    expect(open_replay(never_opened)).to_contain_text("ended before its first frame")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("gone", 500, "status_500"),
        ('{"entries": [{"seq": 0, "frames": "AQA=", "frame_count": 1}]}', 200, "journal_unreadable"),
    ],
)
def test_an_unreadable_journal_is_reported_with_a_code(
    page: Page, walk: Attempt, body: str, status: int, code: str
) -> None:
    browse(page, signed_in(Role.RESEARCHER))
    page.route(re.compile("journal.json$"), lambda route: route.fulfill(status=status, body=body))
    page.goto(f"{ORIGIN}{reverse('review:attempt', args=[walk.pk])}")
    expect(page.get_by_role("alert")).to_contain_text(code)
