"""Comments beside the replay, in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.review.models import Comment
from playtest.review.services.comments import CommentContent, add_comment
from tests import make
from tests.browsing import ORIGIN, browse
from tests.staff import signed_in, staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt() -> Attempt:
    return make.play(make.session(make.study()), [4, 4, 4, 2])


def open_replay(page: Page, attempt: Attempt, moment: str = "") -> None:
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('review:attempt', args=[attempt.pk])}{moment}")
    page.wait_for_selector("replay-player[data-seq]")


def test_a_comment_is_written_from_the_keyboard_at_the_moment_shown(page: Page, attempt: Attempt) -> None:
    open_replay(page, attempt, "?a=2")
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


def test_an_author_changes_and_deletes_a_comment(page: Page, attempt: Attempt) -> None:
    add_comment(attempt, staff(Role.RESEARCHER), 1, 2.0, CommentContent("mine", ()))
    add_comment(attempt, staff(Role.LEAD), 2, 4.0, CommentContent("theirs", ()))
    open_replay(page, attempt)
    comments = page.locator("replay-comments")
    expect(comments.get_by_role("button", name="Change")).to_have_count(1)
    comments.get_by_role("button", name="Change").click()
    page.get_by_label("Comment", exact=True).fill("better said")
    comments.get_by_role("button", name="Save").click()
    expect(comments.locator("li").first).to_contain_text("better said")
    comments.get_by_role("button", name="Delete").click()
    expect(comments.locator("li")).to_have_count(1)
    assert [comment.text for comment in Comment.objects.all()] == ["theirs"]
