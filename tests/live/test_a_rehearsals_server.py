"""A server in virtual time refuses real people at check-in and at the socket."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from playtest.play.page.wire import CloseCode
from playtest.rehearsal.clock import VirtualClock
from tests.live.server import Server
from tests.live.station import Station
from tests.live.visitor import Visitor

pytestmark = pytest.mark.once


async def test_real_people_cannot_check_in_on_a_rehearsals_server(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    installation = make_server()
    clock = tmp_path / "clock"
    VirtualClock.create(clock, datetime.now(UTC) - timedelta(hours=2))
    settings: dict[str, Any] = {
        "DJANGO_SETTINGS_MODULE": "playtest.rehearsal.settings",
        "REHEARSAL_CLOCK": str(clock),
    }
    port = installation.start("playtest.rehearsal.serve", **settings)
    waiting = installation.seed(stage="new", pool=["wk01"])["people"][0]
    seated = installation.seed(stage="playing", pool=["wk01"])["people"][0]
    rehearsing = installation.seed(stage="new", pool=["wk01"], study={"rehearsal": True})["people"][0]

    assert "A rehearsal runs here" in enter(port, waiting["code"])
    async with Station(port, seated["seat"]) as station:
        assert await station.hear_close() == CloseCode.NO_SEAT
    assert installation.rows("SELECT COUNT(*) FROM play_entry") == [(0,)]
    assert "I agree" in enter(port, rehearsing["code"])


def enter(port: int, code: str) -> str:
    """Returns the page after a code is entered."""
    visitor = Visitor(port)
    visitor.get("/")
    return visitor.post("/", code=code).text
