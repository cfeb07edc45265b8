"""Each piece of everyday work takes as many clicks, keys and fields as docs/clicks.md says."""

from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Page

from tests.clicks.hand import Hand
from tests.clicks.routines import ROUTINES, Routine
from tests.clicks.world import everyday_world

pytestmark = [pytest.mark.django_db, pytest.mark.once]

DOCUMENT = Path(__file__).parents[2] / "docs" / "clicks.md"


class Documented(NamedTuple):
    """The columns of the document's table that are numbers or names."""

    title: str
    role: str
    before: int
    now: int


def documented() -> list[Documented]:
    """The rows of the document's table, the sums last."""
    lines = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.split("|")[1:5]] for line in lines[2:]]
    return [Documented(title, role, int(before), int(now)) for title, role, before, now in cells]


@pytest.mark.parametrize("routine", ROUTINES, ids=lambda one: one.title)
def test_it_takes_the_steps_that_the_document_says(page: Page, routine: Routine, tmp_path: Path) -> None:
    (row,) = (row for row in documented() if row.title == routine.title)
    page.set_viewport_size({"width": 1280, "height": 800})
    world = everyday_world()
    hand = Hand(page, routine.role)
    routine.do(hand, world, tmp_path)
    assert (row.role, row.now) == (routine.role, hand.steps)


def test_the_document_lists_them_all_with_their_sums() -> None:
    *rows, total = documented()
    assert [row.title for row in rows] == [routine.title for routine in ROUTINES]
    assert (total.before, total.now) == (sum(row.before for row in rows), sum(row.now for row in rows))
