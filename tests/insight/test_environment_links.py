"""The page of an environment that six people played: what it counts, and where every number leads."""

import re
from html import unescape

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from playtest.people.roles import Role
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from tests import make
from tests.insight.test_environment_page import PAGE, funnel, heading, plays, rows, text
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(scope="module")
def study(module_db: None) -> Study:
    """One solved it, four ended on level 2 (gave up, timed out, fault), one plays level 3."""
    study = make.study(people=100)
    plays(study, WALK, Outcome.COMPLETED)
    plays(study, WALK[:4])
    plays(study, WALK[:3])
    plays(study, WALK[:5], Outcome.TIMED_OUT)
    plays(study, WALK[:5], Outcome.FAULT, fault_code="bad_frame", fault_message="It drew no frame.")
    plays(study, WALK[:7], None)
    return study


@pytest.fixture
def designer(study: Study) -> Client:
    return signed_in(Role.DESIGNER)


def test_the_heading_names_the_worst_level_and_the_funnel_counts_outcomes(designer: Client) -> None:
    assert heading(designer) == "Level 2 loses 3 of 5 who count"
    assert funnel(designer) == {
        (1, "completed"): 6,
        (2, "completed"): 2, (2, "gave_up"): 2, (2, "timed_out"): 1, (2, "fault"): 1,
        (3, "completed"): 1, (3, "open"): 1,
        (4, "completed"): 1, (5, "completed"): 1, (6, "completed"): 1,
    }  # fmt: skip
    page_text = text(designer)
    assert "loses people" in page_text
    assert "6 people. In no share: 1 ended by a fault, 1 still playing." in page_text
    assert "gave up on level 2" in page_text


def test_every_bar_and_number_links_to_exactly_its_attempts(designer: Client) -> None:
    bars = rows(designer, "funnel")
    assert len(bars) == 10
    for bar in bars:
        assert designer.get(bar["href"]).context["page"].paginator.count == bar["people"], bar
    page = designer.get(PAGE).content.decode()
    counts = re.findall(r'data-value="(\d+)"><a href="(/staff/[^"]+\?[^"]+)">', page)
    assert len(counts) == len(bars) + 6 + 1
    for number, address in counts:
        assert designer.get(unescape(address)).context["page"].paginator.count == int(number), address


def test_a_levels_page_lists_people_and_their_outcomes(designer: Client) -> None:
    page_text = text(designer, f"{PAGE}levels/2/")
    assert "Level 2 loses 3 of 5 who count" in page_text
    assert re.findall(r"P-\w+ (gave up|timed out|environment fault|completed) \d", page_text) == [
        "gave up", "gave up", "timed out", "environment fault", "completed", "completed",
    ]  # fmt: skip
    assert designer.get(f"{PAGE}levels/7/").status_code == 404


def test_numbers_have_no_links_without_the_right_to_watch_replays(study: Study) -> None:
    engineer = signed_in(Role.ENGINEER)
    for address in (PAGE, f"{PAGE}levels/2/", f"{PAGE}versions/"):
        assert "/staff/attempts/" not in engineer.get(address).content.decode()
    assert all(row["href"] is None for row in rows(engineer, "funnel"))
    assert signed_in(Role.PROCTOR).get(PAGE).status_code == 403


def test_unknown_levels_and_figures_are_not_found(designer: Client) -> None:
    for address in (
        "/staff/environments/none/", f"{PAGE}?version=none", f"{PAGE}?study=999", f"{PAGE}figures/none.json",
        f"{PAGE}figures/dwell-9.json", f"{PAGE}figures/funnel.xml", f"{PAGE}levels/9.png",
    ):  # fmt: skip
        assert designer.get(address).status_code == 404, address


def test_the_number_of_queries_does_not_grow_with_the_attempts(
    designer: Client, study: Study, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(2):
        plays(study, WALK[:4])
    designer.get(PAGE)  # brings the results up to date
    with django_assert_max_num_queries(33):
        designer.get(PAGE)
