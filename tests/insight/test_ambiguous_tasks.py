"""Tasks where people agree on a wrong output are flagged on the portfolio and the board."""

import csv
from collections.abc import Mapping

import pytest
from django.urls import reverse

from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.review.models import DecisionKind
from tests import make
from tests.insight.task_world import RIGHT, study_of_tasks
from tests.naive_tasks import pair_page, sat
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

FLAG = "Test pair 1 may have two answers: 3 people agree on a wrong output, and 2 people solved it."


@pytest.fixture(autouse=True, scope="module")
def played(module_db: None) -> None:
    study_of_tasks()


def page(name: str, **query: str) -> str:
    answer = signed_in(Role.LEAD).get(reverse(name), query)
    assert answer.status_code == 200
    return answer.content.decode()


def portfolio_rows() -> list[Mapping[str, str]]:
    lines = page("insight:portfolio-file").lstrip("\ufeff").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def test_the_same_pairs_are_flagged_as_a_naive_recomputation_finds() -> None:
    found = {row["environment"]: row["ambiguous_pairs"] for row in portfolio_rows()}
    expected = {}
    for code, solutions in RIGHT.items():
        known = sat(Attempt.objects.filter(environment__code=code))
        counted = [one for one in known if one.seconds > one.view_seconds]
        numbers = range(1, len(solutions) + 1)
        flagged = [str(number) for number in numbers if pair_page(counted, number, 2)["ambiguous"]]
        expected[code] = " ".join(flagged)
    assert found == expected
    assert (found["pairs-1"], found["pairs-3"]) == ("1", "")


@pytest.mark.parametrize("name", ["insight:portfolio", "insight:board"])
def test_the_flag_leads_to_the_wrong_outputs(name: str) -> None:
    shown = page(name)
    assert FLAG in shown
    assert f'href="{reverse("insight:environment", args=["pairs-1"])}#wrong-1"' in shown
    assert f'href="{reverse("insight:environment", args=["pairs-3"])}#wrong' not in shown


@pytest.mark.parametrize("name", ["insight:portfolio", "insight:board"])
def test_people_who_are_excluded_agree_on_nothing(name: str) -> None:
    for attempt in Attempt.objects.filter(environment__code="pairs-1").order_by("pk")[1:3]:
        settled(attempt.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert "may have two answers" not in page(name)


def test_each_list_says_of_what_kind_where_there_are_both() -> None:
    assert "static task</small>" not in page("insight:portfolio")
    assert {row["kind"] for row in portfolio_rows()} == {"task"}
    make.environment("wk01")
    shown = page("insight:portfolio")
    assert shown.count("<small>static task</small>") == len(RIGHT)
    assert shown.count("<small>interactive</small>") == 1
