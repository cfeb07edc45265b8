"""The staff pages of stations."""

import re

import pytest
from django.test import Client

from playtest.center.models import Station
from playtest.center.stations import queries
from tests import make, seats

pytestmark = [pytest.mark.django_db, pytest.mark.once]

STATIONS = "/staff/stations/"


def text(client: Client, path: str, **fields: str) -> str:
    """The page, after redirects, without its tags; of a form that is sent, if there are fields."""
    answer = client.post(path, fields, follow=True) if fields else client.get(path)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_a_room_is_set_up_from_the_page(proctor: Client) -> None:
    assert "There are no stations yet" in text(proctor, STATIONS)
    assert "34 created" in text(proctor, f"{STATIONS}new/", room="North", first="1", count="34")
    page = proctor.post(f"{STATIONS}codes/", {"room": "North", "form_token": "one"})
    codes = re.findall(r"<code>([0-9A-Z]{3}-[0-9A-Z]{3})</code>", page.content.decode())
    assert len(set(codes)) == 34
    assert "Station 34" in text(Client(), "/station/", code=codes[-1])
    assert "0 of 34 stations ready" in text(proctor, f"{STATIONS}codes/", room="North", form_token="one")
    assert "Station 1" in text(Client(), "/station/", code=codes[0]), "the list that was sent twice is valid"


def test_errors_of_the_form_have_codes(proctor: Client) -> None:
    seats.station(5)
    assert "number_taken" in text(proctor, f"{STATIONS}new/", room="North", first="1", count="9")
    assert "max_value" in text(proctor, f"{STATIONS}new/", room="North", first="9001", count="1")
    assert Station.objects.count() == 1


def test_the_list_says_what_each_station_is_doing(proctor: Client) -> None:
    make.session(make.study())  # at station 1
    for number in (1, 2, 3):
        seats.station(number)
    queries.store({Station.objects.get(number=2).pk: "page"}, [])
    page = text(proctor, STATIONS)
    assert "1 of 3 stations ready, 1 in use" in page
    assert "2 ready now" in page
    assert "3 not connected" in page


def test_a_station_page_has_its_notes_code_and_end(proctor: Client) -> None:
    seats.station(7)
    assert "Station 7: not connected" in text(proctor, f"{STATIONS}7/")
    assert "loose cable" in text(proctor, f"{STATIONS}7/", room="South", notes="loose cable")
    page = text(proctor, f"{STATIONS}7/code/", form_token="one")
    assert "Registration code for station 7" in page
    assert "Station 7: no browser registered" in text(proctor, f"{STATIONS}7/code/", form_token="one")
    assert "Station 7 is out of use" in text(proctor, f"{STATIONS}7/retire/", form_token="two")
    assert "station_retired" in text(proctor, f"{STATIONS}7/retire/", form_token="three")
    assert "station_retired" in text(proctor, f"{STATIONS}7/code/", form_token="four")


def test_a_room_is_renamed_from_the_page(proctor: Client) -> None:
    seats.station(7)
    assert "called South now" in text(proctor, f"{STATIONS}rename/", room="North", name="South")
    assert "room_unknown" in text(proctor, f"{STATIONS}rename/", room="North", name="East")
    assert "room_missing" in text(proctor, f"{STATIONS}rename/", room="South", name="")


def test_stations_of_rehearsals_are_nobodys_business_here(proctor: Client) -> None:
    Station.objects.create(number=9001, room="Rehearsal")
    assert "9001" not in text(proctor, STATIONS)
    assert proctor.get(f"{STATIONS}9001/").status_code == 404
