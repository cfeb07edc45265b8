"""Every address of the review room is guarded, and what comes in from outside is refused with a code."""

from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from playtest.people.roles import RIGHTS, Right, Role
from playtest.play.clock import now
from playtest.play.models import Attempt
from playtest.review.models import Export, ExportKind, ExportState
from playtest.review.urls import urlpatterns
from tests import sittings
from tests.staff import signed_in

pytestmark = pytest.mark.django_db

METHODS = ("get", "post", "put", "delete")
QUEUE = ("queue", "case", "decide", "decisions", "decision-confirm", "decision-reverse")
RIGHT_OF = {
    **dict.fromkeys(QUEUE, Right.REVIEW_EFFORT),
    **dict.fromkeys(("stored", "stored-journal"), Right.READ_BASELINES),
    "data": Right.TAKE_DATA,
    "withdrawal": Right.WITHDRAW,
}
"""The right an address needs where it is not watching attempts."""


def right_of(pattern: URLPattern) -> Right:
    return RIGHT_OF.get(str(pattern.name), Right.WATCH_ATTEMPTS)


def answers(client: Client, pattern: URLPattern, attempt: Attempt) -> dict[str, Any]:
    """What each method answers where it is allowed at all."""
    arguments = [attempt.pk] if "<int:" in str(pattern.pattern) else []
    address = reverse(f"review:{pattern.name}", args=arguments)
    found = {method: getattr(client, method)(address) for method in METHODS}
    return {method: answer for method, answer in found.items() if answer.status_code != 405}


@pytest.fixture
def attempt() -> Attempt:
    return sittings.play(sittings.sit_down(sittings.study()), [4, 4])


def test_every_address_asks_who_is_there(attempt: Attempt) -> None:
    participant = Client()
    participant.cookies["seat"] = f"{attempt.session_id}.x"
    for pattern in urlpatterns:
        found = answers(participant, pattern, attempt)
        assert found, pattern
        for answer in found.values():
            assert answer["Location"].startswith(reverse("people:sign-in")), pattern


@pytest.mark.parametrize("role", [Role.PROCTOR, Role.ENGINEER, Role.DESIGNER, Role.RESEARCHER])
def test_every_address_asks_for_its_right(role: Role, attempt: Attempt) -> None:
    client = signed_in(role)
    for pattern in urlpatterns:
        if right_of(pattern) not in RIGHTS[role]:
            for answer in answers(client, pattern, attempt).values():
                assert answer.status_code == 403, pattern
                assert b"right_missing" in answer.content


def test_data_that_names_people_is_neither_listed_nor_given_to_others(attempt: Attempt) -> None:
    study = attempt.session.study
    export = Export.objects.create(
        kind=ExportKind.STUDY_CSV, study=study, state=ExportState.WAITING, options={"identified": True},
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
    assert export.state == ExportState.WAITING


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
