"""Two servers that are killed at once: the time until the first one is back is charged to nobody."""

import time
from collections.abc import Callable

import pytest

from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import Server


def pauses(server: Server) -> list[tuple[str, ...]]:
    return server.rows("SELECT kind FROM play_event WHERE kind IN ('paused', 'resumed') ORDER BY id")


@pytest.mark.long
def test_a_short_time_without_any_server_is_an_outage(make_server: Callable[..., Server]) -> None:
    server = make_server()
    ports = [server.start(), server.start()]
    server.seed(pool=["wk01"], stage="playing")
    for port in ports:
        server.kill(port)
    server.start(port=ports[0])
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not pauses(server) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert pauses(server) == [("paused",), ("resumed",)]
    assert "0 findings" in server.manage("audit")
