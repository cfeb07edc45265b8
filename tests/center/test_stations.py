"""Station numbers of browsers."""

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from playtest.center.stations import station_number
from playtest.people.roles import Role
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

STATION = "/staff/stations/"


def number_of(client: Client) -> int | None:
    """Returns the station number of this browser's requests."""
    request = RequestFactory().get("/")
    request.COOKIES = {name: morsel.value for name, morsel in client.cookies.items()}
    return station_number(request)


def test_a_new_browser_has_no_station_number() -> None:
    assert number_of(signed_in(Role.PROCTOR)) is None


def test_a_station_number_remains_after_signing_out() -> None:
    client = signed_in(Role.PROCTOR)
    page = client.post(STATION, {"number": "7"}, follow=True).content.decode()
    assert "This browser is station 7" in page
    client.post(reverse("people:sign-out"))
    assert number_of(client) == 7


def test_a_station_number_can_be_removed() -> None:
    client = signed_in(Role.PROCTOR)
    client.post(STATION, {"number": "7"})
    assert ">Stop using this browser as a station</button>" in client.get(STATION).content.decode()
    client.post(STATION, {"none": "1"})
    assert number_of(client) is None


@pytest.mark.parametrize(
    ("number", "code"), [("0", "min_value"), ("1000", "max_value"), ("seven", "invalid")]
)
def test_an_invalid_number_is_answered_with_an_error_code(number: str, code: str) -> None:
    client = signed_in(Role.PROCTOR)
    assert f"<code>{code}</code>" in client.post(STATION, {"number": number}).content.decode()
    assert number_of(client) is None


def test_a_forged_cookie_is_ignored() -> None:
    client = signed_in(Role.PROCTOR)
    client.cookies["station"] = "7:forged"
    assert number_of(client) is None
