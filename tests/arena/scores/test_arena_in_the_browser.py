"""Staff read scorecards, boards and agents beside people in a real browser, with accessible pages."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.arena.models import Board
from playtest.arena.scores.boards import adopt_harness, declare, enter
from playtest.people.roles import Role
from playtest.play.models import AgentNote
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment, ReleaseSet
from tests import make
from tests.arena.scores import agents
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_scores_are_read_another_way_and_marks_lead_to_replays(page: Page) -> None:
    study = make.study()
    for wasted in (31, 45):
        make.play(make.session(study), [*[2] * wasted, *WALK], Outcome.COMPLETED)
    make.play(make.session(study), [2] * 35)
    Environment.objects.filter(code="wk01").update(release_set=ReleaseSet.PRIVATE)
    harness = adopt_harness("bench", "1", "", None)
    cards = []
    for name, text in (("random", "b" * 9), ("search", "bb+bbb+b")):
        card = agents.card(name, competition=True, sets=["private"], opaque={"seed": 1}, tags=["a tag"])
        attempt = agents.run(card, [text]).plays.get().attempt
        AgentNote.objects.create(attempt=attempt, seq=1, reasoning='{"cost": {"total_cost": 0.25}}')
        agents.closed(card)
        cards.append(card)
        entry = enter(card, Board.OFFICIAL, staff(Role.ENGINEER), agent=name, description="It tries.")
        declare(entry, harness, staff(Role.LEAD), no_tools=True, evidence="The reasoning of its run.")
    browse(page, signed_in(Role.LEAD))
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{ORIGIN}{reverse('arena:card', args=[cards[-1].card_id])}")
    page.get_by_text("Filters: ").click()
    page.get_by_label("Variant").select_option("report")
    expect(page.locator(".lead")).to_contain_text("“report, undo counted”")

    page.goto(f"{ORIGIN}{reverse('arena:boards')}")
    expect(page.locator("insight-figure svg a")).to_have_count(2)

    page.goto(f"{ORIGIN}{reverse('arena:environment', args=['wk01'])}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Agents reach level 3, people")
    expect(page.locator("#figure-progress path[stroke='var(--series-1)']")).to_have_count(2)
    page.locator("#stuck > summary", has_text="People got stuck on level 1").click()
    expect(page.locator("#figure-stuck")).to_contain_text(
        "Level 1 stopped 1 of 3 people and 1 of 2 plays of agents"
    )
    expect(page.locator("#figure-stuck svg a")).to_have_count(5)
    page.locator("#levels > summary").click()
    expect(page.get_by_role("region", name="Levels")).to_contain_text("1 gave up")
    shown = page.locator(".stops img")
    expect(shown).to_have_count(2)
    assert shown.first.evaluate("image => image.decode().then(() => image.naturalWidth)") == 128
    page.locator(".stops a", has_text="random").click()
    page.wait_for_url(re.compile(r"/attempts/\d+/#level=1$"))
