"""Which idle stations are connected, whatever process serves them."""

from datetime import timedelta

import pytest

from playtest.center.models import Station, StationPresence
from playtest.center.stations import queries
from playtest.center.stations.queries import StationState, stations
from playtest.play.clock import machine_now
from tests import seats

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def state(station: Station) -> StationState:
    return next(one.state for one in stations() if one.station == station)


def test_a_connected_station_is_ready_and_a_gone_one_is_not() -> None:
    station = seats.station()
    assert state(station) == StationState.OFFLINE
    queries.store({station.pk: "one"}, [])
    assert state(station) == StationState.READY
    queries.store({}, ["one"])
    assert state(station) == StationState.OFFLINE


def test_the_newest_page_decides() -> None:
    station = seats.station()
    queries.store({station.pk: "one"}, [])
    queries.store({station.pk: "two"}, [])
    queries.store({}, ["one"])
    assert state(station) == StationState.READY


def test_a_killed_process_leaves_no_ready_station() -> None:
    station = seats.station()
    queries.store({station.pk: "one"}, [])
    StationPresence.objects.update(seen_at=machine_now() - queries.FORGOTTEN_AFTER - timedelta(seconds=1))
    assert state(station) == StationState.OFFLINE
    queries.seen([station.pk])
    assert state(station) == StationState.READY


def test_one_statement_a_beat_however_many_stations(django_assert_num_queries: object) -> None:
    made = [seats.station(number) for number in range(1, 40)]
    with django_assert_num_queries(2):  # type: ignore[operator]
        queries.store({station.pk: f"page {station.pk}" for station in made}, ["earlier", "page"])
    with django_assert_num_queries(1):  # type: ignore[operator]
        queries.seen([station.pk for station in made])
    with django_assert_num_queries(2):  # type: ignore[operator]
        assert {one.state for one in stations()} == {StationState.READY}


def test_a_page_seen_again_is_ready_again() -> None:
    station = seats.station()
    queries.store({station.pk: "one"}, [])
    queries.store({}, ["one"])
    queries.seen([station.pk])
    assert state(station) == StationState.READY
