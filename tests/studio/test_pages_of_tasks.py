"""Every address answers for a static task too: a page, a refusal or nothing there, never an error."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.studio.models import Environment, Sighting, SightingKind
from playtest.studio.services.catalogue import describe
from tests import make
from tests.make_tasks import SUBMIT, play_task, small_task, solved, submitted, task
from tests.people.test_page_rights import ARGUMENTS, FORMATS, NAMES, staff_addresses
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TASK, OTHER = "9b62d0f8", "small-1"


@pytest.fixture(scope="module")
def world(module_db: None) -> Attempt:
    """Two tasks in a study: one that two people solved, with another version, and one with wrong outputs."""
    small_task(TASK, [[7]])
    pool = [task(TASK), small_task(OTHER, [[3]], [[4]])]
    study = make.study(pool=pool)
    made = []
    for _ in range(2):
        session = make.session(study)
        edits = {TASK: solved(pool[0]), OTHER: [*submitted([[3]]), {"op": "open", "input": 2}, SUBMIT]}
        made += [play_task(session, edits), play_task(session, edits)]
    return made[0]


def values(attempt: Attempt) -> dict[str, Any]:
    assert attempt.session is not None
    return {
        "code": TASK,
        "first": TASK,
        "second": OTHER,
        "number": 1,
        "key": "0" * 16,
        "item": "1.9",
        "day": "2000-01-01",
    }


def addresses(attempt: Attempt) -> dict[str, str]:
    """Every staff address that names a task or nothing, and those of its attempt, session and study."""
    assert attempt.session is not None
    subjects = {
        "attempts": attempt.pk,
        "studies": attempt.session.study_id,
        "sessions": attempt.session_id,
        "review": attempt.session_id,
    }
    found = {}
    for name, pattern in staff_addresses():
        known = values(attempt)
        known |= {"pk": subjects.get(str(pattern.pattern).split("/")[1], 1)}
        known |= {"name": NAMES.get(name, "none"), "format": FORMATS.get(name, "csv")}
        names = pattern.pattern.converters
        if name not in ARGUMENTS and set(names) <= set(known):
            found[name] = reverse(name, kwargs={one: known[one] for one in names})
    return found


def statuses(client: Client, address: str, methods: tuple[str, ...]) -> dict[str, int]:
    client.raise_request_exception = False
    return {method: client.generic(method, address).status_code for method in methods}


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)])
def test_no_address_of_a_task_ends_in_an_error(world: Attempt, every: int) -> None:
    """Nor do pages beside it, of which the suite opens every third."""
    client, pages, broken = signed_in(Role.LEAD), addresses(world), {}
    of_task = {name for name, address in pages.items() if f"/{TASK}/" in address}
    for name in [*of_task, *[one for one in pages if one not in of_task][::every]]:
        found = statuses(client, pages[name], ("GET", "POST") if name in of_task else ("GET",))
        if any(status >= 500 for status in found.values()):
            broken[name] = found
    assert broken == {}


def test_figures_of_a_task_answer_or_are_not_there(world: Attempt) -> None:
    lead, broken = signed_in(Role.LEAD), {}
    figures = {name: pattern for name, pattern in staff_addresses() if name.endswith("-figure")}
    for name, pattern in figures.items():
        names = set(pattern.pattern.converters)
        if "code" not in names:
            continue
        for figure in FIGURES:
            arguments = (values(world) | {"name": figure, "format": "json"}).items()
            address = reverse(name, kwargs={one: value for one, value in arguments if one in names})
            if (status := statuses(lead, address, ("GET",))["GET"]) >= 500:
                broken[address] = status
    assert broken == {}


FIGURES = (
    "funnel", "incidence", "time", "efficiency", "actions", "progression", "completion", "levels", "inputs",
    "funnel-earlier", "funnel-later", "dwell", "progress", "score", "split",
)  # fmt: skip


@pytest.mark.parametrize(
    ("method", "name", "more"),
    [
        ("GET", "studio:environment-now", {}),
        ("POST", "studio:qualify", {}),
        ("POST", "studio:explore", {}),
        ("POST", "studio:gather", {}),
        ("GET", "studio:random-play", {"number": 1}),
        ("POST", "studio:random-play-start", {"number": 1}),
        ("POST", "studio:random-play-cancel", {"number": 1}),
        ("GET", "insight:action-patterns", {"number": 1}),
        ("GET", "insight:action-patterns-now", {"number": 1}),
        ("GET", "insight:states", {"number": 1}),
        ("GET", "insight:states-list", {"number": 1}),
    ],
)
def test_what_only_a_program_has_is_refused_with_a_code(method: str, name: str, more: dict[str, int]) -> None:
    small_task(TASK, [[7]])
    answer = signed_in(Role.LEAD).generic(method, reverse(name, kwargs={"code": TASK} | more))
    assert (answer.status_code, "not_of_tasks" in answer.content.decode()) == (409, True)


def test_the_page_shows_every_pair_with_its_size_and_no_solution() -> None:
    shown = pages(small_task(TASK, [[7, 7, 7]], [[8], [8]]))
    page = shown(Role.RESEARCHER, "studio:environment")
    for picture in ("Input of demonstration 1", "Output of demonstration 1", "Input of test 2"):
        assert f'aria-label="{picture}, 1 rows of 1 cells"' in page
    assert "Output of test" not in page
    assert "solutions/" not in page
    assert "static task" in page
    for absent in ("Qualification", "random player", "Recordings", "Controls", "Frames per second"):
        assert absent not in page


def test_solutions_are_for_the_owner_and_who_imports_and_are_recorded() -> None:
    environment = small_task(TASK, [[7, 7, 7]], [[8], [8]])
    shown, page = pages(environment), "studio:solutions"
    assert 'aria-label="Output of test 1, 1 rows of 3 cells"' in shown(Role.LEAD, page)
    lead = staff(Role.LEAD)
    assert Sighting.objects.filter(staff=lead, kind=SightingKind.SOURCE, environment=environment).exists()
    assert "right_missing" in shown(Role.DESIGNER, page, 403)
    describe(environment, title="", owner=staff(Role.DESIGNER), release_set="none", note="")
    assert 'aria-label="Output of test 2, 2 rows of 1 cells"' in shown(Role.DESIGNER, page)
    for role in (Role.RESEARCHER, Role.ENGINEER, Role.PROCTOR):
        assert "Output of test" not in shown(role, page, 403)


def test_two_versions_are_compared_pair_by_pair_without_solutions() -> None:
    before = small_task("pairs-01", [[7]], [[8]]).current
    environment = small_task("pairs-01", [[7]], [[6]], [[5]])
    assert before is not None
    address = reverse("studio:environment", args=["pairs-01"])
    page = signed_in(Role.RESEARCHER).get(address, {"compare": before.digest}).content.decode()
    assert "2 pairs differ" in page
    rows = page.split('id="changes"')[1].split("</section>")[0]
    assert [row.split("<td>")[1].split("</td>")[0] for row in rows.split("<tr>")[2:]] == [
        "unchanged",
        "unchanged",
        "<strong>output changed</strong>",
        "<strong>added</strong>",
    ]
    assert signed_in(Role.RESEARCHER).get(address, {"compare": "0" * 64}).status_code == 404
    assert environment.versions.count() == 2


def pages(environment: Environment) -> Any:
    """What a role is shown at an address of this task."""

    def shown(role: Role, name: str, status: int = 200) -> str:
        answer = signed_in(role).get(reverse(name, args=[environment.code]))
        assert answer.status_code == status
        return answer.content.decode()

    return shown
