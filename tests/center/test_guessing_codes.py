"""Guessing codes is limited, and locks out nobody at the same address."""

import pytest
from django.core.cache import cache
from django.test import Client

from playtest.center import views
from playtest.people.services import new_participant
from playtest.play.sessions.services import create_session
from tests import make
from tests.seats import browser_at

pytestmark = [pytest.mark.django_db, pytest.mark.services, pytest.mark.once]

TRIES = 6
PEOPLE = 12
PLACES = 9


@pytest.fixture(autouse=True)
def few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "TRIES", TRIES)
    cache.clear()


def codes(count: int) -> list[str]:
    campaigns = [make.study() for _ in range(-(-count // PLACES))]
    return [
        create_session(campaigns[number // PLACES], new_participant(), None)[1] for number in range(count)
    ]


def enter(browser: Client, code: str) -> int:
    return browser.post("/", {"code": code}).status_code


def test_people_at_stations_check_in_while_somebody_guesses_at_their_address() -> None:
    room = [browser_at(number) for number in range(1, TRIES + 4)]
    guesses = [enter(Client(), f"X{number:05}") for number in range(TRIES + 2)]
    assert guesses[-2:] == [429, 429]
    assert 429 not in guesses[:TRIES]
    statuses = [enter(browser, code) for browser, code in zip(room, codes(len(room)), strict=True)]
    assert statuses == [302] * len(room)


def test_right_codes_are_not_counted_so_any_number_checks_in_at_one_address() -> None:
    assert [enter(Client(), code) for code in codes(PEOPLE)] == [302] * PEOPLE


def test_a_guesser_at_a_station_is_slowed_and_hinders_no_other() -> None:
    (code,) = codes(1)
    station = browser_at(1)
    guesses = [enter(station, f"X{number:05}") for number in range(TRIES + 1)]
    assert guesses == [409] * TRIES + [429]
    assert enter(browser_at(2), code) == 302
