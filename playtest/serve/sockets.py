"""Daphne's sockets with limits on what comes in, and a shorter way for the usual message.

Autobahn's limit on messages also limits output: here only incoming ones are limited. The usual message is one
frame, and comes alone.

Autobahn takes every message through a general machine for fragments, compression, timings and log texts
that nobody reads. That costs as much as the rest of an action. Here a message that is one short binary frame
is unmasked at once, and what is sent goes to the socket at once if nothing waits before it. Everything
else (fragments, texts, control frames, the opening and the end) takes autobahn's way.

An application that knows the extension `play.at_once` is called with such a message at once, too, if it has
handled all messages before: no queue, no task that waits for the queue.
"""

import struct
import time
from collections.abc import Callable
from typing import Any

from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings

from playtest.arena.api.http import MOST_BODY_BYTES, SOCKET_PATH
from playtest.play.page.wire import CloseCode

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
