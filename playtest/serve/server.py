"""Daphne with limits on its input, checked before anything is stored.

Daphne alone stores a request's whole body. Here a body is refused (413) by its announced length or as soon as
it is too long, and a request that is not complete in time is disconnected.

Autobahn's limit on messages also limits output: here only incoming ones are limited. The usual message is one
frame, and comes alone. Autobahn takes every message through a general machine for fragments, compression,
timings and log texts that nobody reads, which costs as much as the rest of an action. Here a message that
is one short binary frame is unmasked at once, and what is sent goes to the socket at once if nothing waits
before it. Everything else (fragments, texts, control frames, the opening and the end) takes autobahn's way.

An application that knows the extension `play.at_once` is called with such a message at once, too, if it has
handled all messages before: no queue, no task that waits for the queue.
"""

import json
import struct
import time
from collections.abc import Callable, Sequence
from typing import Any

import daphne.server
from autobahn.websocket import protocol
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.conf import settings
from twisted.web.http import HTTPChannel

from playtest.arena.api.http import MOST_BODY_BYTES, SOCKET_PATH
from playtest.people.cookies import largest_body
from playtest.play import at_once
from playtest.play.page.wire import CloseCode
from playtest.serve.connection_limits import WaitingConnections

MAX_MESSAGE_BYTES = 16 * 1024
_LARGER_MESSAGES = {SOCKET_PATH.encode(): MOST_BODY_BYTES}

_FINAL_TEXT, _FINAL_BINARY = 0x81, 0x82
_MASKED = 0x80
_HEADER_BYTES = 6  # of a masked frame whose length fits in the second byte
_LONGEST_IN_ONE_BYTE, _LONGEST_IN_TWO = 125, 0xFFFF


class Socket(WebSocketProtocol):  # type: ignore[misc]
    """Closes the connection if a message is longer than any valid one, or if none comes for long.

    Daphne asks each connection every 20 s for a sign that its network and its client's library still are
    there, and ends it after 30 s without one. That is no sign of a page: only messages are.
    """

    take: Callable[[bytes], bool] | None = None
    """The application's, as `at_once.Socket` says."""

    def onOpen(self) -> None:  # noqa: N802
        super().onOpen()
        self._heard_at = time.monotonic()

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        payload = whole_message(data) if self._awaits_a_message() else None
        if payload is None:
            super().dataReceived(data)
        elif self.take is None or self.muted or not self.application_queue.empty() or not self.take(payload):
            self.onMessage(payload, True)
        else:
            self.last_ping, self._heard_at = time.time(), time.monotonic()

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        self._heard_at = time.monotonic()
        super().onMessage(payload, isBinary)

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

    def send_binary(self, payload: bytes) -> None:
        """Sends a message; does nothing once the connection is closing."""
        if self.state == self.STATE_OPEN:
            self.sendMessage(payload, True)

    def receive_later(self, message: dict[str, Any]) -> None:
        """Lets the consumer receive this message after those that wait."""
        self.application_queue.put_nowait(message)

    def sendMessage(self, payload: bytes, isBinary: bool = False, **options: Any) -> None:  # noqa: N802, N803
        if self.state != self.STATE_OPEN or self._perMessageCompress or self.send_queue or options:
            super().sendMessage(payload, isBinary, **options)
        else:
            write_at_once(self.transport, frame_header(len(payload), binary=isBinary) + payload)

    def _awaits_a_message(self) -> bool:
        """Whether no part of a message has arrived, and no ping waits for its answer."""
        return not (
            self.state != self.STATE_OPEN
            or self.data
            or self.current_frame is not None
            or self.inside_message
            or self.autoPingTimeoutCall
            or self.failedByMe
        )


def whole_message(data: bytes) -> bytes | None:
    """The payload if the bytes are exactly one masked binary frame of at most 125 bytes; else None."""
    if len(data) < _HEADER_BYTES or data[0] != _FINAL_BINARY:
        return None
    length = len(data) - _HEADER_BYTES
    if data[1] != _MASKED | length or length > _LONGEST_IN_ONE_BYTE:
        return None
    mask = (data[2:_HEADER_BYTES] * (length // 4 + 1))[:length]
    return (int.from_bytes(data[_HEADER_BYTES:]) ^ int.from_bytes(mask)).to_bytes(length)


def frame_header(length: int, *, binary: bool) -> bytes:
    """The bytes before an unmasked message of this length in one frame (RFC 6455, section 5.2)."""
    first = _FINAL_BINARY if binary else _FINAL_TEXT
    if length <= _LONGEST_IN_ONE_BYTE:
        return bytes((first, length))
    if length <= _LONGEST_IN_TWO:
        return struct.pack("!BBH", first, 126, length)
    return struct.pack("!BBQ", first, 127, length)


def write_at_once(transport: Any, data: bytes) -> None:
    """Writes to a Twisted transport, to the socket itself if nothing else waits to be written.

    Twisted would ask the reactor when the socket can be written, which it nearly always can.
    """
    if _is_idle(transport):
        sent = transport.writeSomeData(data)
        if isinstance(sent, int):  # else the connection is lost, and Twisted says so at its next write
            data = data[sent:]
    if data:
        transport.write(data)


def _is_idle(transport: Any) -> bool:
    return (
        getattr(transport, "connected", False)
        and not transport.TLS
        and not transport.disconnecting
        and not transport.dataBuffer
        and not transport._tempDataBuffer
    )


_TwistedsChannel: Any = HTTPChannel  # its types do not know its parts
_autobahn: Any = protocol

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
    """Makes Daphne use these classes; it has no option for that.

    Autobahn formats all options of each connection for a line of its debugging log, in a quarter of the time
    that an opening takes, whether or not somebody reads the line.
    """
    daphne.server.HTTPFactory, daphne.server.WebSocketFactory = Factory, SocketFactory
    _autobahn.pformat = repr
