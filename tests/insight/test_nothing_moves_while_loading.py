"""Staff pages have the place of everything before it is there: nothing that is in sight moves."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from playtest.people.navigation import PAGES
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Attempt, Study
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse, settled
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

MOST = 0.01
"""Of the layout shift as browsers measure it: the share of the window that moved, times how far."""
OBSERVE = """
window.shifts = [];
new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ value, sources }) => (
  { value, moved: sources.map(({ node }) => node?.outerHTML ?? node?.textContent) }
)))).observe({ type: "layout-shift", buffered: true });
"""
MEASURE = "window.shifts.reduce((sum, { value }) => sum + value, 0)"
WHAT_MOVED = "window.shifts.flatMap(({ moved }) => moved).map((one) => one?.slice(0, 80))"
OF_A_LEVEL = ("level", "ends", "action-patterns", "states")


@pytest.fixture
def rehearsal() -> Study:
    """A rehearsal in which people solved, gave up early and late, and left at once."""
    study = make.study(rehearsal=True, name="Demonstration", people=100)
    for wasted, actions, outcome in (
        (31, WALK, Outcome.COMPLETED),
        (48, WALK, Outcome.COMPLETED),
        (40, WALK[:3], Outcome.GAVE_UP),
        (35, WALK[:6], Outcome.CONCLUDED),
        (60, [], Outcome.GAVE_UP),
        (2, [], Outcome.GAVE_UP),
    ):
        session = make.session(study, new_participant(simulated=True))
        make.play(session, [*[2] * wasted, *actions], outcome)
    return study


def addresses(study: Study) -> list[str]:
    """The pages of the navigation, of an environment, of its first level, of a study, and a replay."""
    environment = [
        reverse(f"insight:{name}", args=["wk01"]) for name in ("environment", "versions", "split", "baseline")
    ]
    level = [reverse(f"insight:{name}", args=["wk01", 1]) for name in OF_A_LEVEL]
    others = [
        reverse("people:home"),
        reverse("studio:environment", args=["wk01"]),
        reverse("insight:study", args=[study.pk]),
        reverse("insight:plan", args=[study.pk]),
        reverse("insight:report", args=[study.pk]),
        reverse("arena:environment", args=["wk01"]),
        reverse("review:attempt", args=[Attempt.objects.earliest("pk").pk]),
    ]
    return [*(page.address for page in PAGES), *environment, *level, *others]


@pytest.mark.long
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_in_sight_moves_while_a_page_loads(page: Page, rehearsal: Study, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.add_init_script(OBSERVE)
    browse(page, signed_in(Role.LEAD))
    moved = {}
    for address in addresses(rehearsal):
        answer = page.goto(f"{ORIGIN}{address}")
        assert answer, address
        assert answer.ok, address
        settled(page)
        if (shift := page.evaluate(MEASURE)) >= MOST:
            moved[address] = (shift, page.evaluate(WHAT_MOVED))
    assert moved == {}
