"""Pages of both kinds speak of a task's test inputs, or say in a sentence that they are not about tasks."""

import pytest
from django.urls import reverse

from playtest.insight.services.pipeline import move
from playtest.people.roles import Role
from playtest.play.models import Attempt, Study
from playtest.rules.pipeline import Stage
from tests import make
from tests.insight.stages import card
from tests.make_tasks import SUBMIT, play_task, play_task_internally, small_task, submitted
from tests.naive_tasks import sat
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

BOTH = [*submitted([[1]]), *submitted([[2]])]
FIRST = [*submitted([[1]]), SUBMIT, SUBMIT]


def shown(name: str, *args: object, **query: str | int) -> str:
    answer = signed_in(Role.LEAD).get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("ends", (1,)), ("versions", ()), ("versions-figure", ("completion", "csv")),
        ("action-patterns", (1,)), ("action-patterns-now", (1,)),
        ("states", (1,)), ("states-list", (1,)), ("states-versions", (1,)),
        ("states-versions-figure", (1, "states", "csv")), ("state", (1, "0")),
    ],
)  # fmt: skip
def test_what_only_a_program_has_is_refused_with_a_sentence(name: str, args: tuple[object, ...]) -> None:
    small_task("twin-1", [[1]], [[2]])
    answer = signed_in(Role.LEAD).get(reverse(f"insight:{name}", args=["twin-1", *args]))
    text = answer.content.decode()
    assert (answer.status_code, "not_of_tasks" in text) == (409, True)
    assert f'href="{reverse("insight:environment", args=["twin-1"])}"' in text


@pytest.fixture
def study() -> Study:
    """Six people at a task of two test inputs as their first: four solve both, two the first."""
    campaign = make.study(pool=[small_task("twin-1", [[1]], [[2]])], people=10)
    for edits in (BOTH, FIRST, BOTH, BOTH, FIRST, BOTH):
        play_task(make.session(campaign), edits)
    return campaign


def test_a_split_counts_who_solved_each_pair(study: Study) -> None:
    page = shown("insight:split", "twin-1", study=study.pk, by="position")
    assert "Who solved each test pair" in page
    for word in ("Baseline", "Completed", "Level", "not given up"):
        assert word not in page.split("<main")[1]
    text = shown("insight:split-figure", "twin-1", "levels", "csv", study=study.pk, by="position")
    rows = [line for line in text.lstrip("\ufeff").splitlines() if not line.startswith("#")]
    known = sat(Attempt.objects.filter(session__study=study))
    expected = [
        f"1,{number},{len(tried)},{sum(one.solved_at(2) is not None for one in tried)}"
        for number in (1, 2)
        for tried in [[one.inputs[number] for one in known if number in one.inputs]]
    ]
    assert rows == ["group,pair,shown,solved", *expected]
    address = reverse("insight:split-figure", args=["twin-1", "survival", "csv"])
    assert signed_in(Role.LEAD).get(address, {"study": study.pk}).status_code == 404


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
    assert card().blocks[0].endswith("to play this version: a solved test input or 30 edits each.")
