"""The server closes the page of a station that says nothing any more, and only that one."""

import asyncio
import socket
import time
from collections.abc import Callable

import pytest

from tests.live.idle_station import IdleStation
from tests.live.seeder import PATIENCE_SECONDS
from tests.live.serve_impatient import SILENCE_SECONDS
from tests.live.server import Server
from tests.live.test_idle_stations import cookies, until_ready

pytestmark = pytest.mark.once

OPENING = """GET /ws/station/ HTTP/1.1\r
Host: 127.0.0.1:{port}\r
Origin: http://127.0.0.1:{port}\r
Cookie: station={cookie}\r
Upgrade: websocket\r
Connection: Upgrade\r
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
Sec-WebSocket-Version: 13\r
\r
"""


async def test_a_silent_page_is_closed_and_one_that_pings_stays(make_server: Callable[..., Server]) -> None:
    impatient = make_server()
    port = impatient.start("tests.live.serve_impatient")
    silent, lively = cookies(impatient, 7301, 7302)
    with socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS) as raw:
        # From here on nothing is sent: no ping, and no pong to a ping of the server.
        raw.sendall(OPENING.format(port=port, cookie=silent).encode())
        async with IdleStation(port, lively) as station:
            assert await station.hear() == "ready"
            await asyncio.to_thread(until_ready, impatient, 7301)
            began = time.monotonic()
            while time.monotonic() < began + 2.5 * SILENCE_SECONDS:
                await station.say('{"type": "ping"}')
                assert await station.hear() == "pong"
                await asyncio.sleep(0.2)
            await asyncio.to_thread(until_ready, impatient, 7301, False)
            await asyncio.to_thread(until_ready, impatient, 7302)
        received = b""
        while b"\x88" not in received:  # the frame that closes
            part = raw.recv(4096)
            assert part, "the server closes by a frame first"
            received += part
        assert b'{"type": "ready"}' in received
