"""Pages of both kinds of environments speak of what each has."""

import html

import pytest
from django.urls import reverse

from playtest.insight.pages.static_tasks.tables import tables_of
from playtest.insight.pages.study.results import numbers
from playtest.insight.services.pipeline import move
from playtest.insight.services.releases import release
from playtest.people.roles import Right, Role
from playtest.play.models import Attempt, Session, Study
from playtest.rules.attempt import Outcome
from playtest.rules.pipeline import Stage
from tests import make
from tests.insight.stages import card
from tests.insight.up_to_date import results_of, version_of
from tests.live.games import WALK
from tests.make_tasks import SUBMIT, play_task, play_task_internally, small_task, submitted
from tests.naive_tasks import sat
from tests.refusals import refused
from tests.staff import signed_in, staff

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
    page, file = reverse("insight:baseline", args=["both-1"]), ["both-1", "levels", "csv"]
    for address in (page, reverse("insight:baseline-figure", args=file)):
        shown = signed_in(Role.RESEARCHER).get(address)
        assert (shown.status_code, "no baseline" in shown.content.decode()) == (409, True)
    with refused("not_of_tasks"):
        release(version_of("both-1"), None, "For a test.", provisional=True)
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


BOTH = [*submitted([[1]]), *submitted([[2]])]
FIRST = [*submitted([[1]]), SUBMIT, SUBMIT]


def shown(name: str, *args: object, **query: str | int) -> str:
    answer = signed_in(Role.LEAD).get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("ends", (1,)), ("versions", ()),
        ("action-patterns", (1,)), ("action-patterns-now", (1,)),
        ("states", (1,)), ("states-list", (1,)), ("state", (1, "0")),
    ],
)  # fmt: skip
def test_what_only_a_program_has_is_refused_with_a_sentence(name: str, args: tuple[object, ...]) -> None:
    small_task("twin-1", [[1]], [[2]])
    answer = signed_in(Role.LEAD).get(reverse(f"insight:{name}", args=["twin-1", *args]))
    text = answer.content.decode()
    assert (answer.status_code, "not_of_tasks" in text) == (409, True)
    assert f'href="{reverse("insight:environment", args=["twin-1"])}"' in text


@pytest.fixture
def of_a_task() -> Study:
    """Six people at a task of two test inputs as their first: four solve both, two the first."""
    campaign = make.study(pool=[small_task("twin-1", [[1]], [[2]])], people=10)
    for edits in (BOTH, FIRST, BOTH, BOTH, FIRST, BOTH):
        play_task(make.session(campaign), edits)
    return campaign


def test_a_split_counts_who_solved_each_pair(of_a_task: Study) -> None:
    page = shown("insight:split", "twin-1", study=of_a_task.pk, by="position")
    assert "Who solved each test pair" in page
    for word in ("Baseline", "Completed", "Level", "gave up"):
        assert word not in page.split("<main")[1]
    text = shown("insight:split-figure", "twin-1", "levels", "csv", study=of_a_task.pk, by="position")
    rows = [line for line in text.lstrip("\ufeff").splitlines() if not line.startswith("#")]
    known = sat(Attempt.objects.filter(session__study=of_a_task))
    expected = [
        f"1,{number},{len(tried)},{len(tried)},{sum(one.solved_at(2) is not None for one in tried)}"
        ",undo counted"
        for number in (1, 2)
        for tried in [[one.inputs[number] for one in known if number in one.inputs]]
    ]
    assert rows == ["group,pair,shown,known,solved,of_actions", *expected]  # nobody was cut short
    address = reverse("insight:split-figure", args=["twin-1", "incidence", "csv"])
    assert signed_in(Role.LEAD).get(address, {"study": of_a_task.pk}).status_code == 404


def test_internal_plays_of_a_task_speak_of_test_inputs() -> None:
    task, lead = small_task("twin-1", [[1]], [[2]]), staff(Role.LEAD)
    studio = shown("studio:environment", "twin-1")
    assert "shows its test inputs as participants see them" in studio
    play = play_task_internally(task, lead, FIRST)
    page = shown("insight:internal-play", play.pk).split("<main")[1]
    assert "solved 1 of 2 test inputs" in page
    assert "level</label>" not in page
    assert "Levels" not in page
    assert "Wrong submissions" in page
    studio = shown("studio:environment", "twin-1").split("<main")[1]
    assert "Test inputs solved" in studio
    assert "From level" not in studio


def test_the_gate_asks_for_plays_of_a_task_in_its_own_words() -> None:
    task = small_task("twin-1", [[1]])
    task.owner = staff(Role.DESIGNER)
    task.save()
    move(task, Stage.INTERNAL, staff(Role.LEAD), "")
    assert (
        card()
        .blocks[0]
        .endswith("to play this version, each with a solved test input or a comment on how it ended.")
    )
