"""Registered stations without a browser."""

from django.test import Client

from playtest.center.models import Station
from playtest.center.stations.devices import COOKIE, cookie_value
from playtest.center.stations.services import create_stations, new_registration_code, register


def station(number: int = 1, room: str = "North") -> Station:
    """A station that a browser is registered as."""
    return registered(number, room)[0]


def registered(number: int = 1, room: str = "North") -> tuple[Station, str]:
    """A station, and the value of its browser's cookie."""
    (made,) = create_stations(room, number, 1, None)
    found, token = register(new_registration_code(made))
    return found, cookie_value(found, token)


def browser_at(number: int = 1, room: str = "North") -> Client:
    """The browser of a new station."""
    client = Client()
    client.cookies[COOKIE] = registered(number, room)[1]
    return client
