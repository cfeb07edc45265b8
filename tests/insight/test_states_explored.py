"""Where people are among the states of a level that is explored, and the pages behind each mark."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.rules.attempt import Outcome
from playtest.rules.state_space.locating import Outlook
from playtest.studio.models import Version
from tests import make
from tests.browsing import ORIGIN, browse
from tests.engine.mazes import maze
from tests.insight.test_states import CORRIDOR, PAGE, TO_DEAD_END, TO_LOSS, WIN, explore, found, plays, text
from tests.staff import signed_in
from tests.studio.test_explorations import stored_version

pytestmark = [pytest.mark.django_db, pytest.mark.once]

FIGURE = "/staff/environments/xx02/figures/states-1.json"


@pytest.fixture(scope="module")
def version(module_db: None) -> Version:
    made = stored_version(maze(CORRIDOR))
    explore(made)
    return made


@pytest.fixture(scope="module")
def attempts(version: Version) -> dict[str, Attempt]:
    study = make.study(pool=[version.environment], people=100)
    played = {
        "swallowed": [*TO_DEAD_END, 1, 2], "near": [2, 2, 1, 2], "circling": [2, 1, 2, 1, 1, 2, 2],
        "lost": TO_LOSS, "won": WIN, "dead": TO_DEAD_END,
    }  # fmt: skip
    return {name: plays(study, acts, outcome=Outcome.GAVE_UP) for name, acts in played.items()}


def test_everybody_is_in_an_explored_state_with_its_way_to_a_win(
    version: Version, attempts: dict[str, Attempt]
) -> None:
    states = found(version)
    assert states.unexplored == 0
    outlooks = {person: states.outlook(state) for person, state in states.stopped.items()}
    assert {name: outlooks.get(one.pk) for name, one in attempts.items()} == {
        "swallowed": Outlook.DEAD_END,
        "near": Outlook.OPEN,
        "circling": Outlook.OPEN,
        "lost": Outlook.LOST,
        "won": None,
        "dead": Outlook.DEAD_END,
    }
    swallowed, near, circling, lost, *_ = attempts.values()
    assert [states.fewest(states.stopped[one.pk]) for one in (near, circling)] == [1, 3]
    assert all(states.exact(states.stopped[one.pk]) for one in (near, circling))
    assert [fall.action for fall in states.stays[swallowed.pk].falls] == [3]
    assert [fall.for_good for fall in states.stays[lost.pk].falls] == [True]
    assert sum(states.stays[circling.pk].returns.values()) == 4
    assert states.stays[near.pk].closest == 1


def test_every_mark_leads_to_a_page_with_its_people(version: Version, attempts: dict[str, Attempt]) -> None:
    designer = signed_in(Role.DESIGNER)
    figure = designer.get(FIGURE).json()
    states = found(version)
    assert sum(row["states"] for row in figure["rows"]) == len(states.uses)
    assert sum(row["stopped"] for row in figure["rows"]) == len(states.stopped)
    for row in figure["rows"]:
        page = text(designer, row["href"])
        assert f"{row['people']} " in page
        assert "Who was here" in page
    dead = next(row for row in figure["rows"] if row["outlook"] == "no win can be reached")
    shown = designer.get(dead["href"]).content.decode()
    for name, action in (("dead", 3), ("swallowed", 5)):
        assert f"/staff/attempts/{attempts[name].pk}/#action={action}" in shown
    for key in ("0" * 16, "nothing", f"-{'1' * 15}", f"{'0' * 16}-x"):
        assert designer.get(f"{PAGE.format(1)}{key}/").status_code == 404


def test_who_may_not_watch_sees_names_without_frames_and_replays(attempts: dict[str, Attempt]) -> None:
    engineer = signed_in(Role.ENGINEER)
    figure = engineer.get(FIGURE).json()
    dead = next(row for row in figure["rows"] if row["outlook"] == "no win can be reached")
    for address in (PAGE.format(1), dead["href"]):
        page = engineer.get(address).content.decode()
        assert attempts["dead"].participant.label in page
        assert "/staff/attempts/" not in page
    assert set(figure["options"]["pictures"]) == {None}
    lead = signed_in(Role.LEAD).get(PAGE.format(1)).content.decode()
    assert f"/staff/attempts/{attempts['dead'].pk}/#action=3" in lead
    assert "/moment.png?action=3" in lead


def test_the_figure_is_read_by_keyboard_and_leads_to_replays(
    page: Page, attempts: dict[str, Attempt]
) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    browse(page, signed_in(Role.DESIGNER))
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{ORIGIN}{PAGE.format(1)}")
    marks = page.locator("#figure-states-1 svg.plot a")
    expect(marks.first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    swallowing = page.locator('#figure-states-1 a[aria-label*="no win can be reached"]')
    swallowing.focus()
    frame = page.locator("#figure-states-1 .tip img")
    expect(frame).to_be_visible()
    expect(frame).to_have_js_property("naturalWidth", 128)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("no win can be reached")
    page.get_by_role("link", name=attempts["dead"].participant.label).click()
    page.wait_for_url(re.compile(rf"/staff/attempts/{attempts['dead'].pk}/#action=3$"))
    expect(page.locator("replay-player")).to_have_attribute("data-seq", "3")
    page.go_back()
    page.go_back()
    expect(marks.first).to_be_visible()
    assert said == []
    marks.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("State")
