"""What someone sees who comes to the wrong place, or too late."""

import pytest
from django.test import Client

from playtest.people.roles import Role
from tests.staff import signed_in

pytestmark = pytest.mark.django_db


def test_a_participant_sees_a_plain_page() -> None:
    answer = Client().get("/nothing/here/")
    page = answer.content.decode()
    assert answer.status_code == 404
    assert "page_unknown" in page
    assert "<nav" not in page
    assert 'href="/staff/' not in page


def test_staff_keep_their_navigation() -> None:
    answer = signed_in(Role.LEAD).get("/staff/nothing/")
    assert answer.status_code == 404
    assert "page_unknown" in answer.content.decode()
    assert "Environments" in answer.content.decode()


@pytest.mark.parametrize(
    "address",
    [
        "/staff/attempts/99/",
        "/staff/sessions/99/",
        "/staff/studies/99/",
        "/staff/environments/none/baseline/",
    ],
)
def test_an_unknown_subject_is_not_found(address: str) -> None:
    assert signed_in(Role.LEAD).get(address).status_code == 404


def test_an_expired_form_says_what_to_do() -> None:
    answer = Client(enforce_csrf_checks=True).post("/staff/sign-in/", {"username": "lead"})
    assert answer.status_code == 403
    assert "form_expired" in answer.content.decode()


def test_pages_allow_no_script_or_style_but_our_files() -> None:
    policy = signed_in(Role.LEAD).get("/staff/sessions/")["Content-Security-Policy"]
    assert "unsafe" not in policy
