"""Pictures of grids can have a pattern on each colour, in every page with such pictures, until turned off."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from playtest.people.roles import Role
from tests import make
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.make_tasks import play_task, small_task, submitted
from tests.staff import signed_in

pytestmark = pytest.mark.django_db

STUDIO, RESULTS = (reverse(name, args=["grids-1"]) for name in ("studio:environment", "insight:environment"))
BLUE, BLACK = "9", "5"


@pytest.fixture
def browser_page(page: Page) -> Page:
    study = make.study(pool=[small_task("grids-1", [[1]])])
    play_task(make.session(study), submitted([[1, 0]]), seconds_after=9)
    return browse(page, signed_in(Role.LEAD))


def marks(page: Page) -> Locator:
    return page.locator(".task-grid .marks")


def test_patterns_are_off_at_first_and_stay_as_chosen_on_all_pages(browser_page: Page) -> None:
    page = browser_page
    page.goto(f"{ORIGIN}{STUDIO}")
    button = page.get_by_role("button", name="Colour patterns")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(marks(page)).to_have_count(0)
    cells = page.locator(".task-grid path[data-colour]").count()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(marks(page)).to_have_count(cells)
    page.goto(f"{ORIGIN}{RESULTS}")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(marks(page).first).to_be_attached()
    settled(page)
    assert violations(page) == []
    shown = marks(page).count()
    page.evaluate("document.querySelectorAll('#task-wrong .marks').forEach((mark) => mark.remove())")
    expect(marks(page)).to_have_count(shown)
    button.click()
    expect(marks(page)).to_have_count(0)
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_each_colour_has_the_marks_of_the_board_and_black_has_none(browser_page: Page) -> None:
    page = browser_page
    page.goto(f"{ORIGIN}{RESULTS}")
    page.get_by_role("button", name="Colour patterns").click()
    wrong = page.locator(".wrong-outputs .task-grid")
    for colour, rectangles in ((BLUE, 8), (BLACK, 0)):
        cells = wrong.locator(f"path[data-colour='{colour}']")
        name = f"marks-of-{colour}"
        expect(cells.locator("xpath=following-sibling::*[1]")).to_have_attribute("fill", f"url(#{name})")
        expect(page.locator(f"#{name} rect")).to_have_count(rectangles)
