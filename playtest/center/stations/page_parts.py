"""What the center adds to every page of a participant."""

from typing import Any

from django.http import HttpRequest

from playtest.center.stations.devices import station_here
from playtest.people.models import Staff


def at_station(reader: Staff | None, request: HttpRequest) -> dict[str, Any]:
    """The station that shows the page; None in any other browser."""
    return {"station": station_here(request)}
