"""A client that sends requests without reading the answers gets no further ones until it reads."""

from types import SimpleNamespace
from typing import Any

from twisted.internet.testing import StringTransport
from twisted.web.http import Request

from playtest.serve.server import Channel

ASKED = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


class Answered(Request):
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


def test_requests_wait_behind_an_answer_that_nobody_reads() -> None:
    channel: Any = Channel()
    channel.requestFactory = Answered
    channel.factory = SimpleNamespace(
        waiting=SimpleNamespace(add=lambda *_: None, discard=lambda _: None), log=lambda _: None
    )
    channel.timeOut = None
    transport: Any = StringTransport()
    transport.reads = False
    channel.makeConnection(transport)
    channel.dataReceived(3 * ASKED)
    assert (answers(channel), transport.producerState) == (1, "paused")
    transport.reads = True
    channel.resumeProducing()
    assert (answers(channel), transport.producerState) == (3, "producing")
    channel.setTimeout(None)
