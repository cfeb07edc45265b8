"""Browser and server decode each other's messages, large ones too."""

import base64
import json
import math
import shutil
import time
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.play.actions import Action
from engine.play.frames import LARGEST_PAYLOAD_BYTES, deflated, encode, keyframe, unpack
from engine.play.game import Game
from engine.play.source import load
from engine.play.turns import EncodedFrames, EncodedTurn
from playtest.play.journal.entries import Provenance
from playtest.play.models import InputKind
from playtest.play.page.wire import parse_action, turn_message
from tests.live.games import ENVIRONMENTS
from tests.live.seeder import PATIENCE_SECONDS
from tests.play.browser.conftest import STATIC, Participant, Run

VECTORS = json.loads((STATIC.parent / "tests" / "vectors" / "frames.json").read_text())


def cells(packed: str) -> list[int]:
    return unpack(base64.b64decode(packed)).reshape(-1).tolist()


def decode_turn(run: Run, message: bytes, previous: list[int] | None) -> Any:
    return run(
        "shared/codec.js",
        """{
            const turn = decodeTurn(Uint8Array.from(message).buffer, previous && Uint8Array.from(previous));
            return { ...turn, frames: turn.frames.map((frame) => [...frame]) };
        }""",
        message=list(message),
        previous=previous,
    )


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_frames_decode_as_the_engine_encoded_them(run: Run, vector: dict[str, Any]) -> None:
    decoded = run(
        "shared/codec.js",
        """decodeFrames(new DataView(Uint8Array.from(payload).buffer), previous && Uint8Array.from(previous))
            .map((frame) => [...frame])""",
        payload=list(base64.b64decode(vector["payload"])),
        previous=vector["previous"] and cells(vector["previous"]),
    )
    assert decoded == [cells(frame) for frame in vector["frames"]]


def test_every_field_of_a_turn_message_is_decoded(run: Run) -> None:
    before, after = np.full((64, 64), 5, np.uint8), np.full((64, 64), 5, np.uint8)
    after[3, 2] = 9
    shown = EncodedTurn(
        seq=70_000,
        state="GAME_OVER",
        level=2,
        levels=6,
        levels_completed=1,
        available_actions=(7,),
        level_completed=True,
        changed=True,
        full_reset=False,
        state_hash=bytes(8),
        frame_count=2,
        frames=EncodedFrames(encode([before, after], before)),
    )
    message = turn_message(513, shown)
    turn = decode_turn(run, message, before.reshape(-1).tolist())
    frames = turn.pop("frames")
    assert turn == {
        "changed": True,
        "levelCompleted": True,
        "resync": False,
        "attempt": 513,
        "sequence": 70_000,
        "level": 2,
        "levelsCompleted": 1,
        "state": 2,
        "available": 0b1000_0001,
    }
    assert frames == [before.reshape(-1).tolist(), after.reshape(-1).tolist()]


def opening() -> bytes:
    turn = EncodedTurn(
        seq=0,
        state="NOT_FINISHED",
        level=1,
        levels=6,
        levels_completed=0,
        available_actions=(1,),
        level_completed=False,
        changed=True,
        full_reset=True,
        state_hash=bytes(8),
        frame_count=1,
        frames=EncodedFrames(keyframe(np.zeros((64, 64), np.uint8))),
    )
    return turn_message(1, turn, resync=True)


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\x01" + opening()[1:], id="another kind"),
        pytest.param(opening()[:13], id="half a header"),
        pytest.param(opening()[:1] + b"\x08" + opening()[2:], id="frames that were not inflated"),
        pytest.param(opening()[:-1], id="a keyframe that ends early"),
        pytest.param(opening()[:14], id="no frame"),
        pytest.param(opening() + b"\x00\x00", id="a frame more than announced"),
        pytest.param(opening()[:14] + b"\x01\x00\x00\x00", id="a delta with nothing before it"),
    ],
)
def test_invalid_bytes_of_a_turn_are_a_range_error(run: Run, message: bytes) -> None:
    kind = run(
        "shared/codec.js",
        """{
            try {
                decodeTurn(Uint8Array.from(message).buffer, null);
            } catch (error) {
                return error.constructor.name;
            }
            return "none";
        }""",
        message=list(message),
    )
    assert kind == "RangeError"


def deflated_opening(payload: bytes) -> bytes:
    header = bytearray(opening()[:14])
    header[1] |= 8
    return bytes(header) + payload


def inflate(run: Run, message: bytes) -> Any:
    """Returns the message's inflated bytes or the name of the exception."""
    return run(
        "shared/codec.js",
        """(async () => {
            const buffer = Uint8Array.from(message).buffer;
            if (!isDeflated(buffer)) return "not deflated";
            return inflated(buffer)
                .then((whole) => [...new Uint8Array(whole)], (error) => error.constructor.name);
        })()""",
        message=list(message),
    )


def test_a_deflated_turn_is_inflated(run: Run) -> None:
    plain = opening()
    assert bytes(inflate(run, deflated_opening(deflated(plain[14:])))) == plain
    assert bytes(inflate(run, deflated_opening(zlib.compress(plain[14:], 0)))) == plain
    assert inflate(run, plain) == "not deflated"
    assert inflate(run, b"\x01" + plain[1:]) == "not deflated"


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"no zlib", id="something else"),
        pytest.param(deflated(keyframe(np.zeros((64, 64), np.uint8)))[:-8], id="cut off"),
        pytest.param(deflated(bytes(LARGEST_PAYLOAD_BYTES + 1)), id="too large inside"),
    ],
)
def test_invalid_deflated_bytes_are_a_range_error(run: Run, payload: bytes) -> None:
    assert inflate(run, deflated_opening(payload)) == "RangeError"


@pytest.mark.parametrize(
    ("paint", "expected"), [(None, None), (0, 0), (7.6, 8), (65_535, 65_534), (math.pi * 1e9, 65_534)]
)
def test_the_server_decodes_an_action_of_the_browser(
    run: Run, paint: float | None, expected: int | None
) -> None:
    message = run(
        "shared/codec.js",
        """[...new Uint8Array(encodeAction({
            input: INPUT.TOUCH, attempt: 3, sequence: 66_000, action: 6, x: 63, y: 1,
            previousPaintMs: paint, clientTime: 1_700_000_000_123.5,
        }))]""",
        paint=paint,
    )
    read = parse_action(bytes(message))
    assert (read.attempt, read.sequence, read.action) == (3, 66_000, Action(6, 63, 1))
    pressed_at = datetime.fromtimestamp(1_700_000_000.1235, UTC)
    assert read.provenance == Provenance(InputKind.TOUCH, pressed_at, expected)


NOISE = "nz01"
SEEN = """async () => {
    const canvas = document.querySelector("canvas");
    const seen = new Set();
    while (seen.size < 60 && document.querySelector("play-board").animating) {
        const { data } = canvas.getContext("2d").getImageData(0, 0, 64, 64);
        seen.add(data.join());
        await new Promise(requestAnimationFrame);
    }
    return seen.size;
}"""


def test_an_animation_of_noise_is_shown_and_ends_in_its_last_frame(
    participant: Participant, tmp_path: Path
) -> None:
    shutil.copytree(ENVIRONMENTS / NOISE, tmp_path / "games" / NOISE)
    participant.server.seed(games=str(tmp_path / "games"), people=0)
    session = participant.sit(NOISE)
    page = participant.page
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('play-board').animating")
    assert page.evaluate(SEEN) == 60
    where = f"FROM play_attempt WHERE session_id = {session}"
    [(seed,)] = participant.server.rows(f"SELECT seed {where}")
    game, _ = Game.start(load(ENVIRONMENTS / NOISE), seed)
    last = game.act(Action(4)).frames[-1]
    latest = page.evaluate("[...document.querySelector('play-board').latest]")
    assert np.array_equal(np.array(latest), last.reshape(-1))
    page.keyboard.press("ArrowUp")  # does not wait for the rest of it
    page.wait_for_function("() => !document.querySelector('play-board').animating")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len(participant.actions(session)) < 2 and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    assert [row[0] for row in participant.actions(session)] == [4, 1]
    connections = participant.server.rows(
        f"SELECT kind FROM play_event WHERE kind LIKE '%connected' AND session_id = {session}"
    )
    assert connections == [("connected",)]
