"""Replays of a list one after another, and ways that spare waiting."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from playtest.people.roles import Role
from playtest.play.models import Attempt, Study
from playtest.review.views.places import place_in_list
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.review.replaying import Open
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


LIST = reverse("review:attempts")


@pytest.fixture
def study() -> Study:
    return make.study(people=10)


@pytest.fixture
def left(study: Study) -> list[Attempt]:
    """Three people who gave up on level 2, the newest first; a fourth one completed everything."""
    played = [make.play(make.session(study), WALK[:4], Outcome.GAVE_UP) for _ in range(3)]
    make.play(make.session(study), WALK, Outcome.COMPLETED)
    return played[::-1]


def links(client: Client, query: str) -> list[str]:
    """Where the rows of the list lead."""
    text = client.get(f"{LIST}?{query}").content.decode()
    return [found.replace("&amp;", "&") for found in re.findall(r'<th scope="row"><a href="([^"]+)"', text)]


def test_a_row_leads_to_its_replay_within_the_list(study: Study, left: list[Attempt]) -> None:
    designer = signed_in(Role.DESIGNER)
    found = links(designer, "outcome=gave_up&level=2&there=stopped")
    assert len(found) == 3
    for number, (address, attempt) in enumerate(zip(found, left, strict=True), start=1):
        path, _, moment = address.partition("#")
        assert path.startswith(reverse("review:attempt", args=[attempt.pk]))
        assert moment == "end=2"
        page = designer.get(path).content.decode()
        assert f"List of attempts</a>, {number} of 3" in page
        assert ('rel="prev"' in page, 'rel="next"' in page) == (number > 1, number < 3)


def test_a_place_knows_its_neighbours_in_the_order_of_the_list(left: list[Attempt]) -> None:
    newest, middle, oldest = (attempt.pk for attempt in left)
    place = place_in_list("outcome=gave_up", middle)
    assert place is not None
    assert (place.number, place.count) == (2, 3)
    assert [f"/{newest}/" in place.before, f"/{oldest}/" in place.after] == [True, True]
    turned = place_in_list("outcome=gave_up&sort=begun", middle)
    assert turned is not None
    assert [f"/{oldest}/" in turned.before, f"/{newest}/" in turned.after] == [True, True]


def test_an_attempt_that_is_not_in_the_list_has_no_place_in_it(left: list[Attempt]) -> None:
    assert place_in_list("outcome=completed", left[0].pk) is None
    page = signed_in(Role.DESIGNER).get(
        reverse("review:attempt", args=[left[0].pk]), {"list": "outcome=completed"}
    )
    assert page.status_code == 200
    assert "List of attempts</a>" not in page.content.decode()


@pytest.mark.parametrize("address", ["", "study=x&level=-1&sort=none", "%00", "a" * 5000])
def test_a_strange_list_is_the_list_without_what_is_strange(left: list[Attempt], address: str) -> None:
    answer = signed_in(Role.DESIGNER).get(reverse("review:attempt", args=[left[0].pk]), {"list": address})
    assert answer.status_code == 200
    assert ", 2 of 4" in answer.content.decode()


def test_the_environments_page_leads_into_the_list_of_its_attempts(study: Study, left: list[Attempt]) -> None:
    designer = signed_in(Role.DESIGNER)
    page = designer.get(reverse("insight:environment", args=["wk01"])).content.decode()
    (address,) = re.findall(rf'href="(/staff/attempts/{left[0].pk}/\?list=[^"]+)"', page)
    assert ", 2 of 4" in designer.get(address.replace("&amp;", "&")).content.decode()


def test_replays_follow_each_other_by_keys(page: Page, left: list[Attempt]) -> None:
    browse(page, signed_in(Role.DESIGNER))
    page.goto(f"{ORIGIN}{LIST}?outcome=gave_up")
    page.get_by_role("link", name="wk01 by").first.click()
    for key, attempt, number in (("n", left[1], 2), ("n", left[2], 3), ("n", left[2], 3), ("b", left[1], 2)):
        page.locator("replay-player canvas").first.wait_for()
        page.keyboard.press(key)
        page.wait_for_url(re.compile(rf"/staff/attempts/{attempt.pk}/"))
        expect(page.get_by_role("navigation", name="List", exact=True)).to_contain_text(f"{number} of 3")


def moment(player: Locator) -> Locator:
    return player.locator("output")


def test_the_bar_shows_the_frame_at_the_pointer_and_choices_are_kept(
    page: Page, open_replay: Open, walk: Attempt
) -> None:
    player = open_replay(walk)
    bar = player.locator("replay-bar")
    expect(bar.locator(".peek")).to_be_hidden()
    box = bar.locator("input").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 5)
    expect(bar.locator(".peek")).to_contain_text("level 6, action 19")
    page.mouse.move(box["x"] + 10, box["y"] + 5)
    expect(bar.locator(".peek")).to_contain_text("level 1, action 0")
    page.mouse.move(5, 5)
    expect(bar.locator(".peek")).to_be_hidden()
    player.get_by_label("Speed").select_option("4")
    player.get_by_text("More", exact=True).click()
    player.get_by_label("Clock").select_option("per action")
    player.get_by_label("Skip idle over").check()
    player = open_replay(walk)
    expect(player.get_by_label("Speed")).to_have_value("4")
    expect(player.get_by_label("Clock")).to_have_value("action")
    expect(player.get_by_label("Skip idle over")).to_be_checked()
