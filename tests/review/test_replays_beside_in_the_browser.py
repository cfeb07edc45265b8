"""What stands beside a replay in a real browser: comments, another attempt, a task's grids."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.review.models import Collection, Comment
from playtest.review.services.collections import CommentContent, add_comment
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment
from tests import make
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.make_tasks import play_task
from tests.review.replaying import Open
from tests.review.task_replays import EDITS, task_attempt
from tests.staff import signed_in, staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def commented() -> Attempt:
    return make.play(make.session(make.study()), [4, 4, 4, 2])


def open_replay(page: Page, commented: Attempt, moment: str = "") -> None:
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('review:attempt', args=[commented.pk])}{moment}")
    page.wait_for_selector("replay-player[data-seq]")


def test_a_comment_is_written_from_the_keyboard_at_the_moment_shown(page: Page, commented: Attempt) -> None:
    open_replay(page, commented, "?a=2")
    page.keyboard.press("c")
    page.keyboard.type("turns back, why?")
    page.keyboard.press("Tab")
    page.keyboard.type("stuck")
    page.keyboard.press("Control+Enter")
    comments = page.locator("replay-comments")
    expect(comments.locator("li")).to_contain_text("turns back, why?")
    expect(page.locator("replay-bar .comment")).to_have_attribute(
        "title", "researcher: turns back, why? · stuck"
    )
    found = Comment.objects.get()
    assert (found.seq, found.seconds, found.tags) == (2, 4.0, ["stuck"])
    page.keyboard.press("End")
    comments.get_by_role("button", name="0:04.0").click()
    expect(page.locator("replay-player")).to_have_attribute("data-seq", "2")


def test_an_author_changes_and_deletes_a_comment(page: Page, commented: Attempt) -> None:
    add_comment(commented, staff(Role.RESEARCHER), 1, 2.0, CommentContent("mine", ()))
    add_comment(commented, staff(Role.LEAD), 2, 4.0, CommentContent("theirs", ()))
    open_replay(page, commented)
    comments = page.locator("replay-comments")
    expect(comments.get_by_role("button", name="Change")).to_have_count(1)
    comments.get_by_role("button", name="Change").click()
    page.get_by_label("Comment", exact=True).fill("better said")
    comments.get_by_role("button", name="Save").click()
    expect(comments.locator("li").first).to_contain_text("better said")
    comments.get_by_role("button", name="Delete").click()
    expect(comments.locator("li")).to_have_count(1)
    assert [comment.text for comment in Comment.objects.all()] == ["theirs"]


@pytest.fixture
def pair() -> tuple[Attempt, Attempt]:
    """A detour of four resets in the first level; the straight walk."""
    study = make.study()
    return (
        make.play(make.session(study), [0, 0, 0, 0, *WALK], Outcome.COMPLETED),
        make.play(make.session(study), WALK, Outcome.COMPLETED),
    )


def open_beside(page: Page, attempt: Attempt, query: str = "") -> None:
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('review:attempt', args=[attempt.pk])}{query}")
    page.wait_for_selector("replay-player[data-seq]")


def test_the_other_follows_by_time_by_action_or_by_level_start(
    page: Page, pair: tuple[Attempt, Attempt]
) -> None:
    one, other = pair
    open_beside(page, one, f"?with={other.pk}&a=8")
    beside = page.locator("replay-screen").nth(1)
    expect(beside.locator(".attempt-name")).to_contain_text(other.participant.label)
    made = beside.locator(".last-action")
    expect(made).to_have_text("↑ up · key")
    page.locator("[name=align]").select_option("level")
    expect(made).to_have_text("↓ down · key")
    page.locator("h1").click()
    page.keyboard.press("Home")
    expect(made).to_have_text("first frame")
    page.locator("[name=align]").select_option("action")
    page.keyboard.press("ArrowRight")
    expect(made).to_have_text("→ right · key")


def test_another_attempt_is_chosen_and_the_address_keeps_it(
    page: Page, pair: tuple[Attempt, Attempt]
) -> None:
    one, other = pair
    open_beside(page, one, "?with=999")
    expect(page.get_by_role("alert")).to_contain_text("other_unknown")
    expect(page.locator("replay-player")).to_have_attribute("data-seq", "0")
    page.keyboard.press("v")
    page.get_by_label("With").select_option(str(other.pk))
    page.get_by_role("button", name="Show").click()
    expect(page.locator("replay-screen")).to_have_count(2)
    expect(page).to_have_url(re.compile(f"with={other.pk}"))
    page.get_by_label("The other").select_option("ghost")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("replay-screen").nth(1)).to_be_hidden()
    opacity = "(canvas, x) => canvas.getContext('2d').getImageData(x, 12, 1, 1).data[3]"
    ghost = page.locator(".ghost").first
    assert [ghost.evaluate(opacity, x) > 0 for x in (12, 20, 60)] == [True, True, False], (
        "it has gone one step"
    )
    assert "as=ghost" in page.url
    page.get_by_label("The other").select_option("beside")
    expect(ghost).to_be_hidden()
    expect(page.locator("replay-screen").nth(1)).to_be_visible()
    page.get_by_role("button", name="Close the other").click()
    expect(page.locator("replay-screen")).to_have_count(1)
    expect(page).not_to_have_url(re.compile("with="))


def test_a_replay_is_put_into_a_collection_at_the_moment_shown(
    page: Page, pair: tuple[Attempt, Attempt]
) -> None:
    open_beside(page, pair[0], "?a=3")
    page.keyboard.press("p")
    dialog = page.get_by_role("dialog", name="Add to a collection")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_role("alert")).to_contain_text("collection_unnamed")
    dialog.get_by_label("New collection").fill("Detours")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".message")).to_have_text("Added to the collection.")
    (item,) = Collection.objects.get(name="Detours").items.all()
    assert (item.attempt, item.seq) == (pair[0], 3)


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


def test_the_solution_is_asked_for_by_the_owner(page: Page, open_replay: Open) -> None:
    attempt = task_attempt()
    Environment.objects.filter(pk=attempt.environment_id).update(owner=staff(Role.DESIGNER))
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
