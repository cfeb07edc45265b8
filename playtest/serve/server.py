"""Daphne with limits on its input, checked before anything is stored.

Daphne alone stores a request's whole body, and autobahn's limit on messages also limits output. Here a body
is refused (413) by its announced length or as soon as it is too long, a request that is not complete in time
is disconnected, and only incoming messages are limited.
"""

import json
import time
from typing import Any

import daphne.server
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory
from django.conf import settings

from playtest.arena.api.http import MOST_BODY_BYTES, SOCKET_PATH
from playtest.people.body_limits import largest_body
from playtest.play import at_once
from playtest.play.page.wire import CloseCode
from playtest.serve.connection_limits import WaitingConnections
from playtest.serve.whole_frames import WholeFrames
from playtest.serve.whole_requests import Channel

MAX_MESSAGE_BYTES = 16 * 1024
_LARGER_MESSAGES = {SOCKET_PATH.encode(): MOST_BODY_BYTES}
MIN_BYTES_PER_SECOND = 32 * 1024
REFUSAL_READ_SECONDS = 2.0
_MESSAGE = "The server accepts at most {most:,} bytes here. Send less, or load the page again."


class Socket(WholeFrames):
    """Closes the connection if a message is longer than any valid one, or if none comes for long.

    Daphne asks each connection every 20 s for a sign that its network and its client's library still are
    there, and ends it after 30 s without one. That is no sign of a page: only messages are.
    """

    def onOpen(self) -> None:  # noqa: N802
        super().onOpen()
        self._heard_at = time.monotonic()

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        self._heard_at = time.monotonic()
        super().onMessage(payload, isBinary)

    def heard(self) -> None:
        super().heard()
        self._heard_at = time.monotonic()

    def check_timeouts(self) -> None:
        """Called by Daphne every two seconds."""
        if self.state == self.STATE_OPEN and time.monotonic() - self._heard_at > settings.SILENT_SECONDS:
            self.serverClose(code=int(CloseCode.SILENT))
        else:
            super().check_timeouts()

    def onMessageFrameBegin(self, length: int) -> None:  # noqa: N802
        super().onMessageFrameBegin(length)
        total, most = self.message_data_total_length, _LARGER_MESSAGES.get(self.path, MAX_MESSAGE_BYTES)
        if total > most and not self.failedByMe:
            self.wasMaxMessagePayloadSizeExceeded = True
            reason = f"a message of {total} bytes"
            self._max_message_size_exceeded(total, most, reason)

    def drain(self) -> None:
        """Disconnects its consumer after the messages that have arrived; the page is told why."""
        if hasattr(self, "application_queue"):
            self.application_queue.put_nowait(
                {"type": "websocket.disconnect", "code": int(CloseCode.RESTARTING)}
            )


class SocketFactory(WebSocketFactory):  # type: ignore[misc]
    protocol = Socket


class Request(WebRequest):  # type: ignore[misc]
    """A request whose body has a size limit and a deadline."""

    def __init__(self, channel: Any, queued: object = False) -> None:
        self._refused = False
        self._received = 0
        self._max_bytes = 0
        super().__init__(channel, queued, False)  # Django parses forms, so Twisted need not
        self._deadline = channel.callLater(settings.REQUEST_SECONDS, self._disconnect)

    def gotLength(self, length: int | None) -> None:  # noqa: N802
        """The headers are complete; `length` is the announced length, None for a chunked body."""
        super().gotLength(length)
        headers = {
            name.lower(): values[-1].decode("latin1")
            for name, values in self.requestHeaders.getAllRawHeaders()
        }
        self._max_bytes = largest_body(self.channel._path, headers)
        self._deadline.reset(settings.REQUEST_SECONDS + self._max_bytes / MIN_BYTES_PER_SECOND)
        if length is not None and length > self._max_bytes:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        self._received += len(data)
        if self._received > self._max_bytes and not self._refused:
            self._refuse()
        if not self._refused:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        self._cancel_deadline()
        self.channel.has_said_what_it_wants()
        if not self._refused:
            super().requestReceived(command, path, version)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        self._cancel_deadline()
        super().connectionLost(reason)

    def _refuse(self) -> None:
        """Answers 413, and discards input for a moment, so that the client can read the answer."""
        self._refused = True
        self.requestHeaders.removeHeader(b"Expect")  # the client must not be asked for more
        message = _MESSAGE.format(most=self._max_bytes)
        answer = {"error": "VALIDATION_ERROR", "code": "body_too_large", "message": message}  # `error`: /api/
        body = json.dumps(answer).encode()
        head = (
            "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        transport = self.channel.transport
        transport.write(head.encode() + body)
        transport.loseWriteConnection()
        self._deadline.reset(REFUSAL_READ_SECONDS)

    def _disconnect(self) -> None:
        if self.channel is not None:
            self.channel.forceAbortClient()

    def _cancel_deadline(self) -> None:
        if self._deadline.active():
            self._deadline.cancel()


class Factory(HTTPFactory):  # type: ignore[misc]
    protocol = Channel

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        self.timeOut = settings.REQUEST_SECONDS
        self.waiting = WaitingConnections(settings.MOST_WAITING_CONNECTIONS)

    def buildProtocol(self, address: Any) -> Any:  # noqa: N802
        protocol = super().buildProtocol(address)
        protocol.requestFactory = Request
        return protocol


class Server(daphne.server.Server):  # type: ignore[misc]
    """Daphne's server, which knows the `ports` that it listens on, and offers sockets `play.at_once`."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.ports: list[Any] = []

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        self.ports.append(port)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if isinstance(protocol, Socket):
            scope["extensions"] = {at_once.EXTENSION: protocol}
        return super().create_application(protocol, scope)


def use_limits() -> None:
    """Makes Daphne use these classes; it has no option for that."""
    daphne.server.HTTPFactory, daphne.server.WebSocketFactory = Factory, SocketFactory
