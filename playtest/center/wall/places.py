"""Rooms and stations on the wall: where each session is, and the stations at which nobody is."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from playtest.center.stations.models import FIRST_OF_REHEARSALS, Station
from playtest.center.stations.presence import connected_since
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
    for station in Station.objects.filter(retired_at=None).select_related("presence"):
        rooms[station.number] = station.room
        if station.number not in taken and station.number < FIRST_OF_REHEARSALS and station.registered:
            ready = connected_since(getattr(station, "presence", None), moment) is not None
            idle[station.number] = {
                "session": None,
                "station": station.number,
                "room": station.room,
                "stage": "ready" if ready else "offline",
            }
    return rooms, idle
