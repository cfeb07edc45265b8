"""The trail above a staff page: every page has its title, and steps lead only where the reader may go."""

import pytest
from django.test import RequestFactory
from django.urls import reverse

from playtest.people.manifests import manifests
from playtest.people.navigation import PAGES, Step, page_of, trail
from playtest.people.roles import Role
from playtest.play.models import Study
from playtest.studio.models import Environment
from tests import make
from tests.people import test_page_rights as rights
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PARTS = (
    "-now", "-figure", "-file", "-events", "-picture", "-graph", "-journal", "-source",
    "-comments", "-others", "-choices", "-end", "-winning", "-recording", "-notes", "-inputs", "-bar",
    "-scores", "-keys", "-accounts",
)  # fmt: skip
NO_PAGES = {
    "review:journal", "review:recording", "review:comments", "review:others", "review:winning", "review:end",
    "review:picture", "review:solution", "insight:released-report", "studio:version-files",
}  # fmt: skip
"""Answers that are parts of pages or files, beside those with an ending in PARTS."""


@pytest.fixture(autouse=True)
def environment() -> Environment:
    return Environment.objects.create(code="kr68")


def steps(path: str, role: Role = Role.LEAD) -> list[Step]:
    return trail(RequestFactory().get(path), staff(role))


def staff_pages() -> set[str]:
    """The names of all pages for which a role needs a right, without files and parts of pages."""
    names = rights.PAGES | rights.ABSENT
    return {name for name in names if name not in NO_PAGES and not name.endswith(PARTS)}


def test_every_staff_page_has_a_title() -> None:
    entries = {page.url_name for page in PAGES}
    assert staff_pages() - entries - {name for one in manifests() for name in one.titles} == set()


def test_a_page_within_an_environment_leads_back_with_its_scope() -> None:
    path = reverse("insight:action-patterns", args=["kr68", 3])
    assert steps(f"{path}?study=4&excluded=with&sort=-name") == [
        Step("Workshop"),
        Step("Environments", "/staff/environments/"),
        Step("kr68", "/staff/environments/kr68/?study=4&excluded=with"),
        Step("Level 3", "/staff/environments/kr68/levels/3/?study=4&excluded=with"),
        Step("Action patterns"),
    ]


def test_a_baseline_is_among_the_results() -> None:
    found = steps(reverse("insight:baseline", args=["kr68"]))
    assert [step.title for step in found] == ["Results", "Baselines", "kr68", "Baseline"]


def test_an_import_is_within_no_environment_of_that_name() -> None:
    found = steps(reverse("studio:import-job", args=[7]))
    assert [step.title for step in found] == ["Workshop", "Import", "Import 7"]


def test_what_the_reader_may_not_open_is_not_named() -> None:
    study = make.study()
    path = reverse("insight:study", args=[study.pk])
    assert steps(path)[-1] == Step(Study.objects.get().name)
    assert steps(path, Role.PROCTOR) == [Step("Results")]
    page = signed_in(Role.PROCTOR).get(path).content.decode()
    assert study.name not in page


def test_addresses_outside_all_places_have_no_trail() -> None:
    assert steps(reverse("people:handbook")) == []
    assert page_of("/staff/nothing/") is None
    assert steps("/staff/environments/kr68/nothing/here/")[-1].title == "kr68"


def test_the_page_of_one_step_shows_no_trail() -> None:
    lead = signed_in(Role.LEAD)
    assert 'class="trail"' not in lead.get(reverse("play:studies")).content.decode()
    study = make.study()
    page = lead.get(reverse("insight:study", args=[study.pk])).content.decode()
    assert 'class="trail"' in page
    assert f'<span aria-current="page">{study.name}</span>' in page
