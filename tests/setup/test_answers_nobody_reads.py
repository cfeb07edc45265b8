"""A client that sends requests without reading the answers gets no further ones until it reads."""

from types import SimpleNamespace
from typing import Any

import twisted.internet.testing
import twisted.web.http

from playtest.serve.server import Channel

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
