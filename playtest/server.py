"""Daphne with limits on what it takes in, checked before it is kept.

Daphne keeps a request's whole body, and autobahn's limit on messages holds for sending too. Here a body is
refused (413) by its announced length or as soon as it has come to too much, a request that is not complete in
time is cut off, and only messages that come in are limited.
"""

import json
from typing import Any

import daphne.server
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.conf import settings

from playtest.people.body_limits import largest_body

LARGEST_MESSAGE_BYTES = 16 * 1024
LEAST_BYTES_A_SECOND = 32 * 1024
SECONDS_TO_READ_A_REFUSAL = 2.0
_MESSAGE = "This is more than the server takes here: {most:,} bytes. Send less, or load the page again."


class Socket(WebSocketProtocol):  # type: ignore[misc]
    """Drops the connection at a frame whose message is longer than any client could mean."""

    def onMessageFrameBegin(self, length: int) -> None:  # noqa: N802
        super().onMessageFrameBegin(length)
        total = self.message_data_total_length
        if total > LARGEST_MESSAGE_BYTES and not self.failedByMe:
            self.wasMaxMessagePayloadSizeExceeded = True
            reason = f"a message of {total} bytes"
            self._max_message_size_exceeded(total, LARGEST_MESSAGE_BYTES, reason)


class SocketFactory(WebSocketFactory):  # type: ignore[misc]
    protocol = Socket


class Request(WebRequest):  # type: ignore[misc]
    """A request whose body has a limit and a deadline."""

    def __init__(self, channel: Any, queued: object = False) -> None:
        self._refused = False
        self._received = 0
        self._most = 0
        super().__init__(channel, queued, False)  # Django reads forms; Twisted need not, too
        self._deadline = channel.callLater(settings.REQUEST_SECONDS, self._cut_off)

    def gotLength(self, length: int | None) -> None:  # noqa: N802
        """The head is complete; `length` is what it announces, None if the body comes in chunks."""
        super().gotLength(length)
        headers = {
            name.lower(): values[-1].decode("latin1")
            for name, values in self.requestHeaders.getAllRawHeaders()
        }
        self._most = largest_body(self.channel._path, headers)
        self._deadline.reset(settings.REQUEST_SECONDS + self._most / LEAST_BYTES_A_SECOND)
        if length is not None and length > self._most:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        self._received += len(data)
        if self._received > self._most and not self._refused:
            self._refuse()
        if not self._refused:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        self._forget_deadline()
        if not self._refused:
            super().requestReceived(command, path, version)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        self._forget_deadline()
        super().connectionLost(reason)

    def _refuse(self) -> None:
        """Answer 413; what still comes is thrown away for a moment, so that the answer can be read."""
        self._refused = True
        self.requestHeaders.removeHeader(b"Expect")  # nothing more is asked for
        said = {"code": "body_too_large", "message": _MESSAGE.format(most=self._most)}
        body = json.dumps(said).encode()
        head = (
            "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        transport = self.channel.transport
        transport.write(head.encode() + body)
        transport.loseWriteConnection()
        self._deadline.reset(SECONDS_TO_READ_A_REFUSAL)

    def _cut_off(self) -> None:
        if self.channel is not None:
            self.channel.forceAbortClient()

    def _forget_deadline(self) -> None:
        if self._deadline.active():
            self._deadline.cancel()


class Factory(HTTPFactory):  # type: ignore[misc]
    def __init__(self, server: Any) -> None:
        super().__init__(server)
        self.timeOut = settings.REQUEST_SECONDS

    def buildProtocol(self, address: Any) -> Any:  # noqa: N802
        protocol = super().buildProtocol(address)
        protocol.requestFactory = Request
        return protocol


def use_limits() -> None:
    """Have Daphne make these; it has no option for what it makes."""
    daphne.server.HTTPFactory, daphne.server.WebSocketFactory = Factory, SocketFactory
