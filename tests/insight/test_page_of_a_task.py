"""The page of a static task: who solved which pair at which try, and the wrong outputs people agree on."""

from collections import defaultdict

import pytest
from django.urls import reverse

from playtest.insight.results.pairs import Ambiguous
from playtest.insight.task.findings import TaskFindings
from playtest.people.roles import Role
from playtest.play.models import Attempt
from tests.insight.task_world import RIGHT, WRONG, study_of_tasks
from tests.naive_tasks import sat
from tests.staff import signed_in
from tests.task_sittings import small_task

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def played() -> None:
    study_of_tasks()


def shown(code: str) -> tuple[TaskFindings, str]:
    answer = signed_in(Role.DESIGNER).get(reverse("insight:environment", args=[code]))
    found: TaskFindings = answer.context["found"]
    return found, answer.content.decode()


@pytest.mark.parametrize("code", list(RIGHT))
def test_every_number_of_the_page_equals_a_naive_recomputation(code: str) -> None:
    found, _ = shown(code)
    sittings = [one for one in sat(Attempt.objects.filter(environment__code=code)) if one.seconds > 5]
    assert {one.attempt for one in found.people} == {one.attempt.pk for one in sittings}
    assert found.solved == sum(one.solved for one in sittings)
    for pair in found.pairs:
        tried = [one for sat_ in sittings for one in sat_.inputs.values() if one.number == pair.number]
        tried = [one for one in tried if one.seconds > 5]
        assert pair.people == len(tried)
        assert pair.at == tuple(sum(one.solved_at(2) == at for one in tried) for at in (1, 2))
        firsts = sorted(one.to_first for one in tried if one.to_first)
        times = sorted(seconds for _, seconds in firsts)
        assert pair.first_seconds == (pytest.approx(_middle(times)) if times else None)
        assert pair.first_edits == (_middle([edits for edits, _ in firsts]) if firsts else None)
        wrong: dict[str, list[str]] = defaultdict(list)
        for one in tried:
            for _, grid, right in one.submitted:
                if not right:
                    wrong[str(grid)].append(one.person)
        groups = sorted(((len(set(people)), len(people)) for people in wrong.values()), reverse=True)
        assert [(each.people, len(each.submitted)) for each in pair.wrong] == groups
        assert {str([list(row) for row in each.grid]) for each in pair.wrong} == set(wrong)
        solvers = sum(one.solved_at(2) is not None for one in tried)
        assert pair.ambiguous == any(people >= max(2, solvers) for people, _ in groups)


def _middle(values: list[float] | list[int]) -> float:
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def test_the_wrong_output_that_most_people_agree_on_comes_first_and_opens_its_replays() -> None:
    found, page = shown("pairs-1")
    [pair] = found.pairs
    assert [list(row) for row in pair.wrong[0].grid] == WRONG
    assert (pair.wrong[0].people, len(pair.wrong[0].submitted)) == (3, 4)
    assert pair.ambiguous
    for each in pair.wrong[0].submitted:
        assert each.href is not None
        assert each.href in page
    flagged = Ambiguous(1, 3, 2)
    assert flagged.sentence in page


def test_people_and_pairs_are_shown_with_the_try() -> None:
    found, page = shown("pairs-2")
    signs = [[one.sign if one else None for one in person.pairs] for person in reversed(found.people)]
    assert signs == [
        ["solved at try 1", "solved at try 1"],
        ["solved at try 1", "2 wrong"],
        ["1 wrong", "solved at try 1"],
        ["viewed only", "nothing submitted"],
    ]
    assert "1 of 4 people solved pairs-2, all 2 pairs" in page
    assert "2 of 2" in page


def test_a_solution_is_not_on_the_page() -> None:
    _, page = shown("pairs-3")
    files = signed_in(Role.DESIGNER).get(
        reverse("insight:environment-figure", args=["pairs-3", "submissions", "csv"])
    )
    assert "777" in files.content.decode(), "somebody submitted it"
    assert "Wrong output, 1 rows of 3 cells" not in page


@pytest.mark.parametrize("name", ["pairs", "submissions"])
@pytest.mark.parametrize("format_", ["json", "csv"])
def test_each_figure_of_a_task_is_a_file(name: str, format_: str) -> None:
    address = reverse("insight:environment-figure", args=["pairs-2", name, format_])
    answer = signed_in(Role.DESIGNER).get(address)
    assert answer.status_code == 200
    assert "funnel" not in answer.content.decode()


def test_a_task_has_no_figure_of_levels_and_a_level_leads_to_its_pair() -> None:
    client = signed_in(Role.DESIGNER)
    funnel = reverse("insight:environment-figure", args=["pairs-2", "funnel", "json"])
    assert client.get(funnel).status_code == 404
    level = client.get(reverse("insight:level", args=["pairs-2", 2]))
    assert level["Location"] == f"{reverse('insight:environment', args=['pairs-2'])}#pair-2"
    assert client.get(reverse("insight:level", args=["pairs-2", 3])).status_code == 404
    assert client.get(reverse("insight:environment-now", args=["pairs-2"])).status_code == 200


def test_a_task_that_nobody_tried_says_so() -> None:
    small_task("pairs-9", [[1]])
    found, page = shown("pairs-9")
    assert found.people == ()
    assert "Nobody has tried pairs-9 long enough to count" in page
