"""Invalid and large messages: each gets an error with a code or reaches the journal."""

import contextlib
import json
import shutil
import zlib
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from engine.play.actions import Action
from engine.play.frames import LARGEST_PAYLOAD_BYTES, LARGEST_PLAIN_BYTES, Frame, decode, encode
from engine.play.game import Game
from engine.play.source import load
from playtest.play.hosts.pool import HostPool
from playtest.play.page.wire import LARGEST_MESSAGE_BYTES
from tests.live.games import ENVIRONMENTS
from tests.live.server import Server
from tests.live.station import ACTION, Station, action_message, same

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


async def test_a_thousand_messages_at_once_are_limited(
    server: Server, port: int, person: dict[str, Any]
) -> None:
    async with Station(port, person["seat"]) as station:
        await station.begin()
        with contextlib.suppress(ConnectionClosed):  # the server may be done before the last is sent
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


NOISE, RUNNER = "nz01", "an01"


@pytest.fixture
def games(tmp_path: Path) -> str:
    for name in (NOISE, RUNNER):
        shutil.copytree(ENVIRONMENTS / name, tmp_path / "games" / name)
    return str(tmp_path / "games")


def frames_of(name: str, seed: int, *actions: int) -> list[Frame]:
    """Computes the frames of the last action with the engine."""
    game, turn = Game.start(load(ENVIRONMENTS / name), seed)
    for action in actions:
        turn = game.act(Action(action))
    return list(turn.frames)


def sit(server: Server, games: str, name: str) -> tuple[str, int, int]:
    """Opens this environment for a person; returns seat, session and the attempt's seed."""
    person = server.seed(games=games, pool=[name], stage="playing")["people"][0]
    [(seed,)] = server.rows(f"SELECT seed FROM play_attempt WHERE session_id = {person['session']}")
    return person["seat"], person["session"], seed


def stored_frames(server: Server, session: int) -> bytes:
    """Returns the frames of the session's first action from the journal."""
    [(stored,)] = server.rows(
        "SELECT entry.frames FROM play_entry entry JOIN play_attempt attempt ON attempt.id = entry.attempt_id"
        f" WHERE entry.seq = 1 AND attempt.session_id = {session}"
    )
    return bytes(stored)


async def test_a_thousand_frames_of_noise_reach_the_page_and_the_journal(
    server: Server, port: int, games: str
) -> None:
    seat, session, seed = sit(server, games, NOISE)
    async with Station(port, seat) as station:
        await station.begin()
        turn = await station.act(4)
        assert turn.size > LARGEST_PAYLOAD_BYTES
        shown = frames_of(NOISE, seed, 4)
        assert len(turn.frames) == len(shown) == 1_000
        assert all(map(same, turn.frames, shown))
        await station.send_action(4, sequence=1)
        again = await station.hear_turn()
        assert (again.sequence, again.size) == (1, turn.size), "the recorded answer is as large"
        assert (await station.act(1)).sequence == 2
    stored = stored_frames(server, session)
    payload = zlib.decompress(stored)
    assert payload == encode(shown, frames_of(NOISE, seed)[-1])
    assert len(stored) < len(payload) + 1_000, "what cannot be made smaller is not made larger either"
    async with Station(port, seat) as station:
        assert (await station.begin()).sequence == 2


async def test_a_large_animation_is_deflated_once(server: Server, port: int, games: str) -> None:
    seat, session, seed = sit(server, games, RUNNER)
    async with Station(port, seat) as station:
        await station.begin()
        turn = await station.act(4)
    plain = encode(frames_of(RUNNER, seed, 4), frames_of(RUNNER, seed)[-1])
    assert len(plain) > LARGEST_PLAIN_BYTES
    assert turn.flags & 8
    assert turn.size < len(plain) / 4
    assert len(stored_frames(server, session)) == turn.size - 14, "the journal keeps the very bytes"


async def test_a_host_deflates_large_turns_only() -> None:
    pool = HostPool(1)
    try:
        game, opening = await pool.start(load(ENVIRONMENTS / NOISE), 1)
        assert opening.frames.deflated, "a whole frame"
        large = await game.act(Action(4))
        assert large.frames.deflated
        assert len(decode(large.frames.payload, frames_of(NOISE, 1)[-1])) == 1_000
        assert zlib.decompress(large.frames.data) == large.frames.payload
        game, _ = await pool.start(load(ENVIRONMENTS / RUNNER), 1)
        small = await game.act(Action(1))
        assert (small.frames.deflated, small.frames.data) == (False, small.frames.payload)
    finally:
        await pool.close()


async def test_incoming_messages_are_limited_in_one_frame_and_in_many(server: Server, port: int) -> None:
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    whole: list[str] = ["x" * 100_000]
    parts: list[str] = ["x" * 10_000] * 10
    for message in (whole, parts):
        async with Station(port, person["seat"]) as station:
            await station.begin()
            with contextlib.suppress(ConnectionClosed):
                await station.socket.send(iter(message))
            assert await station.hear_close() == 1006
