"""Who changed which station is in the log of the server, without codes and tokens."""

import pytest
from django.test import Client

from playtest.center.models import Station
from playtest.people.roles import Role
from playtest.rules.codes import normalise
from tests import seats
from tests.staff import staff

pytestmark = pytest.mark.django_db


def test_every_change_has_a_line_with_who_made_it(
    caplog: pytest.LogCaptureFixture, django_capture_on_commit_callbacks: object
) -> None:
    seats.station(7)
    proctor, client = staff(Role.PROCTOR), Client()
    client.force_login(proctor)
    caplog.clear()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        client.post("/staff/stations/new/", {"room": "North", "first": 8, "count": 2})
        shown = client.post("/staff/stations/7/code/").context["code"]
        client.post("/staff/stations/codes/", {"room": "North"})
        client.post("/staff/stations/7/", {"room": "North", "notes": "by the door"})
        client.post("/staff/stations/9/retire/")
        client.post("/staff/stations/9/retire/")
        Client().post("/station/", {"code": "nonsense"})
    assert Station.objects.get(number=9).retired_at
    by = f", by staff {proctor.pk}"
    assert [record.getMessage() for record in caplog.records if "stations" in record.name] == [
        f"stations 8 to 9 created in 'North'{by}",
        f"station 7 has a new registration code{by}",
        *(f"station {number} has a new registration code{by}" for number in (7, 8, 9)),
        f"station 7 is in room 'North', its notes were stored{by}",
        f"station 9 is out of use{by}",
    ]
    assert normalise(shown) not in caplog.text.upper().replace("-", "")
