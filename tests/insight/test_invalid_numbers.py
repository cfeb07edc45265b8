"""An invalid number in an address or a form is answered like an unknown one."""

import pytest
from django.test import Client

from playtest.people.roles import Role
from playtest.play.models import Attempt
from tests import make
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NUMBERS = ["9" * 4301, "9" * 25, "9" * 18, "-1", "²"]


@pytest.fixture
def attempt() -> Attempt:
    return make.play(make.session(make.study()), [4, 4, 4])


@pytest.fixture
def lead() -> Client:
    return signed_in(Role.LEAD)


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: f"{len(number)} of {number[0]}")
def test_no_page_fails_for_an_invalid_number(lead: Client, attempt: Attempt, number: str) -> None:
    found = {
        address: lead.get(address, fields).status_code
        for address, fields in {
            "/staff/environments/wk01/": {"study": number},
            "/staff/environments/": {"study": number},
            "/staff/attempts/": {"environment": number, "page": number},
            "/staff/review/": {"after": number},
            f"/staff/attempts/{attempt.pk}/": {"item": number},
            f"/staff/environments/wk01/figures/survival-time-{number}.json": {"version": number},
        }.items()
    }
    release = lead.post("/staff/environments/wk01/releases/", {"number": number, "note": "why"})
    assert {*found.values(), release.status_code} <= {200, 302, 404, 409}, (found, release.status_code)


@pytest.mark.parametrize("address", ["comments", "collect"])
@pytest.mark.parametrize(
    "content_type",
    ["multipart/form-data; boundary=part", "application/x-www-form-urlencoded", "text/plain", ""],
)
def test_a_json_address_refuses_a_form(
    lead: Client, attempt: Attempt, address: str, content_type: str
) -> None:
    body = '--part\r\nContent-Disposition: form-data; name="seq"\r\n\r\n1\r\n--part--\r\n'
    place = f"/staff/attempts/{attempt.pk}/{address}/"
    answer = lead.post(place, body, content_type=content_type)
    assert (answer.status_code, answer.json()["code"]) == (415, "json_required")
