"""The states of the socket follow docs/wire.md, and each request has a time limit."""

import json
import time
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, WebSocketRoute

from engine.play.frames import deflated
from playtest.play.page.wire import parse_page
from tests.live.seeder import PATIENCE_SECONDS
from tests.play.browser.conftest import Run
from tests.play.browser.test_codec import deflated_opening, opening

PAUSE = {
    "type": "session",
    "stage": "pause",
    "session_seconds_left": 60,
    "attempt": None,
    "previous": None,
    "debrief": None,
}
PLAYING = {**PAUSE, "stage": "playing", "attempt": {"number": 1}}
OPEN = """async () => {
    window.seen = 0;
    window.WebSocket = class extends window.WebSocket {
        constructor(...given) {
            super(...given);
            this.addEventListener("message", () => { window.seen += 1; });
        }
    };
    const { Connection } = await import("/static/play/connection.js");
    const { decodeTurn } = await import("/static/shared/codec.js");
    window.states = [];
    window.events = [];
    window.connection = new Connection(
        "ws://play.test/ws/session/", (buffer) => decodeTurn(buffer, null), () => events.push("turn"),
    );
    connection.addEventListener("state", () => states.push(connection.state));
    connection.open();
}"""


class Server:
    """The server's end of the socket: records messages and sends those of the test."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sockets: list[WebSocketRoute] = []
        self.heard: list[Any] = []
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        page.route_web_socket("ws://play.test/ws/session/*", self._connected)
        page.evaluate(OPEN)
        self.until_open(1)

    def _connected(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        socket.on_message(lambda message: self.heard.append(message))

    def until_open(self, count: int) -> None:
        """Wait until the client has opened its `count`-th connection and noticed."""
        self.page.wait_for_function(
            "connection.state !== 'connecting' && connection.state !== 'reconnecting'"
        )
        assert len(self.sockets) == count

    def say(self, message: dict[str, Any] | bytes) -> None:
        """Send, and wait until the page has seen it."""
        seen = self.page.evaluate("seen")
        self.sockets[-1].send(message if isinstance(message, bytes) else json.dumps(message))
        self.page.wait_for_function("(before) => seen > before", arg=seen)

    def close(self, code: int) -> None:
        before = self.state
        self.sockets[-1].close(code=code)
        self.page.wait_for_function("(before) => connection.state !== before", arg=before)

    def wait(self, milliseconds: int) -> None:
        self.page.clock.run_for(milliseconds)

    @property
    def state(self) -> str:
        return str(self.page.evaluate("connection.state"))

    @property
    def texts(self) -> list[str]:
        """The messages that the page has sent, which arrive with a short delay."""
        self.page.wait_for_timeout(50)
        return [json.loads(message)["type"] for message in self.heard if isinstance(message, str)]

    def until_heard(self, *texts: str) -> None:
        """Waits until the page has sent exactly these messages."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (heard := self.texts) != list(texts):
            assert time.monotonic() < deadline, f"heard {heard} instead of {texts}"


@pytest.fixture
def other_end(bare: Page) -> Server:
    return Server(bare)


def test_the_connection_is_live_after_the_first_frame(other_end: Server) -> None:
    other_end.say(PLAYING)
    assert other_end.state == "waiting"
    other_end.say({"type": "rebuilding"})
    assert other_end.state == "rebuilding"
    other_end.say(opening())
    assert other_end.state == "live"


def test_a_pause_needs_no_frame(other_end: Server) -> None:
    other_end.say(PAUSE)
    assert other_end.state == "live"


def test_a_lost_connection_is_opened_again_ever_more_slowly(other_end: Server) -> None:
    other_end.say(PAUSE)
    for count, delay in enumerate([250, 500, 500, 500], start=2):
        other_end.close(1011)
        assert other_end.state == "reconnecting"
        other_end.wait(delay - 1)
        assert len(other_end.sockets) == count - 1
        other_end.wait(1)
        other_end.until_open(count)
        assert other_end.state == "waiting"


def test_a_message_of_the_server_resets_the_retry_delay(other_end: Server) -> None:
    for count in (2, 3):
        other_end.say(PAUSE)
        other_end.close(1011)
        other_end.wait(250)
        other_end.until_open(count)


def test_a_superseded_window_does_not_reconnect_by_itself(other_end: Server) -> None:
    other_end.say(PAUSE)
    other_end.close(4009)
    assert other_end.state == "superseded"
    other_end.wait(60_000)
    assert len(other_end.sockets) == 1
    other_end.page.evaluate("connection.takeBack()")
    other_end.until_open(2)


def test_the_connection_ends_without_a_seat(other_end: Server) -> None:
    other_end.close(4001)
    assert other_end.state == "refused"
    other_end.wait(60_000)
    assert len(other_end.sockets) == 1


def test_too_many_messages_pause_the_connection(other_end: Server) -> None:
    other_end.close(4008)
    other_end.wait(3900)
    assert len(other_end.sockets) == 1
    other_end.wait(100)
    other_end.until_open(2)


def test_an_unanswered_ping_is_a_lost_connection(other_end: Server) -> None:
    other_end.say(PAUSE)
    other_end.wait(6000)
    other_end.until_heard("ping")
    other_end.say({"type": "pong"})
    other_end.wait(5000)
    assert other_end.state == "live"
    other_end.wait(11_000)
    assert other_end.state in {"reconnecting", "waiting"}


def test_a_ping_says_how_long_the_last_answer_took(other_end: Server) -> None:
    other_end.say(PAUSE)
    other_end.wait(5000)
    other_end.until_heard("ping")
    other_end.wait(40)
    other_end.say({"type": "pong"})
    other_end.wait(5000)
    other_end.until_heard("ping", "ping")
    first, second = (json.loads(message) for message in other_end.heard)
    assert first == {"type": "ping"}
    assert second == {"type": "ping", "round_trip_ms": 40}


def test_an_invalid_turn_is_requested_again(other_end: Server) -> None:
    other_end.say(PLAYING)
    other_end.say(b"\x02nonsense")
    other_end.wait(0)
    assert other_end.state == "waiting"
    other_end.until_heard("resync")
    other_end.say(b"\x02nonsense")
    other_end.wait(900)
    assert other_end.texts == ["resync"], "at most once a second"
    other_end.wait(200)
    other_end.until_heard("resync", "resync")


def test_each_refusal_has_the_documented_effect(other_end: Server) -> None:
    other_end.say(PAUSE)
    for code in ("action_unavailable", "reset_required", "attempt_over", "resync_required"):
        other_end.say({"type": "error", "code": code, "message": "", "sequence": 3})
    assert other_end.texts == []
    for count, code in enumerate(["wrong_sequence", "wrong_attempt", "no_open_attempt", "not_now"], start=1):
        other_end.say({"type": "error", "code": code, "message": "", "sequence": 3})
        other_end.wait(1000)
        other_end.until_heard(*["resync"] * count)


def test_an_action_without_an_answer_leads_to_a_resync(other_end: Server) -> None:
    other_end.say(PLAYING)
    other_end.say(opening())
    other_end.page.evaluate("connection.sendAction(new ArrayBuffer(22))")
    other_end.wait(4900)
    assert "resync" not in other_end.texts
    other_end.wait(200)
    other_end.until_heard("ping", "resync")
    assert other_end.state == "waiting"


def test_a_message_without_a_connection_is_dropped(other_end: Server) -> None:
    other_end.say(PAUSE)
    other_end.close(1011)
    other_end.page.evaluate("connection.send({ type: 'next' })")
    other_end.wait(250)
    other_end.until_open(2)
    assert other_end.texts == []


def test_times_are_formatted_as_text(run: Run) -> None:
    assert run("play/notices.js", "[0, 59, 61, 3600].map(clock)") == ["0:00", "0:59", "1:01", "60:00"]
    assert run("play/notices.js", "[1, 30, 60, 1200].map(duration)") == [
        "1 second",
        "30 seconds",
        "1 minute",
        "20 minutes",
    ]


def test_a_turn_that_must_be_inflated_is_handled_in_order(other_end: Server) -> None:
    other_end.page.evaluate(
        "() => connection.addEventListener('session', (event) => events.push(event.detail.stage))"
    )
    large = deflated_opening(deflated(opening()[14:]))
    for message in (json.dumps(PLAYING), large, json.dumps(PAUSE), large, opening()):
        other_end.sockets[-1].send(message)
    other_end.page.wait_for_function("() => events.length === 5")
    assert other_end.page.evaluate("events") == ["playing", "turn", "pause", "turn", "turn"]


def test_a_turn_that_cannot_be_inflated_is_requested_again(other_end: Server) -> None:
    other_end.say(deflated_opening(b"no zlib"))
    other_end.page.wait_for_function("() => connection.state === 'waiting'")
    other_end.wait(1000)
    assert other_end.texts.count("resync") == 1


def test_each_connection_says_which_page_it_is_and_a_page_that_takes_back_is_newer(other_end: Server) -> None:
    other_end.close(1011)
    other_end.wait(250)
    other_end.until_open(2)
    other_end.close(4009)
    other_end.page.evaluate("connection.takeBack()")
    other_end.until_open(3)
    first, again, back = (parse_page(urlsplit(socket.url).query.encode()) for socket in other_end.sockets)
    assert first is not None
    assert again == (*first[:2], 2)
    assert back is not None
    assert back > again


def test_a_probe_is_answered_at_once(other_end: Server) -> None:
    other_end.say(PAUSE)
    other_end.say({"type": "probe"})
    other_end.until_heard("ping")


def test_the_clock_shown_stands_still_once_the_page_is_cut_off(run: Run) -> None:
    script = """(() => {
        const clock = document.body.appendChild(document.createElement("play-progress"));
        clock.start(61, true);
        clock.stop();
        return new Promise((done) => setTimeout(() => done(clock.textContent), 1500));
    })()"""
    assert "1:01" in str(run("play/notices.js", script))


def test_what_a_lost_connection_costs_is_said_in_words(run: Run) -> None:
    script = """[[120, 120], [420, 300], [90, 0]].map((given) => {
        const said = document.createElement("time-announcement");
        said.tellAbsence(...given);
        return said.textContent;
    })"""
    assert run("play/notices.js", script) == [
        "The connection was lost for 2 minutes. That time is not counted.",
        "The connection was lost for 7 minutes. Not counted of that: 5 minutes.",
        "The connection was lost for 2 minutes. That time is counted.",
    ]


def test_a_request_without_an_answer_fails_in_time(bare: Page) -> None:
    bare.route("**/nothing/", lambda _route: None)
    found = bare.evaluate("""async () => {
        const { load } = await import("/static/shared/requests.js");
        const limited = AbortSignal.timeout.bind(AbortSignal);
        const limits = [];
        AbortSignal.timeout = (limit) => { limits.push(limit); return limited(20); };
        const { code, message } = await load("/nothing/").catch((refused) => refused);
        return [limits, code, message];
    }""")
    assert found == [[20_000], "server_unreachable", "The server cannot be reached. Try again."]
