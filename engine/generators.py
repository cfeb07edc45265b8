"""The global random generators of Python and NumPy, seeded before every action."""

from __future__ import annotations

import random
from functools import lru_cache
from hashlib import blake2b

import numpy as np


def seed_generators(seed: int, moment: int | str) -> None:
    """Seeds both generators from a game's seed and a moment of it: the seq of a turn, or a name."""
    digest = blake2b(f"{seed}/{moment}".encode(), digest_size=12).digest()
    random.seed(int.from_bytes(digest[:8], "little"))
    np.random.seed(int.from_bytes(digest[8:], "little"))


def were_drawn_from(seed: int, moment: int) -> bool:
    """Whether either generator was drawn from since it was seeded. Draws from both."""
    drawn_next = _draw_next()
    return drawn_next != _first_draws(seed, moment)


def _draw_next() -> tuple[int, bytes]:
    """The next draw of each generator, which stands for its state and is much faster to read."""
    return random.getrandbits(64), np.random.bytes(8)


@lru_cache(maxsize=4096)
def _first_draws(seed: int, moment: int) -> tuple[int, bytes]:
    seed_generators(seed, moment)
    return _draw_next()
