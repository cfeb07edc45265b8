"""The replay of a static task in a real browser: its grids, submissions and, on demand, its solution."""

import pytest
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from tests import make
from tests.browsing import browse
from tests.make_tasks import play_task
from tests.review.replaying import Open
from tests.review.task_replays import EDITS, task_attempt
from tests.staff import signed_in

pytestmark = pytest.mark.django_db


def test_edits_are_named_and_submissions_and_test_inputs_are_reached(page: Page, open_replay: Open) -> None:
    player = open_replay(task_attempt())
    expect(player.locator("output")).to_contain_text("test input 1, edit 0")
    page.keyboard.press("ArrowRight")
    expect(player.locator(".last-action")).to_contain_text("painted 3 cells red")
    for seq in ("2", "11", "16", "16"):
        page.keyboard.press("s")
        expect(player).to_have_attribute("data-seq", seq)
    page.keyboard.press("Shift+S")
    expect(player).to_have_attribute("data-seq", "11")
    expect(player.locator(".last-action")).to_contain_text("submission 2: right")
    marks = player.locator("replay-bar .marks")
    expect(marks.locator(".right")).to_have_count(1)
    expect(marks.locator(".wrong")).to_have_count(2)
    expect(player.locator("replay-log")).to_contain_text("copied the input")
    page.keyboard.press("Home")
    panel = player.locator("replay-task")
    expect(panel.locator("h2").first).to_have_text("Test input 1 of 2")
    expect(panel.get_by_text("Demonstration 1", exact=True)).to_be_visible()
    for seq, number in (("3", 2), ("5", 1), ("11", 2)):
        page.keyboard.press("]")
        expect(player).to_have_attribute("data-seq", seq)
        expect(panel.locator("h2").first).to_have_text(f"Test input {number} of 2")
    buttons = player.locator(".levels button")
    expect(buttons).to_have_count(2)
    buttons.nth(1).click()
    expect(player).to_have_attribute("data-seq", "3")
    panel.get_by_role("button", name="Test input 2, submission 1: wrong").click()
    expect(player).to_have_attribute("data-seq", str(len(EDITS)))


def test_the_solution_is_asked_for_by_who_may_read_sources(page: Page, open_replay: Open) -> None:
    attempt = task_attempt()
    assert open_replay(attempt).get_by_role("button", name="Show the solution").count() == 0
    browse(page, signed_in(Role.DESIGNER))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "solution" in request.url else None)
    player = open_replay(attempt, f"?a={len(EDITS)}")
    assert asked == []
    player.get_by_role("button", name="Show the solution").click()
    expect(player.locator(".solution")).to_contain_text("1 of 3 cells is wrong.")
    expect(player.locator(".over .wrong")).to_be_visible()
    page.keyboard.press("Home")
    expect(player.locator(".solution")).to_contain_text("The size is 3 by 3 and should be 2 by 2")
    player.get_by_role("button", name="Hide the solution").click()
    expect(player.locator(".over .wrong")).to_be_hidden()
    assert len(asked) == 1


def test_two_people_are_compared_beside_each_other(page: Page, open_replay: Open) -> None:
    first = task_attempt()
    second = play_task(make.session(first.session.study), [{"op": "copy_input"}])
    player = open_replay(first, f"?with={second.pk}")
    expect(player.locator("replay-screen")).to_have_count(2)
    expect(player.locator(".attempt-name").nth(1)).to_contain_text("0 of 2 test inputs")
    expect(player.locator("[name=align]")).to_contain_text("by test input")
    page.keyboard.press("End")
    expect(player.locator(".last-action").nth(1)).to_contain_text("copied the input")
