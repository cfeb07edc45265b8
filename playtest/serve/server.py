"""Daphne with limits on its input, checked before anything is stored.

Daphne alone stores a request's whole body. Here a body is refused (413) by its announced length or as soon as
it is too long, and a request that is not complete in time is disconnected. `serve.sockets` limits messages.
"""

import json
from collections.abc import Sequence
from typing import Any

import daphne.server
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory
from django.conf import settings
from twisted.web.http import HTTPChannel

from playtest.people.body_limits import largest_body
from playtest.play import at_once
from playtest.serve.connection_limits import WaitingConnections
from playtest.serve.sockets import Socket

_TwistedsChannel: Any = HTTPChannel  # its types do not know its parts

MIN_BYTES_PER_SECOND = 32 * 1024
REFUSAL_READ_SECONDS = 2.0
CLOSING_SECONDS = 5.0
BACKLOG = 4096
"""Connections that may wait to be accepted. Of a thousand that come back at once Twisted's 50 leave most to
TCP, which tries again after one second, three, seven and fifteen."""
_MESSAGE = "The server accepts at most {most:,} bytes here. Send less, or load the page again."


class SocketFactory(WebSocketFactory):  # type: ignore[misc]
    """Sockets whose clients may take CLOSING_SECONDS to confirm an end.

    A connection that is cut before can lose the last message in a client that has just answered.
    """

    protocol = Socket

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.setProtocolOptions(closeHandshakeTimeout=CLOSING_SECONDS)


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


class Channel(_TwistedsChannel):  # type: ignore[misc]
    """A connection that is waited for until it has sent a whole request."""

    _waited_for = False

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

    def pauseProducing(self) -> None:  # noqa: N802
        """Answers wait to be sent: reads and handles nothing until they are.

        Twisted would handle all requests that have arrived, and the answers would pile up here. A WebSocket
        is told of its full buffer in the same way, and goes on reading.
        """
        super().pauseProducing()
        if getattr(self.transport, "protocol", None) is self:
            self.paused = True
            self._networkProducer.pauseProducing()

    def resumeProducing(self) -> None:  # noqa: N802
        super().resumeProducing()
        if self.paused:
            self.paused = False
            self._networkProducer.resumeProducing()
            self.dataReceived(b"")


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

    def __init__(self, *args: Any, endpoints: Sequence[str], **options: Any) -> None:
        queued = [f"{one}:backlog={BACKLOG}" if one.startswith("tcp:") else one for one in endpoints]
        super().__init__(*args, endpoints=queued, **options)
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
