"""Staff create stations; a browser becomes one with a registration code."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from playtest.center.models import Station
from playtest.center.stations import services
from playtest.center.stations.devices import COOKIE
from playtest.play.clock import machine_now
from playtest.play.errors import Refusal
from playtest.rules.codes import display
from tests import seats
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def enter(client: Client, code: str) -> str:
    """Enter a registration code at a seat; the code of the refusal, or "" if the browser is registered."""
    answer = client.post("/station/", {"code": code})
    if answer.status_code == 302:
        assert answer["Location"] == "/"
        return ""
    return str(answer.context["refusal"].code)


@pytest.mark.services
def test_a_room_gets_its_stations_at_once() -> None:
    made = services.create_stations(" North ", 7, 34, None)
    assert [station.number for station in made] == list(range(7, 41))
    assert {station.room for station in made} == {"North"}


@pytest.mark.parametrize(
    ("room", "first", "count", "code"),
    [
        ("", 1, 1, "room_missing"),
        ("  ", 1, 1, "room_missing"),
        ("North", 0, 1, "number_invalid"),
        ("North", 1, 0, "number_invalid"),
        ("North", 1, 201, "number_invalid"),
        ("North", 9000, 2, "number_invalid"),
        ("North", 3, 3, "number_taken"),
    ],
)
def test_stations_that_cannot_be_created(room: str, first: int, count: int, code: str) -> None:
    seats.station(5)
    with refused(code):
        services.create_stations(room, first, count, None)
    assert Station.objects.count() == 1


def test_a_browser_becomes_a_station_and_remains_one() -> None:
    (station,) = services.create_stations("North", 7, 1, None)
    client = Client()
    assert enter(client, display(services.new_registration_code(station)).lower()) == ""
    cookie = client.cookies[COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Strict"
    assert cookie["max-age"] == 400 * 24 * 60 * 60
    page = client.get("/")
    assert re.search(r"Station <span[^>]*>7<", page.content.decode())
    assert page.cookies[COOKIE].value == cookie.value, "each visit keeps the cookie for another 400 days"


@pytest.mark.services
def test_a_registration_code_works_once() -> None:
    (station,) = services.create_stations("North", 7, 1, None)
    code = services.new_registration_code(station)
    assert enter(Client(), code) == ""
    assert enter(Client(), code) == "code_unknown"


def test_a_registration_code_expires() -> None:
    (station,) = services.create_stations("North", 7, 1, None)
    code = services.new_registration_code(station)
    Station.objects.update(code_expires_at=machine_now() - timedelta(seconds=1))
    assert enter(Client(), code) == "code_expired"


@pytest.mark.parametrize(
    ("code", "refusal"), [("", "code_malformed"), ("K7M", "code_malformed"), ("K7M-2QX", "code_unknown")]
)
def test_other_texts_are_refused(code: str, refusal: str) -> None:
    assert enter(Client(), code) == refusal


def test_registration_codes_are_no_session_codes() -> None:
    (station,) = services.create_stations("North", 7, 1, None)
    answer = Client().post("/", {"code": services.new_registration_code(station)})
    assert answer.context["refusal"].code == "code_unknown"


def test_a_new_code_voids_the_browser_before() -> None:
    client = seats.browser_at(7)
    services.new_registration_code(Station.objects.get(number=7))
    assert "Station 7" not in client.get("/").content.decode()


@pytest.mark.parametrize(
    "cookie", ["", "7", "7.", "7.forged", "seven.x", "99999999999999999999.x", "7:signed"]
)
def test_a_forged_cookie_is_ignored(cookie: str) -> None:
    client = seats.browser_at(7)
    client.cookies[COOKIE] = cookie
    page = client.get("/")
    assert page.status_code == 200
    assert "Station 7" not in page.content.decode()


def test_a_room_gets_codes_for_the_seats_without_a_browser() -> None:
    services.create_stations("North", 1, 3, None)
    seats.station(4)
    found = services.codes_of_room("North")
    assert [station.number for station, _ in found] == [1, 2, 3]
    assert [enter(Client(), code) for _, code in found] == ["", "", ""]
    assert services.codes_of_room("North") == []


def test_a_retired_station_is_no_station() -> None:
    client = seats.browser_at(7)
    station = Station.objects.get(number=7)
    services.retire(station)
    assert "Station 7" not in client.get("/").content.decode()
    for again in (services.retire, services.new_registration_code):
        with pytest.raises(Refusal, match="out of use"):
            again(station)
    with pytest.raises(Refusal, match="taken"):
        services.create_stations("North", 7, 1, None)
