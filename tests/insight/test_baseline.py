"""The human baseline of an environment: who is in it, what it says, on the page and on the command line."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from playtest.insight.queries.baselines import find_version, level_reports
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version
from tests import sittings
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return sittings.study()


def baseline(*arguments: str) -> str:
    output = StringIO()
    call_command("baseline", "wk01", *arguments, stdout=output)
    return output.getvalue()


def levels(*arguments: str) -> list[dict[str, Any]]:
    found = json.loads(baseline("--json", *arguments))
    assert list(found) == ["levels"]
    return list(found["levels"])


def complete_first_level(study: Study, actions: int, **who: Any) -> int:
    """Someone who needs so many actions (at least 3) for level 1; the attempt."""
    wasted = [2] * (actions - 3)  # into the wall
    return sittings.play(sittings.sit_down(study, **who), [*wasted, 4, 4, 4, 2]).pk


def test_the_worked_example_of_the_protocol(study: Study) -> None:
    for actions in (40, 22, 31, 25):
        complete_first_level(study, actions)
    first, second, *_ = levels()
    assert first == {"level": 1, "completers": 4, "upper_median": 31, "best": 22, "actions": [22, 25, 31, 40]}
    assert second == {"level": 2, "completers": 0, "upper_median": None, "best": None, "actions": []}


def test_every_level_of_the_version_has_its_row(study: Study) -> None:
    assert [row["level"] for row in levels()] == [1, 2, 3, 4, 5, 6]


def test_resets_count_and_each_level_counts_from_its_own_start(study: Study) -> None:
    sittings.play(sittings.sit_down(study), [4, 0, 4, 4, 4, 0, 2, 2, 2, *WALK[6:]], Outcome.COMPLETED)
    assert [row["actions"] for row in levels()] == [[5], [4], [3], [3], [3], [3]]


def test_an_attempt_under_way_is_in_with_the_levels_it_has_completed(study: Study) -> None:
    sittings.play(sittings.sit_down(study), [4, 4, 4], None)
    assert levels()[0]["actions"] == [3]


def test_simulated_people_and_rehearsals_are_left_out(study: Study) -> None:
    complete_first_level(study, 10)
    complete_first_level(study, 4, person=new_participant(simulated=True))
    complete_first_level(sittings.study(rehearsal=True), 5)
    assert levels()[0]["actions"] == [10]


def test_several_studies_are_in_together(study: Study) -> None:
    complete_first_level(study, 10)
    complete_first_level(sittings.study(), 5)
    assert levels()[0]["actions"] == [5, 10]


def test_versions_are_kept_apart(study: Study) -> None:
    complete_first_level(study, 10)
    old = find_version("wk01")
    new = Version.objects.get(pk=old.pk)
    new.pk, new.digest = None, "f" * 64
    new.save()
    new.environment.current = new
    new.environment.save()
    assert levels()[0]["actions"] == []
    assert levels("--version", old.digest[:6])[0]["actions"] == [10]


def test_the_table_says_the_same(study: Study) -> None:
    complete_first_level(study, 10)
    complete_first_level(study, 4)
    lines = baseline().splitlines()
    assert lines[1].split() == ["1", "2", "10", "4", "4", "10"]
    assert lines[2].split() == ["2", "0", "-", "-"]


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("environment_unknown", ["none"]),
        ("version_unknown", ["wk01", "--version", "none"]),
        ("version_ambiguous", ["wk01", "--version", "a"]),
    ],
)
def test_a_mistake_ends_with_its_code(code: str, arguments: list[str]) -> None:
    current = sittings.environment().current
    assert current is not None
    for digest in ("a1", "a2"):
        version = Version.objects.get(pk=current.pk)
        version.pk, version.digest = None, digest
        version.save()
    with pytest.raises(CommandError, match=f"^{code}: ") as raised:
        call_command("baseline", *arguments)
    assert raised.value.returncode == 1


def test_every_number_on_the_page_leads_to_its_replay(study: Study) -> None:
    attempt = complete_first_level(study, 10)
    page = signed_in(Role.DESIGNER).get(reverse("insight:baseline", args=["wk01"])).content.decode()
    assert f'href="{reverse("review:attempt", args=[attempt])}#level=1"' in page
    assert 'aria-label="Level 1: 10 actions, upper median 10"' in page


def test_who_may_not_watch_sees_the_numbers_without_links(study: Study) -> None:
    complete_first_level(study, 10)
    page = signed_in(Role.ENGINEER).get(reverse("insight:baseline", args=["wk01"])).content.decode()
    assert "10 actions" in page
    assert "/staff/attempts/" not in page


def test_an_empty_baseline_says_when_it_fills(study: Study) -> None:
    page = signed_in(Role.DESIGNER).get(reverse("insight:baseline", args=["wk01"])).content.decode()
    assert "Nobody has completed a level of this version yet" in page


def test_the_baseline_is_read_in_two_queries(
    study: Study, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for actions in (4, 5, 6):
        complete_first_level(study, actions)
    version = find_version("wk01")
    with django_assert_num_queries(2):
        level_reports(version)
