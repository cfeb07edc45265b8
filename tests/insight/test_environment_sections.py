"""Sections of an environment's page: clicks and dwell, and mechanics."""

from collections.abc import Sequence
from itertools import product

import pytest
from django.urls import reverse

from playtest.insight.figures import Figure
from playtest.insight.pages.environment import dwell
from playtest.insight.pages.environment.dwell import CLICKS, DWELL, where_figure
from playtest.insight.pages.environment.first_frames import as_digits
from playtest.insight.requests import find_version
from playtest.insight.scope import Scope
from playtest.insight.tables.version import version_results
from playtest.people.roles import Role
from playtest.play.models import Study
from playtest.review.queries.exports import find_frame
from playtest.rules.attempt import RESET, Outcome
from playtest.rules.cards import CardContent, Mechanic
from playtest.studio.models import Environment
from playtest.studio.services.cards import create_card_of, save_revision
from tests import make
from tests.insight.test_environment_page import STALL, text
from tests.insight.up_to_date import up_to_date
from tests.live.games import WALK
from tests.make import Act
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def plays(study: Study, acts: Sequence[Act], seconds: float = 2) -> int:
    session = make.session(study)
    return make.play(session, acts, Outcome.GAVE_UP, seconds_an_action=seconds).pk


def where(code: str, level: int, of: str) -> Figure:
    up_to_date()
    return where_figure(version_results(find_version(code), Scope()), level, of)


def heat(code: str, level: int, of: str) -> dict[tuple[int, int], float]:
    return {(x, y): value for x, y, value in where(code, level, of).rows}  # type: ignore[misc]


def cells(*boxes: tuple[int, int]) -> set[tuple[int, int]]:
    """Returns the cells of boxes of wk01, whose board has 8x8 boxes of 8x8 cells."""
    return {(8 * x + i, 8 * y + j) for x, y in boxes for i, j in product(range(8), repeat=2)}


@pytest.fixture
def lamps() -> Study:
    return make.study("ck01")


@pytest.fixture
def walks() -> Study:
    return make.study("wk01")


def test_the_click_map_counts_everyone_over_the_levels_first_frame(lamps: Study) -> None:
    attempt = make.play(make.session(lamps), [(40, 50), (40, 50), (5, 25), (30, 31)])
    plays(lamps, [(40, 50), (1, 2)])
    assert heat("ck01", 1, CLICKS) == {(40, 50): 3, (5, 25): 1, (1, 2): 1}
    assert heat("ck01", 2, CLICKS) == {(30, 31): 1}
    first = find_frame(attempt, 3, None)
    assert first is not None
    assert where("ck01", 2, CLICKS).options["frame"] == as_digits(first)
    assert where("ck01", 1, CLICKS).title == "Level 1: 5 clicks by 2 people, most often at the mark"
    assert where("ck01", 1, CLICKS).options["spot"] == [40, 50]
    assert where("ck01", 3, CLICKS).options["spot"] is None


def test_dwell_after_a_click_counts_on_its_cell_and_ends_with_the_level(lamps: Study) -> None:
    plays(lamps, [(40, 50), 7, (1, 2), (5, 25), (30, 31)], seconds=3)
    assert heat("ck01", 1, DWELL) == {(40, 50): 3, (1, 2): 3}


def test_dwell_without_clicks_counts_on_the_cells_that_the_last_action_changed(walks: Study) -> None:
    plays(walks, [4, 4, 2, 1], seconds=3)
    assert heat("wk01", 1, DWELL).keys() == cells((1, 1), (2, 1), (3, 1), (3, 2))
    assert heat("wk01", 1, DWELL)[8 * 3, 8] == 6  # entered, then left
    assert where("wk01", 1, CLICKS).rows == []
    assert "takes no clicks" in where("wk01", 1, CLICKS).empty
    assert "takes no clicks" in where("wk01", 1, DWELL).caption


def test_a_level_starts_with_its_own_frame_and_a_reset_changes_no_cell(walks: Study) -> None:
    plays(walks, [*WALK[:3], 3, RESET, 2, 2], seconds=3)
    # Left into the pit; the pause after the reset is nobody's; down once. What ends on the goal has no pause.
    assert heat("wk01", 2, DWELL).keys() == cells((2, 1), (3, 1), (3, 2))


@pytest.mark.parametrize(("moves", "left"), [(20, True), (21, False)])
def test_a_cell_that_changes_with_more_than_half_of_all_actions_is_a_counter(
    walks: Study, moves: int, left: bool
) -> None:
    plays(walks, [4, 3] * (moves // 2) + [4] * (moves % 2))
    assert bool(heat("wk01", 1, DWELL)) is left


def test_dwell_reads_a_limited_number_of_frames_and_the_caption_says_so(
    walks: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays(walks, [2] * 5 + [4, 4])
    plays(walks, [4, 2, 2])
    monkeypatch.setattr(dwell, "MOST_FRAMES", 8)
    found = where("wk01", 1, DWELL)
    assert {(x, y) for x, y, _ in found.rows} == cells((1, 1), (2, 1), (2, 2))
    assert "From 1 of the 2 people who reached the level." in found.caption


def test_a_new_action_updates_the_dwell_map(walks: Study) -> None:
    plays(walks, [4, 4])
    before = heat("wk01", 1, DWELL)
    plays(walks, [4, 4])
    assert heat("wk01", 1, DWELL) == {cell: 2 * value for cell, value in before.items()}


def test_a_level_says_which_mechanics_its_card_introduces() -> None:
    make.play(make.session(make.study("wk01")), [*STALL, *WALK], Outcome.COMPLETED)
    walk, author = Environment.objects.get(code="wk01"), staff(Role.DESIGNER)
    client = signed_in(Role.DESIGNER)
    page = reverse("insight:environment", args=["wk01"])
    assert "New on it" not in text(client, page)
    content = CardContent(mechanics=(Mechanic("Steps", 1), Mechanic("Keys", 2), Mechanic("Locks", 2)))
    save_revision(create_card_of(walk, author), 1, content.as_json(), author)
    for address in (page, reverse("insight:environment-now", args=["wk01"])):
        assert "Keys, Locks" in text(client, address)
