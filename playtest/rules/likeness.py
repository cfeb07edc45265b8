"""How alike two environments are, by what can be measured of the report's test of redundancy.

The ARC-AGI-3 report asks whether one program for both is less than half as long as two. The shortest program
cannot be measured: measured are what is seen, what actions do, and how much shorter the sources compress
together than apart.
"""

import lzma
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

HALF = 0.5
"""Of the two programs: one for both that is shorter makes a pair redundant by the report."""
ALIKE = 0.5
"""People are asked about a pair from this likeness on, or if a win of one wins WON levels of the other."""
WON = 2
"""The first level alone is no sign: it teaches the controls, and much wins it."""
_COLOURS = 16
type Cells = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Profile:
    """What an environment shows and does.

    `appearance`: how often each colour is beside each other one in first frames, as shares. `effects`: by
    action's id, its share of the actions of a win, and the share (0..1) of cells that it changes on average.
    """

    appearance: NDArray[np.float64]
    effects: Mapping[int, tuple[float, float]]
    source: bytes


def appearance_of(frames: Iterable[Cells]) -> NDArray[np.float64]:
    """(256,) shares of neighbouring cells by their two colours, of frames (64, 64)."""
    counts = np.zeros(_COLOURS * _COLOURS)
    for frame in frames:
        for one, other in ((frame[:, :-1], frame[:, 1:]), (frame[:-1], frame[1:])):
            pairs = np.minimum(one, other).astype(int) * _COLOURS + np.maximum(one, other)
            counts += np.bincount(pairs.ravel(), minlength=counts.size)
    return counts / max(counts.sum(), 1.0)


def appearance_alike(one: Profile, other: Profile) -> float:
    """0..1: the share of neighbouring cells that both have."""
    return float(np.minimum(one.appearance, other.appearance).sum())


def effects_alike(one: Profile, other: Profile) -> float:
    """0..1: how alike actions are used, and how much they change; 0 without a win of both."""
    if not (one.effects and other.effects):
        return 0.0
    nothing = (0.0, 0.0)
    pairs = [
        (one.effects.get(act, nothing), other.effects.get(act, nothing))
        for act in {*one.effects, *other.effects}
    ]
    used = sum(min(a[0], b[0]) for a, b in pairs)
    changes = [min(a[1], b[1]) / max(a[1], b[1]) if max(a[1], b[1]) else 1.0 for a, b in pairs]
    return (used + sum(changes) / len(changes)) / 2


def one_program(one: Profile, other: Profile) -> float:
    """How long both sources are compressed together, as a share of both apart: about 0.5 to 1."""
    together = len(lzma.compress(one.source + other.source))
    return together / (len(lzma.compress(one.source)) + len(lzma.compress(other.source)))


def likeness(appearance: float, effects: float, program: float) -> float:
    """0..1: the mean of the three, a program of half the length counting as 1."""
    return (appearance + effects + min(1.0, max(0.0, (1.0 - program) / HALF))) / 3
