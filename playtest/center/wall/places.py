"""Rooms and stations on the wall: where each session is, and the stations at which nobody is."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from playtest.center.stations.models import FIRST_OF_REHEARSALS, Station
from playtest.center.stations.presence import connected_stations
from playtest.center.wall.facts import SessionFacts

type Idle = dict[int, dict[str, Any]]
"""What viewers are told of each station at which nobody is, by number."""


def places(facts: Iterable[SessionFacts], moment: datetime) -> tuple[dict[int, str], Idle]:
    """The room of every station, and the stations without a session.

    Stations of rehearsals are shown only with somebody at them. `moment` is the machine's time.
    """
    taken = {one.station for one in facts if one.ended_at is None}
    rooms: dict[int, str] = {}
    idle: Idle = {}
    ready = connected_stations(moment)
    stations = Station.objects.filter(retired_at=None)  # plain rows: this is read twice a second
    for number, room, token_hash in stations.values_list("number", "room", "token_hash"):
        rooms[number] = room
        if number not in taken and number < FIRST_OF_REHEARSALS and token_hash:
            stage = "ready" if number in ready else "offline"
            idle[number] = {"session": None, "station": number, "room": room, "stage": stage}
    return rooms, idle
