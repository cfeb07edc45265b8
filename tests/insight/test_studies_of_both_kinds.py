"""Pages of a study with static tasks say what they count, and have no levels or baselines of tasks."""

import html

import pytest
from django.urls import reverse

from playtest.insight.pages.static_tasks.tables import tables_of
from playtest.insight.pages.study.results import numbers
from playtest.insight.services.releases import release
from playtest.people.roles import Right, Role
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.rules.attempt import Outcome
from tests import make
from tests.insight.up_to_date import results_of, version_of
from tests.live.games import WALK
from tests.make_tasks import play_task, small_task, submitted
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SOLUTIONS = [[[1]], [[2]]]


def solve_task(session: Session) -> None:
    play_task(session, [(4, edit) for grid in SOLUTIONS for edit in submitted(grid)], seconds_after=2)


@pytest.fixture
def tasks() -> Study:
    study = make.study(pool=[small_task("both-1", *SOLUTIONS)])
    solve_task(make.session(study))
    return study


@pytest.fixture
def mixed(tasks: Study) -> Study:
    """Of the same task and an interactive environment, each met by one person."""
    study = make.study(pool=[make.environment("wk01")], name="Both kinds")
    make.play(make.session(study), [*[2] * 31, *WALK], Outcome.COMPLETED)
    study.pool.set(tasks.pool.all())
    solve_task(make.session(study))
    return study


def page(study: Study, name: str = "insight:study", role: Role = Role.RESEARCHER) -> str:
    answer = signed_in(role).get(reverse(name, args=[study.pk]))
    assert answer.status_code == 200
    return " ".join(html.unescape(answer.content.decode()).split())


def test_a_study_of_tasks_alone_has_no_levels_and_no_efficiency(tasks: Study) -> None:
    shown = page(tasks)
    assert "1 of these attempts is at static tasks" in shown
    assert reverse("insight:study-tasks", args=[tasks.pk]) in shown
    for absent in ("level completion", "Level completion", "Efficiency:", "per action of"):
        assert absent not in shown
    assert "of a static task, all test pairs within the tries that count" in shown


def test_a_study_of_environments_alone_says_nothing_of_tasks() -> None:
    study = make.study()
    make.play(make.session(study), [*[2] * 31, *WALK], Outcome.COMPLETED)
    shown = page(study)
    assert "tatic task" not in shown.split("<main", 1)[1]
    assert "Efficiency" in shown
    assert "This study has no static task" in page(study, "insight:study-tasks")


def test_a_study_of_both_kinds_counts_levels_of_environments_and_pairs_of_tasks(mixed: Study) -> None:
    results = results_of(mixed)
    assert (results.counted.height, numbers(results).solved) == (2, 2)
    levels = version_of("wk01").levels
    assert numbers(results).level_completions == levels
    assert set(results.completions["environment"]) == {"wk01"}
    found = tables_of(results)
    assert (found.pairs.height, found.tasks.height, found.by_person.height) == (2, 1, 1)
    shown = page(mixed)
    assert (
        "1 of these attempts is at static tasks, which count as solved with all their test pairs and have"
        in shown
    )
    assert f"level completions<small>2 attempts solved</small></dt> <dd>{levels}</dd>" in shown
    assert "nothing on this page counts them" in page(mixed, "insight:study-tasks")


def test_the_report_says_of_tasks_what_they_are_and_gives_them_no_baseline(
    tasks: Study, mixed: Study
) -> None:
    said = {item: text(report) for item, report in (("tasks", tasks), ("mixed", mixed))}
    for report in said.values():
        assert "Pairs of grids of up to 30x30 cells" in report
        assert "Attempts at test pairs that solved them" in report
        assert "A test pair is solved if one of the first 2 submissions is right" in report
    assert "a view of more than 5 s" in said["tasks"]
    for only_of_levels in (
        "Turn-based environments",
        "human baseline of each level",
        "Levels with a baseline",
    ):
        assert only_of_levels not in said["tasks"]
        assert only_of_levels in said["mixed"]
    assert "both-1 |" not in said["mixed"].split("human baseline of each level")[1].split("4.3")[0]


def text(study: Study) -> str:
    results_of(study)
    answer = signed_in(Role.LEAD).get(reverse("insight:report-file", args=[study.pk, "md"]))
    assert answer.status_code == 200
    return bytes(answer.getvalue()).decode()


def test_a_task_has_no_baseline_and_none_can_be_released(tasks: Study) -> None:
    shown = signed_in(Role.RESEARCHER).get(reverse("insight:baseline", args=["both-1"]))
    assert "has no baseline: it is a static task" in shown.content.decode()
    file = signed_in(Role.RESEARCHER).get(reverse("insight:baseline-figure", args=["both-1", "runs", "csv"]))
    assert file.status_code == 404
    with pytest.raises(Refusal) as refused:
        release(version_of("both-1"), None, "For a test.", provisional=True)
    assert refused.value.code == "not_of_tasks"
    make.environment("wk01")
    listed = signed_in(Role.RESEARCHER).get(reverse("insight:baselines"))
    assert [row.environment.code for row in listed.context["rows"]] == ["wk01"]
    assert "1 static task has no baseline" in listed.content.decode()


def test_a_plan_says_that_its_baselines_are_not_about_tasks(tasks: Study) -> None:
    said = "1 of the study's environments is a static task, which has no baseline"
    assert said in page(tasks, "insight:plan")
    assert "static task, which" not in page(make.study(), "insight:plan")


def test_a_rehearsal_is_marked_on_the_page_of_tasks() -> None:
    study = make.study(pool=[small_task("both-1", *SOLUTIONS)], rehearsal=True)
    assert "This is a rehearsal, not a result." in page(study, "insight:study-tasks")


def test_answers_need_a_right_of_their_own(tasks: Study) -> None:
    assert "Results by answers to the survey" not in page(tasks, "insight:study-tasks", Role.DESIGNER)
    for name in ("survey", "tests"):
        address = reverse("insight:study-tasks-figure", args=[tasks.pk, name, "csv"])
        answer = signed_in(Role.DESIGNER).get(address)
        assert answer.status_code == 403
        assert Right.READ_SURVEYS.label in html.unescape(answer.content.decode())
        assert signed_in(Role.RESEARCHER).get(address).status_code == 200
