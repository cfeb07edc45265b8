"""The shorter way for agents' actions: its heads, requests in pieces and several at once."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from playtest.serve.whole_requests import Channel, read_head

HEAD = b"POST /api/cmd/ACTION1 HTTP/1.1\r\nHost: here\r\nX-API-Key:  a key \r\nContent-Length: 4\r\n\r\n"


def test_a_head_is_read() -> None:
    read = read_head(HEAD + b"bo")
    assert read is not None
    head, rest = read
    assert (head.path, head.length, rest) == (b"/api/cmd/ACTION1", 4, b"bo")
    assert head.headers == [(b"host", b"here"), (b"x-api-key", b"a key"), (b"content-length", b"4")]


@pytest.mark.parametrize(
    ("part", "instead"),
    [
        pytest.param(b"POST", b"GET", id="another method"),
        pytest.param(b"/api/cmd/ACTION1", b"/api/cmd/ACTION1?x=1", id="a query"),
        pytest.param(b"/api/cmd/ACTION1", b"/api/cmd/%41CTION1", id="an escaped path"),
        pytest.param(b"/api/cmd/ACTION1", b"/staff/", id="another path"),
        pytest.param(b"HTTP/1.1", b"HTTP/1.0", id="an older version"),
        pytest.param(b"Content-Length: 4", b"Content-Length: 4\r\nContent-Length: 4", id="two lengths"),
        pytest.param(b"Content-Length: 4", b"Content-Length: +4", id="a length with a sign"),
        pytest.param(b"Content-Length: 4", b"Content-Length: 400000", id="a large body"),
        pytest.param(b"Content-Length: 4\r\n", b"", id="no length"),
        pytest.param(b"Content-Length: 4", b"Content-Length: 4\r\nTransfer-Encoding: chunked", id="chunked"),
        pytest.param(b"Host: here", b"Host: here\r\nExpect: 100-continue", id="waits for 100"),
        pytest.param(b"Host: here", b"Host: here\r\nConnection: close", id="closes"),
        pytest.param(b"Host: here", b"Host: here\r\n folded", id="a folded line"),
        pytest.param(b"Host: here", b"Host : here", id="a space before the colon"),
        pytest.param(b"Host: here", b"Host: he\nre", id="half a line end"),
        pytest.param(b"Host: here", b"Host: he\0re", id="a NUL"),
        pytest.param(b"Host: here", b"Ho_st: here", id="an underscore"),
        pytest.param(b"\r\n\r\n", b"\r\n", id="no end"),
    ],
)
def test_an_unusual_head_takes_the_usual_way(part: bytes, instead: bytes) -> None:
    assert part in HEAD
    assert read_head(HEAD.replace(part, instead)) is None


class Connection:
    """A channel with a transport that keeps what is written, and an application that answers its input."""

    connected, TLS, disconnecting = True, False, True  # so that nothing is written past `write`

    def __init__(self) -> None:
        self.written = b""
        self.paused = False
        self.gate = asyncio.Event()
        self.channel: Any = Channel()
        self.connections: dict[object, Any] = {}
        self.channel.factory = SimpleNamespace(waiting=set(), server=self)
        self.channel.transport = self
        self.channel.timeOut = None

    def write(self, data: bytes) -> None:
        self.written += data

    def pauseProducing(self) -> None:  # noqa: N802
        self.paused = True

    def resumeProducing(self) -> None:  # noqa: N802
        self.paused = False

    async def application(self, scope: Any, receive: Any, send: Any) -> None:
        await self.gate.wait()
        body = (await receive())["body"]
        if body == b"fail":
            raise RuntimeError
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x", b"y")]})
        text = json.dumps([scope["path"], body.decode()])
        await send({"type": "http.response.body", "body": text.encode()})

    async def answered(self) -> bytes:
        """What is written once every request has its answer."""
        self.gate.set()
        for _ in range(50):
            await asyncio.sleep(0)
        return self.written


def answer(body: str) -> bytes:
    return b'HTTP/1.1 200 OK\r\nx: y\r\n\r\n["/api/cmd/ACTION1", "%s"]' % body.encode()


@pytest.mark.parametrize("size", [1, 3, 4, 1000])
async def test_a_body_may_come_in_pieces(size: int) -> None:
    connection = Connection()
    connection.channel.dataReceived(HEAD)
    for at in range(0, 4, size):
        connection.channel.dataReceived(b"body"[at : at + size])
    assert await connection.answered() == answer("body")
    assert not connection.connections


async def test_requests_at_once_are_answered_in_order() -> None:
    connection = Connection()
    connection.channel.dataReceived(HEAD + b"one " + HEAD + b"two ")
    connection.channel.dataReceived(HEAD + b"last")
    assert len(connection.connections) == 1  # as draining finds it
    assert await connection.answered() == answer("one ") + answer("two ") + answer("last")


async def test_a_client_that_sends_on_without_reading_is_paused() -> None:
    connection = Connection()
    connection.channel.dataReceived(HEAD + b"body")
    connection.channel.dataReceived(HEAD + b"more" + bytes(20_000))
    assert connection.paused
    connection.channel.dataReceived = lambda data: None  # what follows is no request
    await connection.answered()
    assert not connection.paused


async def test_an_application_that_fails_is_answered_with_500() -> None:
    connection = Connection()
    connection.channel.dataReceived(HEAD + b"fail" + HEAD + b"next")
    assert (await connection.answered()).startswith(b"HTTP/1.1 500 Internal Server Error\r\n")
    assert connection.written.endswith(answer("next"))


async def test_a_connection_lost_meanwhile_gets_no_answer() -> None:
    connection = Connection()
    connection.channel.dataReceived(HEAD + b"body")
    vars(connection)["connected"] = False
    assert await connection.answered() == b""
