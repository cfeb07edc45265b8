"""Error pages: wrong addresses, missing rights and expired forms."""

from uuid import UUID

import pytest
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse
from django.urls.converters import IntConverter

from playtest.people.roles import Role
from playtest.review.models import Collection
from tests.people.test_page_rights import all_addresses
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


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
    assert "Workshop" in answer.content.decode()


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


@pytest.mark.services
def test_text_that_cannot_be_stored_is_refused_everywhere() -> None:
    lead = signed_in(Role.LEAD)
    half_a_letter = encode_multipart(BOUNDARY, {"name": r"stuck \ud800"})
    escaped = f"{MULTIPART_CONTENT}; charset=unicode_escape"
    with_cookie = Client()
    with_cookie.cookies["sessionid"] = "nothing\0here"
    for answer in (
        lead.get("/staff/environments/vq%0037/"),
        lead.get("/nothing%00"),
        lead.get("/staff/redundancy/", {"first": "\0", "second": "wk01"}),
        lead.get("/staff/attempts/", {"\0": ""}),
        lead.post("/staff/collections/", {"name": "stuck\0"}),
        lead.generic("POST", "/staff/collections/", half_a_letter, escaped),
        lead.post("/staff/withdrawal/", {"participant": ["P-1", "P-\0"]}),
        with_cookie.get("/staff/sessions/"),
    ):
        assert answer.status_code == 400
        assert "malformed_request" in answer.content.decode()
        assert "Content-Security-Policy" in answer
    assert not Collection.objects.exists()


def test_pages_allow_no_script_or_style_but_our_files() -> None:
    policy = signed_in(Role.LEAD).get("/staff/sessions/")["Content-Security-Policy"]
    assert "unsafe" not in policy


def test_a_number_that_no_column_holds_is_not_found_at_any_address() -> None:
    client = signed_in(Role.LEAD)
    numbered = [
        (name, one) for name, one in all_addresses() if {"pk", "number"} & set(one.pattern.converters)
    ]
    assert len(numbered) > 60
    for name, pattern in numbered[::6]:  # the middleware knows no names
        kinds = pattern.pattern.converters.items()
        given = {key: 2**63 if isinstance(kind, IntConverter) else UUID(int=0) for key, kind in kinds}
        assert client.get(reverse(name, kwargs=given)).status_code == 404, name
