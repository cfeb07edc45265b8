"""A client's end of a WebSocket (RFC 6455) for a loop of its own: as cheap as it can be.

The people of a benchmark share the processors with the server, so what they compute is missing there.
"""

import base64
import os
import socket
import struct
from collections.abc import Iterator

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

_FINAL, _MASKED = 0x80, 0x80
_NO_MASK = bytes(4)
"""A mask that changes nothing, which is a mask as well."""
_LONGEST_IN_ONE_BYTE = 125
_READ_BYTES = 64 * 1024


class FramedSocket:
    """A connection that does not block. `open` once the server has agreed, `ended` once it is gone."""

    def __init__(self, where: tuple[str, int], path: str, cookie: str) -> None:
        host = f"{where[0]}:{where[1]}"
        key = base64.b64encode(os.urandom(16)).decode()
        self._unsent = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n"
        ).encode()
        self._received = b""
        self.open = self.ended = False
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.connect_ex(where)

    def send(self, payload: bytes, kind: int) -> None:
        """Sends one frame of at most 125 bytes."""
        if len(payload) > _LONGEST_IN_ONE_BYTE:
            raise ValueError("a client's frame has at most 125 bytes")
        self._unsent += bytes((_FINAL | kind, _MASKED | len(payload))) + _NO_MASK + payload
        self.flush()

    def flush(self) -> None:
        try:
            self._unsent = self._unsent[self.socket.send(self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            self.ended = True

    def receive(self) -> list[tuple[int, bytes]]:
        """The frames that have arrived whole, as kinds and payloads."""
        try:
            data = self.socket.recv(_READ_BYTES)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        self.ended = self.ended or not data
        self._received += data
        if not self.open:
            head, end, rest = self._received.partition(b"\r\n\r\n")
            if not end:
                return []
            if not head.startswith(b"HTTP/1.1 101"):
                self.ended = True
                return []
            self.open, self._received = True, rest
        return list(self._frames())

    def _frames(self) -> Iterator[tuple[int, bytes]]:
        while len(self._received) >= 2:
            length, start = self._received[1] & 0x7F, 2
            if length > _LONGEST_IN_ONE_BYTE:
                start = 4 if length == 126 else 10
                if len(self._received) < start:
                    return
                [length] = struct.unpack("!H" if length == 126 else "!Q", self._received[2:start])
            if len(self._received) < start + length:
                return
            kind, payload = self._received[0] & 0x0F, self._received[start : start + length]
            self._received = self._received[start + length :]
            yield kind, payload
