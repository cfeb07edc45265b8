"""Who sits at which station, its pages, and that nothing at it leads elsewhere."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from playtest.center.models import Station
from playtest.center.stations import queries, seating, services
from playtest.center.stations.devices import COOKIE
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Event, EventKind, Session, SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.seats import session_of_cookie
from playtest.play.sessions.services import create_session, reissue_code
from tests import make, seats
from tests.refusals import refused
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def new_code() -> str:
    return create_session(make.study(), new_participant(), None)[1]


def check_in(client: Client, code: str) -> str:
    """Enter a code on the welcome page; the code of the refusal, or ""."""
    answer = client.post("/", {"code": code})
    return "" if answer.status_code == 302 else str(answer.context["refusal"].code)


def seated(client: Client) -> Session | None:
    return session_of_cookie({name: morsel.value for name, morsel in client.cookies.items()})


def test_a_session_knows_its_station() -> None:
    client = seats.browser_at(7)
    assert check_in(client, new_code()) == ""
    assert Session.objects.get().station == 7


def test_a_browser_that_is_no_station_can_check_in() -> None:
    assert check_in(Client(), new_code()) == ""
    assert Session.objects.get().station is None


@pytest.mark.services
def test_a_station_has_one_session_at_a_time() -> None:
    client = seats.browser_at(7)
    check_in(client, new_code())
    del client.cookies["seat"]
    later = new_code()
    assert check_in(client, later) == "station_busy"
    assert Session.objects.filter(checked_in_at=None).count() == 1, "the code can still be used"
    end_session(Session.objects.get(station=7), SessionEnd.ENDED_BY_STAFF)
    assert check_in(client, later) == ""


def test_a_new_code_frees_the_station() -> None:
    client = seats.browser_at(7)
    check_in(client, new_code())
    code = reissue_code(Session.objects.get(), staff(Role.PROCTOR))
    assert client.get("/").status_code == 200, "the browser does not get the seat back by itself"
    assert check_in(client, new_code()) == ""
    assert check_in(seats.browser_at(8), code) == ""


def test_a_browser_that_lost_its_seat_gets_it_back() -> None:
    client = seats.browser_at(7)
    check_in(client, new_code())
    session = seated(client)
    lost = client.cookies.pop("seat").value
    answer = client.get("/")
    assert (answer.status_code, answer["Location"]) == (302, "/session/")
    assert seated(client) == session
    assert session_of_cookie({"seat": lost}) is None, "there is one seat"


def test_no_other_browser_gets_the_seat() -> None:
    check_in(seats.browser_at(7), new_code())
    assert seats.browser_at(8).get("/").status_code == 200
    assert Client().get("/").status_code == 200


def test_an_ended_session_gives_no_seat() -> None:
    client = seats.browser_at(7)
    check_in(client, new_code())
    end_session(Session.objects.get(), SessionEnd.ENDED_BY_STAFF)
    del client.cookies["seat"]
    assert client.get("/").status_code == 200


def test_moving_a_session_moves_its_seat() -> None:
    old, new = seats.browser_at(7), seats.browser_at(8)
    check_in(old, new_code())
    session = Session.objects.get()
    proctor = staff(Role.PROCTOR)
    seating.move_session(session, 8, proctor, "the mouse is broken")
    assert old.get("/").status_code == 200, "the old station welcomes the next person"
    assert new.get("/")["Location"] == "/session/"
    assert seated(new) == session
    session.refresh_from_db()
    assert session.station == 8
    event = Event.objects.get(kind=EventKind.STATION_CHANGED)
    assert (event.staff, event.attempt) == (proctor, None)
    assert event.details == {"from": 7, "to": 8, "reason": "the mouse is broken"}


def test_a_move_belongs_to_the_open_attempt() -> None:
    session = make.session(make.study())
    attempt = make.play(session, [4], None)
    seats.station(8)
    seating.move_session(session, 8, staff(Role.PROCTOR), "")
    assert Event.objects.get(kind=EventKind.STATION_CHANGED).attempt == attempt


def test_moves_that_are_refused() -> None:
    check_in(seats.browser_at(1), new_code())
    session = Session.objects.get()
    services.retire(seats.station(2))
    services.create_stations("North", 3, 1, None)
    check_in(seats.browser_at(4), new_code())
    codes = {
        9: "station_unknown",
        2: "station_retired",
        3: "station_unregistered",
        4: "station_busy",
        1: "same_station",
    }
    for number, code in codes.items():
        with refused(code):
            seating.move_session(session, number, staff(Role.PROCTOR), "")
    session.refresh_from_db()
    assert session.station == 1
    assert not Event.objects.filter(kind=EventKind.STATION_CHANGED).exists()


def test_only_a_session_under_way_is_moved() -> None:
    seats.station(8)
    session, _ = create_session(make.study(), new_participant(), None)
    with refused("not_checked_in"):
        seating.move_session(session, 8, staff(Role.PROCTOR), "")
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    with refused("session_ended"):
        seating.move_session(session, 8, staff(Role.PROCTOR), "")


def test_a_station_in_use_is_not_retired() -> None:
    check_in(seats.browser_at(7), new_code())
    with refused("station_busy"):
        services.retire(Station.objects.get(number=7))


def test_the_cookie_stays_when_a_session_ends() -> None:
    client = seats.browser_at(7)
    check_in(client, new_code())
    end_session(Session.objects.get(), SessionEnd.ENDED_BY_STAFF)
    client.get("/session/thanks/")
    assert client.cookies["seat"].value == ""
    assert client.cookies[COOKIE].value.startswith("7.")


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


def test_stations_of_rehearsals_are_nobodys_business_here(proctor: Client) -> None:
    Station.objects.create(number=9001, room="Rehearsal")
    assert "9001" not in text(proctor, STATIONS)
    assert proctor.get(f"{STATIONS}9001/").status_code == 404


ADDRESSES = {"href", "src", "action", "formaction", "data-address"}
OURS = ("/static/", "/session/", "data:,")


class Links(HTMLParser):
    """Every address that a page names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ADDRESSES]
        assert not any(name in ("target", "ping") or name.startswith("on") for name, _ in attrs), tag


def pages(client: Client, code: str) -> Iterator[Any]:
    """Every page from the code to the thanks, and those of a refused code and of one that does not exist."""
    yield client.get("/")
    yield client.get("/station/")
    yield client.post("/", {"code": "AAA-AAA"})
    assert client.post("/", {"code": code}).status_code == 302
    yield client.get("/session/consent/")
    client.post("/session/consent/", {"answer": "agree"})
    yield client.get("/session/survey/")
    client.post("/session/survey/", {})
    yield client.get("/session/tutorial/")
    client.post("/session/tutorial/")
    yield client.get("/session/play/")
    end_session(Session.objects.get(), SessionEnd.ENDED_BY_STAFF)
    yield client.get("/session/thanks/")
    yield client.get("/nothing/")


def test_every_page_at_a_station_leads_to_our_own_pages_for_participants_only() -> None:
    client = seats.browser_at(7)
    _, code = create_session(make.study(), new_participant(), None)
    seen = 0
    for page in pages(client, code):
        assert page.status_code in (200, 404, 409), page
        assert page.status_code == 404 or "no-store" in page["Cache-Control"]
        links = Links(page.content.decode()).found
        assert links, "at least a style sheet"
        assert [link for link in links if link != "/" and not link.startswith((*OURS, "?language="))] == []
        seen += 1
    assert seen == 9
