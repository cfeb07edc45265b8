"""Writes `tests/vectors/frames.json`, the vectors for the decoders in Python and JavaScript.

python -m tests.engine.frame_vectors
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np

from engine.play.frames import Frame, checked_copy, encode, pack

VECTORS = Path(__file__).parents[1] / "vectors" / "frames.json"


def vectors() -> list[dict[str, Any]]:
    """Vectors of name, previous (packed or null), payload and frames (packed), all in base64."""
    blank = checked_copy(np.full((64, 64), 5))
    gradient = checked_copy((np.arange(64)[:, None] * 3 + np.arange(64)[None, :]) % 16)
    few = _changed(blank, {0: 1, 1: 15, 64: 0, 2080: 9, 4095: 14})
    block = _changed(blank, {64 * y + x: 8 for y in range(20, 40) for x in range(20)})
    limit = _changed(blank, dict.fromkeys(range(0, 2046, 2), 7))
    beyond = _changed(blank, dict.fromkeys(range(0, 2048, 2), 7))
    return [
        _vector("first frame is a keyframe", None, [gradient]),
        _vector("nothing changed", gradient, [gradient]),
        _vector("a few cells, corners included", blank, [few]),
        _vector("one run after the longest gap", blank, [_changed(blank, {4095: 1})]),
        _vector("a block, whose rows are longer than a run", blank, [block]),
        _vector("1,023 runs are still runs", blank, [limit]),
        _vector("1,024 runs are a keyframe", blank, [beyond]),
        _vector("an animation of runs and a keyframe", blank, [few, few, gradient, blank, few]),
        _vector("a new level ends in a keyframe", few, [blank, few], level_changed=True),
        _vector("many frames after a keyframe", None, [blank, few, limit, few]),
        _of_an_older_journal(blank, few),
    ]


def text() -> str:
    return json.dumps(vectors(), indent=1) + "\n"


def _vector(
    name: str, previous: Frame | None, frames: list[Frame], *, level_changed: bool = False
) -> dict[str, Any]:
    payload = encode(frames, previous, level_changed=level_changed)
    return {
        "name": name,
        "previous": None if previous is None else _base64(pack(previous)),
        "payload": _base64(payload),
        "frames": [_base64(pack(frame)) for frame in frames],
    }


def _of_an_older_journal(previous: Frame, frame: Frame) -> dict[str, Any]:
    """A payload as it was written before there were runs: the changed cells one by one."""
    positions = np.flatnonzero(frame != previous)
    cells = (positions * 16 + frame.reshape(-1)[positions]).astype("<u2").tobytes()
    payload = _base64(len(positions).to_bytes(2, "little") + cells)
    return _vector("single cells, as in older journals", previous, [frame]) | {"payload": payload}


def _changed(frame: Frame, cells: dict[int, int]) -> Frame:
    changed = frame.reshape(-1).copy()
    changed[list(cells)] = list(cells.values())
    return checked_copy(changed.reshape(64, 64))


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


if __name__ == "__main__":
    VECTORS.write_text(text())
