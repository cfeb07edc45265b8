"""Large turns reach the browser and the journal; incoming messages stay limited."""

import contextlib
import shutil
import zlib
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from engine.play.actions import Action
from engine.play.frames import LARGEST_PAYLOAD_BYTES, LARGEST_PLAIN_BYTES, Frame, decode, encode
from engine.play.game import Game
from engine.play.source import load
from playtest.play.hosts.pool import HostPool
from tests.live.games import ENVIRONMENTS
from tests.live.server import Server
from tests.live.station import Station, same

pytestmark = pytest.mark.once

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
