"""Draws the first frame of every level into docs/pictures/levels.png: `python -m tests.games.contact_sheet`.

One row an environment, its levels from left to right.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine.play.game import Game
from playtest.review.video.pictures import COLOURS
from tests.games.plays import SEED
from tests.games.rules import ENVIRONMENTS, GAMES, source

ZOOM = 3  # pixels a cell
GAP = 8  # pixels between levels
GROUND = 255
FILE = GAMES.parent / "docs" / "pictures" / "levels.png"

Picture = NDArray[np.uint8]


def row(environment: str, columns: int) -> Picture:
    """The levels of one environment side by side, as (height, width, 3)."""
    levels = Game.start(source(environment), SEED)[1].levels
    side = 64 * ZOOM + GAP
    picture = np.full((side, side * columns, 3), GROUND, dtype=np.uint8)
    for level in range(1, levels + 1):
        frame = Game.start(source(environment), SEED, level=level)[1].frames[-1]
        left = side * (level - 1)
        picture[:-GAP, left : left + side - GAP] = COLOURS[frame].repeat(ZOOM, 0).repeat(ZOOM, 1)
    return picture


if __name__ == "__main__":
    most = max(Game.start(source(name), SEED)[1].levels for name in ENVIRONMENTS)
    Image.fromarray(np.concatenate([row(name, most) for name in ENVIRONMENTS])).save(FILE, optimize=True)
