"""Every invalid message gets an error with a code, and the journal only accepted actions."""

import json
from typing import Any

import pytest

from playtest.play.page.wire import LARGEST_MESSAGE_BYTES
from tests.live.server import Server
from tests.live.station import ACTION, Station, action_message

pytestmark = pytest.mark.once


def actions(server: Server, session: int) -> int:
    [(count,)] = server.rows(
        "SELECT count(*) FROM play_entry e JOIN play_attempt a ON a.id = e.attempt_id"
        f" WHERE e.seq > 0 AND a.session_id = {session}"
    )
    return int(count)


@pytest.fixture
def person(server: Server) -> dict[str, Any]:
    return dict(server.seed(pool=["wk01"], stage="playing")["people"][0])


GOOD = {"sequence": 1, "attempt": 1}
MALFORMED: dict[str, bytes | str] = {
    "empty": b"",
    "too short": action_message(1, **GOOD)[:-1],
    "too long": action_message(1, **GOOD) + b"\0",
    "another kind": b"\x07" + action_message(1, **GOOD)[1:],
    "action 8": action_message(8, **GOOD),
    "unknown input": action_message(1, input_kind=9, **GOOD),
    "a move with a cell": action_message(1, 3, 4, **GOOD),
    "time is no number": ACTION.pack(1, 1, 1, 1, 1, 0, 0, 0, 0, float("nan")),
    "time is infinite": ACTION.pack(1, 1, 1, 1, 1, 0, 0, 0, 0, float("inf")),
    "reserved is used": ACTION.pack(1, 1, 1, 1, 1, 0, 0, 1, 0, 0.0),
    "no JSON": "hello",
    "no object": "[1, 2]",
    "a number": "12",
    "deeply nested": "[" * 500,
    "no type": "{}",
    "unknown type": '{"type": "win"}',
    "type is a list": '{"type": ["next"]}',
    "too many fields": '{"type": "next", "attempt": 1}',
    "missing field": '{"type": "give_up"}',
    "attempt is text": '{"type": "give_up", "attempt": "1"}',
    "unknown answer": '{"type": "prompt_answered", "attempt": 1, "answer": "maybe"}',
    "answer is a list": '{"type": "prompt_answered", "attempt": 1, "answer": []}',
    "unknown event": '{"type": "observed", "event": "fault_acknowledged"}',
    "a round trip below zero": '{"type": "ping", "round_trip_ms": -1}',
    "a round trip over a minute": '{"type": "ping", "round_trip_ms": 60001}',
    "a round trip with a fraction": '{"type": "ping", "round_trip_ms": 1.5}',
    "a round trip that is a flag": '{"type": "ping", "round_trip_ms": true}',
    "a round trip of nothing": '{"type": "ping", "round_trip_ms": null}',
    "a round trip of another message": '{"type": "next", "round_trip_ms": 5}',
}


async def test_malformed_messages_are_refused_and_the_connection_survives(
    server: Server, port: int, person: dict[str, Any]
) -> None:
    async with Station(port, person["seat"]) as station:
        await station.begin()
        for name, message in MALFORMED.items():
            await station.socket.send(message)
            assert (await station.hear_text("error"))["code"] == "malformed_message", name
        assert (await station.act(2)).sequence == 1
    assert actions(server, person["session"]) == 1


async def test_refused_actions_name_their_reason(server: Server, port: int, person: dict[str, Any]) -> None:
    async with Station(port, person["seat"]) as station:
        await station.begin()
        cases = {
            "wrong_sequence": {"action": 2, "sequence": 9},
            "wrong_attempt": {"action": 2, "attempt": 2},
            "action_unavailable": {"action": 5},
            "coordinates_out_of_range": {"action": 6, "x": 64, "y": 0},
        }
        for code, fields in cases.items():
            await station.send_action(**fields)
            assert (await station.hear_text("error"))["code"] == code
        assert (await station.act(1)).state == 2
        await station.send_action(2)
        assert (await station.hear_text("error"))["code"] == "reset_required"
        assert (await station.act(0)).state == 0
    assert actions(server, person["session"]) == 2


async def test_messages_of_another_stage_are_refused(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"])["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.hear_text("session")
        await station.send_action(2, sequence=1, attempt=1)
        assert (await station.hear_text("error"))["code"] == "no_open_attempt"
        await station.say("next")
        await station.hear_turn()
        await station.say("next")
        assert (await station.hear_text("error"))["code"] == "not_now"
        await station.say("prompt_answered", attempt=1, answer="continue")
        assert (await station.hear_text("error"))["code"] == "not_now"
        await station.say("give_up", attempt=7)
        assert (await station.hear_text("error"))["code"] == "wrong_attempt"


async def test_an_oversized_message_is_refused_and_closes_the_connection(
    port: int, person: dict[str, Any]
) -> None:
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await station.socket.send("x" * (LARGEST_MESSAGE_BYTES + 1))
        assert (await station.hear_text("error"))["code"] == "message_too_large"
        assert await station.hear_close() == 4013


async def test_a_huge_message_is_refused_before_it_is_read(port: int, person: dict[str, Any]) -> None:
    async with Station(port, person["seat"]) as station:
        await station.begin()
        await station.socket.send(b"x" * 1_000_000)
        assert await station.hear_close() == 1006
    async with Station(port, person["seat"]) as station:
        assert (await station.begin()).sequence == 0


async def test_a_thousand_messages_at_once_are_limited(
    server: Server, port: int, person: dict[str, Any]
) -> None:
    async with Station(port, person["seat"]) as station:
        await station.begin()
        for _ in range(3_000):
            await station.socket.send(json.dumps({"type": "ping"}))
        assert await station.hear_close() == 4008
        codes = [message["code"] for message in map(dict_of, station.heard) if "code" in message]
        assert codes.count("too_many_messages") == len(codes) > 900
    async with Station(port, person["seat"]) as station:
        await station.begin()
        assert (await station.act(2)).sequence == 1
    assert actions(server, person["session"]) == 1


def dict_of(message: object) -> dict[str, Any]:
    return message if isinstance(message, dict) else {}


async def test_the_socket_closes_without_a_valid_seat(server: Server, port: int) -> None:
    mine, theirs = server.seed(pool=["wk01"], people=2)["people"]
    forged = f"{theirs['session']}.{mine['seat'].split('.')[1]}"
    for seat in ("", "1", "x.y", "1.", "999999.token", "99999999999999999999999.t", "?.t", forged):
        async with Station(port, seat) as station:
            assert await station.hear_close() == 4001, seat
