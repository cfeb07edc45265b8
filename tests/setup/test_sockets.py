"""Sockets and connections: usual messages the short way, answers nobody reads, and how many there are."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
import twisted.internet.testing
import twisted.web.http
from autobahn.websocket.protocol import WebSocketProtocol
from hypothesis import given
from hypothesis import strategies as st

from playtest.serve.connection_limits import OpenSockets, WaitingConnections
from playtest.serve.server import Channel, Socket, frame_header, whole_message, write_at_once

masks = st.binary(min_size=4, max_size=4)


def masked(payload: bytes, mask: bytes, first: int = 0x82) -> bytes:
    body = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
    return bytes((first, 0x80 | len(payload))) + mask + body


@given(st.binary(max_size=125), masks)
def test_a_whole_message_is_unmasked(payload: bytes, mask: bytes) -> None:
    assert whole_message(masked(payload, mask)) == payload


@pytest.mark.parametrize("first", [0x02, 0x81, 0x80, 0x88, 0x89, 0x8A, 0xC2, 0xA2])
def test_no_other_kind_of_frame_is_taken(first: int) -> None:
    assert whole_message(masked(b"four", b"mask", first)) is None


@given(st.binary(max_size=125), masks, st.integers(1, 130))
def test_a_part_of_a_message_is_not_taken(payload: bytes, mask: bytes, missing: int) -> None:
    assert whole_message(masked(payload, mask)[:-missing]) is None


@given(st.binary(max_size=125), masks, st.binary(min_size=1, max_size=40))
def test_a_message_with_more_behind_it_is_not_taken(payload: bytes, mask: bytes, more: bytes) -> None:
    assert whole_message(masked(payload, mask) + more) is None


def test_an_unmasked_message_is_not_taken() -> None:
    assert whole_message(bytes((0x82, 8)) + b"unmasked") is None


@pytest.mark.parametrize("length", [0, 1, 125, 126, 0xFFFF, 0x10000, 0x20001])
@pytest.mark.parametrize("binary", [True, False])
def test_a_header_is_what_autobahn_writes(length: int, binary: bool) -> None:
    sent: list[bytes] = []
    protocol: Any = WebSocketProtocol()
    protocol.factory = type("Factory", (), {"isServer": True})()
    protocol.applyMask, protocol.maskServerFrames, protocol.logFrames = True, False, False
    protocol.trafficStats = type("Stats", (), {"outgoingWebSocketFrames": 0})()
    protocol.sendData = lambda data, sync=False, chopsize=None: sent.append(data)
    protocol.sendFrame(opcode=2 if binary else 1, payload=bytes(length))
    assert frame_header(length, binary=binary) + bytes(length) == b"".join(sent)


@pytest.mark.parametrize("waiting", [False, True])
async def test_a_message_is_taken_at_once_unless_another_waits(waiting: bool) -> None:
    protocol: Any = Socket()
    protocol.state, protocol.data, protocol.current_frame = protocol.STATE_OPEN, b"", None
    protocol.inside_message = protocol.autoPingTimeoutCall = protocol.failedByMe = False
    protocol.application_queue, protocol.client_addr, protocol._heard_at = asyncio.Queue(), None, 0.0
    if waiting:
        protocol.application_queue.put_nowait("earlier")
    taken: list[bytes] = []

    def take(message: bytes) -> bool:
        taken.append(message)
        return True

    protocol.take = take
    protocol.dataReceived(masked(b"one", b"mask"))
    assert taken == ([] if waiting else [b"one"])
    assert protocol.application_queue.qsize() == (2 if waiting else 0)
    assert protocol._heard_at > 0  # or it would be closed as silent


class Transport:
    """A transport whose socket takes `takes` bytes at once; None when its connection is lost."""

    connected, TLS, disconnecting = True, False, False
    dataBuffer, _tempDataBuffer = b"", ()  # noqa: N815

    def __init__(self, takes: int | None) -> None:
        self._takes = takes
        self.sent, self.buffered = b"", b""

    def writeSomeData(self, data: bytes) -> object:  # noqa: N802
        if self._takes is None:
            return ConnectionError()
        self.sent = data[: self._takes]
        return len(self.sent)

    def write(self, data: bytes) -> None:
        self.buffered += data


@pytest.mark.parametrize(
    ("takes", "sent", "buffered"), [(9, b"data", b""), (3, b"dat", b"a"), (0, b"", b"data")]
)
def test_what_the_socket_does_not_take_waits(takes: int, sent: bytes, buffered: bytes) -> None:
    transport = Transport(takes)
    write_at_once(transport, b"data")
    assert (transport.sent, transport.buffered) == (sent, buffered)


def test_a_lost_connection_is_left_to_the_transport() -> None:
    transport = Transport(None)
    write_at_once(transport, b"data")
    assert transport.buffered == b"data"


@pytest.mark.parametrize(
    "state", [{"dataBuffer": b"x"}, {"_tempDataBuffer": [b"x"]}, {"disconnecting": True}]
)
def test_nothing_overtakes_what_waits(state: dict[str, object]) -> None:
    transport = Transport(9)
    vars(transport).update(state)
    write_at_once(transport, b"data")
    assert (transport.sent, transport.buffered) == (b"", b"data")


http: Any = twisted.web.http  # its types do not know its parts
testing: Any = twisted.internet.testing
ASKED = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


class Answered(http.Request):  # type: ignore[misc]
    """A request whose long answer is written at once."""

    def process(self) -> None:
        transport = self.channel.transport
        self.setHeader(b"content-length", b"100000")
        self.write(bytes(100_000))
        if not getattr(transport, "reads", True):
            self.channel.pauseProducing()  # as a transport does whose buffer is full
        self.finish()


def answers(channel: Any) -> int:
    return int(channel.transport.value().count(b"HTTP/1.1 200"))


def connected() -> Any:
    channel: Any = Channel()
    channel.requestFactory = Answered
    channel.factory = SimpleNamespace(
        waiting=SimpleNamespace(add=lambda *_: None, discard=lambda _: None), log=lambda _: None
    )
    channel.timeOut = None
    transport = testing.StringTransport()
    transport.reads, transport.protocol = False, channel
    channel.makeConnection(transport)
    return channel


def test_requests_wait_behind_an_answer_that_nobody_reads() -> None:
    channel = connected()
    transport = channel.transport
    channel.dataReceived(3 * ASKED)
    assert (answers(channel), transport.producerState) == (1, "paused")
    transport.reads = True
    channel.resumeProducing()
    assert (answers(channel), transport.producerState) == (3, "producing")
    channel.setTimeout(None)


def test_a_socket_whose_messages_wait_goes_on_reading() -> None:
    channel = connected()
    channel.dataReceived(ASKED[:-2])  # what remains is the socket's
    channel._handlingRequest = True
    channel.transport.protocol = object()
    channel.pauseProducing()
    assert channel.transport.producerState == "producing"
    channel.resumeProducing()
    assert channel.transport.producerState == "producing"
    channel.setTimeout(None)


def test_the_address_with_most_loses_its_oldest() -> None:
    ended: list[str] = []
    waiting = WaitingConnections(3)
    for name, address in [("a", "room"), ("b", "busy"), ("c", "busy"), ("d", "busy"), ("e", "busy")]:
        waiting.add(name, address, lambda name=name: ended.append(name))  # type: ignore[misc]
    assert ended == ["b", "c"]
    waiting.discard("d")
    waiting.discard("d")
    waiting.add("f", "room", lambda: ended.append("f"))
    assert ended == ["b", "c"]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30), st.sampled_from("xyz"))))
def test_there_are_never_too_many_and_what_came_last_stays(steps: list[tuple[bool, int, str]]) -> None:
    waiting, alive = WaitingConnections(5), dict[int, str]()
    for comes, number, address in steps:
        if not comes:
            waiting.discard(number)
            alive.pop(number, None)
        elif number not in alive:
            alive[number] = address
            waiting.add(number, address, lambda number=number: alive.pop(number))  # type: ignore[misc]
            if list(alive.values()).count(address) > 1 or len(set(alive.values())) < 3:
                assert number in alive
        assert len(alive) <= 5


def test_an_owner_opens_as_many_as_are_allowed_and_one_more_after_closing_one() -> None:
    sockets = OpenSockets(2)
    assert [sockets.enter("one") for _ in range(3)] == [True, True, False]
    assert sockets.enter("another")
    sockets.leave("one")
    assert sockets.enter("one")
