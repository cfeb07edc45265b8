"""A shorter way for agents' actions over HTTP: small requests whose head arrives at once.

Twisted and Daphne take a request line by line through objects, queues and timers that an action does not need
and that cost more than the action. Here the head of such a request is read at once, the ASGI application is
called as Daphne calls it, and the answer is written at once. Whatever is unusual in a head takes their way,
which is also the one that refuses it. Draining finds these requests among Daphne's connections.
"""

import asyncio
import logging
import re
import time
from http import HTTPStatus
from typing import Any, NamedTuple

from twisted.web.http import HTTPChannel

from playtest.serve.sockets import write_at_once

_TwistedsChannel: Any = HTTPChannel  # its types do not know what it keeps

logger = logging.getLogger(__name__)

_REQUEST_LINE = re.compile(rb"POST (/api/cmd/[A-Z]+[1-7]?) HTTP/1\.1")
_TOKEN = b"!#$%&'*+-.^`|~0123456789abcdefghijklmnopqrstuvwxyz"  # `_` is not taken: Daphne drops such headers
_TEXT = bytes([9, *range(32, 127), *range(128, 256)])
_NOT_TAKEN = {
    b"transfer-encoding",
    b"expect",
    b"upgrade",
    b"connection",
    b"daphne-root-path",
    b"te",
    b"trailer",
}
_LARGEST_HEAD = 16 * 1024
_LARGEST_BODY = 64 * 1024
_MOST_BEHIND = 16 * 1024


class Head(NamedTuple):
    """The head of a request: its path, headers with names in lower case, and the length of its body."""

    path: bytes
    headers: list[tuple[bytes, bytes]]
    length: int


class Channel(_TwistedsChannel):  # type: ignore[misc]
    """A connection of Twisted's HTTP server with a shorter way for agents' actions."""

    def __init__(self) -> None:
        super().__init__()
        self._head: Any = None  # a Head while its body arrives
        self._arrived = b""
        self._answering = False
        self._waited_for = False

    def connectionMade(self) -> None:  # noqa: N802
        super().connectionMade()
        address = getattr(self.transport.getPeer(), "host", "")
        self._waited_for = True
        self.factory.waiting.add(self, address, self.transport.abortConnection)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        self.has_said_what_it_wants()
        super().connectionLost(reason)

    def has_said_what_it_wants(self) -> None:
        """A whole request has arrived: this connection no longer counts as one that says nothing."""
        if self._waited_for:
            self._waited_for = False
            self.factory.waiting.discard(self)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        if self._answering or self._head is not None:
            self._arrived += data
        elif self._is_between_requests() and (read := read_head(data)):
            self._head, self._arrived = read
            self.resetTimeout()
        else:
            super().dataReceived(data)
            return
        self._go_on()

    def timeoutConnection(self) -> None:  # noqa: N802
        if self._answering:
            self.setTimeout(self.timeOut)
        else:
            super().timeoutConnection()

    def check_timeouts(self) -> None:
        """Called by Daphne for each of its connections."""

    def _is_between_requests(self) -> bool:
        return bool(
            self.line_mode
            and self._HTTPChannel__first_line == 1
            and not (self.requests or self._handlingRequest or self._buffer or self._dataBuffer)
        )

    def _go_on(self) -> None:
        """Answers the request whose body is complete; what is behind it waits until it has its answer."""
        if self._answering:
            if len(self._arrived) > _MOST_BEHIND:
                self.transport.pauseProducing()
        elif self._head is not None and len(self._arrived) >= self._head.length:
            head, body = self._head, self._arrived[: self._head.length]
            self._head, self._arrived, self._answering = None, self._arrived[self._head.length :], True
            self.has_said_what_it_wants()
            # At once, but not inside the task of the request before: many may come together.
            at_once = asyncio.current_task() is None
            answering = self._answer(head, body)
            task = asyncio.Task(answering, loop=asyncio.get_running_loop(), eager_start=at_once)
            if not task.done():
                details = {"connected": time.time(), "application_instance": task}
                self.factory.server.connections[self] = details

    async def _answer(self, head: Head, body: bytes) -> None:
        try:
            answer = await _answer_of(self.factory.server.application, head, body)
        finally:
            self.factory.server.connections.pop(self, None)
        if not self.transport.connected:
            return
        write_at_once(self.transport, answer)
        self.resetTimeout()
        self._answering = False
        self.transport.resumeProducing()
        if behind := self._arrived:
            self._arrived = b""
            self.dataReceived(behind)


def read_head(data: bytes) -> tuple[Head, bytes] | None:
    """The head of an agent's action and the bytes after it; None if they are to take the usual way."""
    end = data.find(b"\r\n\r\n", 0, _LARGEST_HEAD)
    if end < 0 or not data.startswith(b"POST "):
        return None
    first, *lines = data[:end].split(b"\r\n")
    asked = _REQUEST_LINE.fullmatch(first)
    if asked is None:
        return None
    headers, lengths = [], []
    for line in lines:
        name, colon, value = line.partition(b":")
        name, value = name.lower(), value.strip(b" \t")
        if not (colon and name) or name.translate(None, _TOKEN) or value.translate(None, _TEXT):
            return None
        if name in _NOT_TAKEN and (name, value.lower()) != (b"connection", b"keep-alive"):
            return None
        if name == b"content-length":
            lengths.append(value)
        headers.append((name, value))
    if (
        len(lengths) != 1
        or not lengths[0].isdigit()
        or len(lengths[0]) > 6
        or int(lengths[0]) > _LARGEST_BODY
    ):
        return None
    return Head(asked[1], headers, int(lengths[0])), data[end + 4 :]


async def _answer_of(application: Any, head: Head, body: bytes) -> bytes:
    """The bytes that an ASGI application answers to a request."""
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "method": "POST",
        "path": head.path.decode(), "raw_path": head.path, "root_path": "", "query_string": b"",
        "headers": head.headers, "client": None, "server": None,
    }  # fmt: skip
    parts: list[bytes] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        parts.append(message["body"] if "status" not in message else _head_of(message))

    try:
        await application(scope, receive, send)
    except Exception:
        logger.exception("a request to %s failed", scope["path"])
        failed = {"status": 500, "headers": [(b"content-length", b"0")]}
        parts = [_head_of(failed)]
    return b"".join(parts)


def _head_of(message: dict[str, Any]) -> bytes:
    """The status line and the headers of an `http.response.start`."""
    status = HTTPStatus(message["status"])
    lines = [f"HTTP/1.1 {status.value} {status.phrase}".encode()]
    lines += [name + b": " + value for name, value in message["headers"]]
    return b"\r\n".join([*lines, b"", b""])
