"""Designers find no survey answer and no recruiter's reference anywhere, proctors no title of an environment.

Each is a marker in the database: `test_page_rights.py` reads every page that a role may open for its UNSEEN.
"""

import pytest
from django.urls import reverse

from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Session
from playtest.review.models import Export, ExportKind
from tests.people.test_page_rights import REFERENCE, TITLE
from tests.people.test_page_rights import addresses as addresses
from tests.people.test_page_rights import markers as markers
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("markers")]

MARKED = {
    "center:session": Role.PROCTOR,
    "insight:portfolio": Role.DESIGNER,
    "studio:environment": Role.DESIGNER,
}


@pytest.mark.parametrize(("name", "role"), MARKED.items())
def test_the_markers_are_found_by_those_whom_they_are_for(
    addresses: dict[str, str], name: str, role: Role
) -> None:
    page = signed_in(role).get(addresses[name]).getvalue().decode()
    assert (REFERENCE if role == Role.PROCTOR else TITLE) in page


def test_study_data_and_its_files_are_not_for_designers() -> None:
    study = Session.objects.get().study
    export = Export.objects.create(
        study=study, kind=ExportKind.STUDY_CSV, options={}, requested_at=now(), requested_by=staff(Role.LEAD)
    )
    designer = signed_in(Role.DESIGNER)
    assert designer.get(reverse("review:export-file", args=[export.pk])).status_code == 403
    assert study.name not in designer.get(reverse("review:exports")).content.decode()
