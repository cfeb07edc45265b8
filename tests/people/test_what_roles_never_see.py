"""Designers find no survey answer and no recruiter's reference anywhere, proctors no title of an environment.

Each is a marker in the database; every page, JSON document and file that the role may open is read for it.
"""

import pytest
from django.urls import reverse

from playtest.people.models import Survey
from playtest.people.roles import RIGHTS, Audience, Role
from playtest.play.clock import now
from playtest.play.models import Session
from playtest.review.models import Export, ExportKind
from tests.people import test_page_rights as table
from tests.people.test_page_rights import addresses as addresses
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TITLE, NOTE, ANSWER, REFERENCE = (f"marker-of-a-{kind}" for kind in ("title", "note", "answer", "reference"))


@pytest.fixture(autouse=True)
def markers(addresses: dict[str, str]) -> None:
    """Marks what is not for everybody in the world of the tables."""
    session = Session.objects.get()
    session.participant.reference = REFERENCE
    session.participant.save()
    Survey.objects.update(answers={"age": ANSWER, "puzzles": ANSWER})
    environment = session.study.pool.get()
    environment.title, environment.note = TITLE, NOTE
    environment.save()


def found(role: Role, addresses: dict[str, str], *marks: str) -> set[str]:
    """The pages, of those that this role may open, with one of the marks."""
    client, pages = signed_in(role), set()
    for name, access in table.expected_access().items():
        if name in addresses and (access in RIGHTS[role] or access == Audience.SIGNED_IN):
            text = client.get(addresses[name]).getvalue().decode(errors="replace")
            pages |= {name for mark in marks if mark in text}
    return pages


@pytest.mark.parametrize("role", [Role.DESIGNER, Role.ENGINEER])
def test_designers_and_engineers_find_no_answers_and_no_references(
    role: Role, addresses: dict[str, str]
) -> None:
    assert found(role, addresses, ANSWER, REFERENCE) == set()


def test_proctors_find_no_titles_no_notes_and_no_answers(addresses: dict[str, str]) -> None:
    assert found(Role.PROCTOR, addresses, TITLE, NOTE, ANSWER) == set()


def test_the_markers_are_found_by_those_whom_they_are_for(addresses: dict[str, str]) -> None:
    assert "center:session" in found(Role.PROCTOR, addresses, REFERENCE)
    assert {"insight:portfolio", "studio:environment"} <= found(Role.DESIGNER, addresses, TITLE)


def test_study_data_and_its_files_are_not_for_designers() -> None:
    study = Session.objects.get().study
    export = Export.objects.create(
        study=study, kind=ExportKind.STUDY_CSV, options={}, requested_at=now(), requested_by=staff(Role.LEAD)
    )
    designer = signed_in(Role.DESIGNER)
    assert designer.get(reverse("review:export-file", args=[export.pk])).status_code == 403
    assert study.name not in designer.get(reverse("review:exports")).content.decode()
