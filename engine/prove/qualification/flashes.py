"""What people see of a turn: how many whole-screen flashes a second, and for how long.

A flash is a pair of opposite changes of brightness (WCAG 2.2, 2.3.1), here of most of the board at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from engine.play.frames import CELLS, PALETTE, Frame

MOST_FLASHES = 3
"""More in any second can cause a seizure."""
LONGEST_TURN_SECONDS = 5.0
"""People who wait longer for the end of an animation take it for a fault."""
FLASHING_SHARE = 0.5
FLASHING_BRIGHTNESS = 0.1
"""The screen changes when half of its cells change by a tenth of white (`static/shared/flashes.js`)."""


def _brightness(colour: str) -> float:
    """The relative luminance of RRGGBB, 0..1."""
    channels = np.array([int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


_BRIGHTNESS = np.array([_brightness(colour) for colour in PALETTE], dtype=np.float32)
_STEPS = _BRIGHTNESS[None, :] - _BRIGHTNESS[:, None]
_DIRECTIONS = (np.where(np.abs(_STEPS) >= FLASHING_BRIGHTNESS, np.sign(_STEPS), 0)).astype(np.int8)
"""Of a change from one colour to another: 1 brighter, -1 darker, 0 about as bright."""


def flashes_a_second(frames: Sequence[Frame], frames_a_second: float) -> float:
    """The most flashes in any second of these frames; two opposite changes are one flash."""
    changes: list[tuple[int, int]] = []
    if len(frames) <= 2 * MOST_FLASHES:
        return 0.0
    for at, (before, after) in enumerate(pairwise(frames), start=1):
        directions = _DIRECTIONS[before, after]
        for direction in (1, -1):
            if np.count_nonzero(directions == direction) < FLASHING_SHARE * CELLS:
                continue
            if not changes or changes[-1][1] != direction:
                changes.append((at, direction))
    most = 0
    for number, (at, _) in enumerate(changes):
        within = sum(1 for later, _ in changes[number:] if later - at < frames_a_second)
        most = max(most, within)
    return most / 2
