"""What reviewers are refused beyond the rights of their role."""

import pytest
from django.urls import reverse

from playtest.jobs.models import JobStatus
from playtest.people.roles import Right, Role
from playtest.play.clock import now
from playtest.play.models import Attempt
from playtest.review.models import Export, ExportKind
from tests import make
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def attempt() -> Attempt:
    return make.play(make.session(make.study()), [4, 4])


def test_data_that_names_people_is_neither_listed_nor_given_to_others(attempt: Attempt) -> None:
    study = attempt.session.study
    export = Export.objects.create(
        kind=ExportKind.STUDY_CSV, study=study, status=JobStatus.WAITING, options={"identified": True},
        requested_at=now(),
    )  # fmt: skip
    researcher = signed_in(Role.RESEARCHER)
    for name in ("export-file", "export-cancel"):
        address = reverse(f"review:{name}", args=[export.pk])
        answer = researcher.post(address) if name == "export-cancel" else researcher.get(address)
        assert answer.status_code == 403
        assert Right.TAKE_IDENTIFIED.label in answer.content.decode()
    assert study.name not in researcher.get(reverse("review:exports")).content.decode()
    assert study.name in signed_in(Role.LEAD).get(reverse("review:exports")).content.decode()
    export.refresh_from_db()
    assert export.status == JobStatus.WAITING


@pytest.mark.parametrize("text", ["half \\ud800 a letter", "nothing \\u0000 here"])
def test_text_no_database_takes_is_refused(text: str, attempt: Attempt) -> None:
    researcher = signed_in(Role.RESEARCHER)
    address = reverse("review:comments", args=[attempt.pk])
    for body in (
        f'{{"seq": 1, "seconds": 1, "text": "{text}"}}',
        f'{{"seq": 1, "seconds": 1, "tags": ["{text}"]}}',
    ):
        answer = researcher.post(address, body, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed_request")


def test_a_request_nested_too_deeply_is_refused(attempt: Attempt) -> None:
    address = reverse("review:comments", args=[attempt.pk])
    answer = signed_in(Role.RESEARCHER).post(address, "[" * 200_000, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_request")
