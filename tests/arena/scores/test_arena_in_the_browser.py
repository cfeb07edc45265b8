"""Staff read scorecards, boards and agents beside people in a real browser, with accessible pages."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.arena.scores.boards import adopt_harness
from playtest.people.roles import Role
from playtest.play.models import AgentNote
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment, ReleaseSet
from tests import make
from tests.arena.scores import agents
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_an_engineer_enters_a_scorecard_and_follows_it(page: Page) -> None:
    study = make.study()
    for wasted in (31, 45):
        make.play(make.session(study), [*[2] * wasted, *WALK], Outcome.COMPLETED)
    make.play(make.session(study), [2] * 35)
    Environment.objects.filter(code="wk01").update(release_set=ReleaseSet.PRIVATE)
    for name, text in (("random", "b" * 9), ("search", "bb+bbb+b")):
        card = agents.card(name, competition=True, sets=["private"], opaque={"seed": 1}, tags=["a tag"])
        attempt = agents.run(card, [text]).plays.get().attempt
        AgentNote.objects.create(attempt=attempt, seq=1, reasoning='{"cost": {"total_cost": 0.25}}')
        agents.closed(card)
    page.set_viewport_size({"width": 390, "height": 800})
    browse(page, signed_in(Role.ENGINEER))
    page.goto(f"{ORIGIN}{reverse('arena:cards')}")
    expect(page.get_by_role("heading", level=1)).to_have_text("2 scorecards of agents")

    page.get_by_role("row", name="search").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Score")
    page.get_by_text("Filters: ").click()
    page.get_by_label("Variant").select_option("report")
    expect(page.locator(".lead")).to_contain_text("“report, undo counted”")
    page.get_by_text("Enter on a board").click()
    page.get_by_label("Name of the agent").fill("Search")
    page.get_by_label("How it works").fill("It tries what it has not tried.")
    page.get_by_role("button", name="Enter this scorecard").click()
    page.wait_for_url(re.compile(r"/boards/\?board=official$"))
    expect(page.get_by_role("status").first).to_contain_text("Search is on the official board")
    expect(page.get_by_text("You ran it: somebody else has to declare.")).to_be_visible()

    adopt_harness("bench", "1", "", None)
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('arena:boards')}")
    page.get_by_text("Declare how it was played").click()
    page.get_by_label("What you looked at").fill("The reasoning of its run.")
    page.get_by_label("The agent had no tools").check()
    page.get_by_role("button", name="Declare", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("Search has a rank")
    expect(page.locator("insight-figure svg a")).to_have_count(1)

    page.goto(f"{ORIGIN}{reverse('arena:environment', args=['wk01'])}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Agents reach level 3, people")
    expect(page.locator("#figure-progress path[stroke='var(--series-1)']")).to_have_count(2)
    expect(page.locator("#figure-stuck")).to_contain_text(
        "Level 1 stopped 1 of 3 people and 1 of 2 plays of agents"
    )
    expect(page.locator("#figure-stuck svg a")).to_have_count(5)
    expect(page.get_by_role("region", name="Where people got stuck")).to_contain_text("1 gave up")
    shown = page.locator(".stops img")
    expect(shown).to_have_count(2)
    assert shown.first.evaluate("image => image.decode().then(() => image.naturalWidth)") == 128
    page.locator(".stops a", has_text="random").click()
    page.wait_for_url(re.compile(r"/attempts/\d+/#level=1$"))
