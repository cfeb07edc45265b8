"""The page of a static task: who solved which pair at which try, and the wrong outputs people agree on."""

import re

import pytest
from django.urls import reverse

from playtest.insight.pages.task.findings import TaskFindings
from playtest.insight.tables.pairs import Ambiguous
from playtest.people.roles import Role
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.sessions.ends import end_session
from tests import make
from tests.insight.task_world import RIGHT, WRONG, study_of_tasks
from tests.make_tasks import play_task, small_task, submitted
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(autouse=True, scope="module")
def played(module_db: None) -> None:
    study_of_tasks()


def shown(code: str) -> tuple[TaskFindings, str]:
    answer = signed_in(Role.DESIGNER).get(reverse("insight:environment", args=[code]))
    found: TaskFindings = answer.context["found"]
    return found, answer.content.decode()


def test_the_wrong_output_that_most_people_agree_on_comes_first_and_opens_its_replays() -> None:
    found, page = shown("pairs-1")
    [pair] = found.pairs
    assert [list(row) for row in pair.wrong[0].grid] == WRONG
    assert (pair.wrong[0].people, len(pair.wrong[0].submitted)) == (3, 4)
    assert page.count('<span class="tag">ambiguous</span>') == 1
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
    assert "1 of 4 people solved both pairs of pairs-2" in page
    assert "2 of 2" in page


def test_a_solution_is_not_on_the_page() -> None:
    _, page = shown("pairs-3")
    files = signed_in(Role.DESIGNER).get(
        reverse("insight:environment-figure", args=["pairs-3", "submissions", "csv"])
    )
    assert "777" in files.content.decode(), "somebody submitted it"
    assert "Wrong output, 1 rows of 3 cells" not in page


def test_a_task_has_no_figure_of_levels_and_a_level_leads_to_its_pair() -> None:
    client = signed_in(Role.DESIGNER)
    funnel = reverse("insight:environment-figure", args=["pairs-2", "funnel", "json"])
    assert client.get(funnel).status_code == 404
    level = client.get(reverse("insight:level", args=["pairs-2", 2]))
    assert level["Location"] == f"{reverse('insight:environment', args=['pairs-2'])}#pair-2"
    assert client.get(reverse("insight:level", args=["pairs-2", 3])).status_code == 404


def test_while_sessions_run_the_parts_of_the_page_are_asked_for_again() -> None:
    client, now = signed_in(Role.DESIGNER), reverse("insight:environment-now", args=["pairs-2"])
    address = reverse("insight:environment", args=["pairs-2"])
    for session in Session.objects.all():
        end_session(session, SessionEnd.ENDED_BY_STAFF)
    assert "<live-parts" not in client.get(address).content.decode(), "nobody is playing"
    session = make.session(Study.objects.get())
    play_task(session, dict.fromkeys(RIGHT, submitted([[5]])), None)
    page = client.get(address).content.decode()
    assert f'<live-parts data-source="{now}"' in page
    parts = re.findall(r'<div id="(task-[a-z]+)">', client.get(now).content.decode())
    assert parts == ["task-heading", "task-verdict", "task-pairs", "task-people", "task-wrong"]
    assert all(page.count(f'<div id="{part}">') == 1 for part in parts)


def test_a_task_that_nobody_tried_says_so() -> None:
    small_task("pairs-9", [[1]])
    found, page = shown("pairs-9")
    assert found.people == ()
    assert "Nobody has tried pairs-9 long enough to count" in page
