"""Two attempts side by side, and collections from the replay page, in a real browser."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.review.models import Collection
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair() -> tuple[Attempt, Attempt]:
    """A detour of four resets in the first level; the straight walk."""
    study = make.study()
    return (
        make.play(make.session(study), [0, 0, 0, 0, *WALK], Outcome.COMPLETED),
        make.play(make.session(study), WALK, Outcome.COMPLETED),
    )


def open_replay(page: Page, attempt: Attempt, query: str = "") -> None:
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('review:attempt', args=[attempt.pk])}{query}")
    page.wait_for_selector("replay-player[data-seq]")


def test_the_other_follows_by_time_by_action_or_by_level_start(
    page: Page, pair: tuple[Attempt, Attempt]
) -> None:
    one, other = pair
    open_replay(page, one, f"?with={other.pk}&a=8")
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
    open_replay(page, one, "?with=999")
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
    swap = page.get_by_role("link", name="Swap sides").get_attribute("href")
    assert swap is not None
    assert swap.startswith(f"{reverse('review:attempt', args=[other.pk])}?with={one.pk}")
    page.get_by_role("button", name="Close the other").click()
    expect(page.locator("replay-screen")).to_have_count(1)
    expect(page).not_to_have_url(re.compile("with="))


def test_a_replay_is_put_into_a_collection_at_the_moment_shown(
    page: Page, pair: tuple[Attempt, Attempt]
) -> None:
    open_replay(page, pair[0], "?a=3")
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
