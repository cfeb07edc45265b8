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


def test_no_page_fails_for_an_invalid_number(lead: Client, attempt: Attempt) -> None:
    found = {
        (number, address): lead.get(address, fields).status_code
        for number in NUMBERS
        for address, fields in {
            "/staff/environments/wk01/": {"study": number},
            "/staff/environments/": {"study": number},
            "/staff/attempts/": {"environment": number, "page": number},
            "/staff/review/": {"after": number},
            f"/staff/attempts/{attempt.pk}/": {"item": number},
            f"/staff/environments/wk01/figures/survival-time-{number}.json": {"version": number},
        }.items()
    }
    for number in NUMBERS:
        answer = lead.post("/staff/environments/wk01/releases/", {"number": number, "note": "why"})
        found[number, "release"] = answer.status_code
    assert set(found.values()) <= {200, 302, 404, 409}, found


@pytest.mark.parametrize("address", ["comments", "collect"])
def test_a_json_address_refuses_a_form(lead: Client, attempt: Attempt, address: str) -> None:
    body = '--part\r\nContent-Disposition: form-data; name="seq"\r\n\r\n1\r\n--part--\r\n'
    for kind in ("multipart/form-data; boundary=part", "application/x-www-form-urlencoded", "text/plain", ""):
        answer = lead.post(f"/staff/attempts/{attempt.pk}/{address}/", body, content_type=kind)
        assert (answer.status_code, answer.json()["code"]) == (415, "json_required"), kind
