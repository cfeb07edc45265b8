"""Draws every sprite that is larger than 3x3 into docs/pictures/sprites.png: `python -m tests.games.sprites`.

Those that the winning and losing recordings show, each once, a row or more for each environment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from PIL import Image

from engine.play.actions import RESET, Action
from engine.play.game import Game
from playtest.review.video.pictures import COLOURS
from tests.games.contact_sheet import GROUND, Picture
from tests.games.plays import SEED, loss, winning_actions
from tests.games.rules import ENVIRONMENTS, GAMES, source

ZOOM, PLACE, ROW = 5, 12, 16  # pixels a cell, cells a sprite's place, sprites a row
SMALLEST, LARGEST = 4, 10  # pixels a side; what is larger is a board or a sheet of paper
BENEATH = 3  # the colour under what is clear
FILE = GAMES.parent / "docs" / "pictures" / "sprites.png"


def sprites(environment: str) -> list[Picture]:
    """The sprites of one environment as (height, width) of colour numbers, -1 where they are clear."""
    seen: dict[bytes, Picture] = {}
    for actions in (winning_actions(environment), loss(environment)):
        game, _ = Game.start(source(environment), SEED)
        names = cast(Any, type(game.state[0])).step.__globals__
        names["paste"] = _noting(names["paste"], seen)
        for action in (Action(RESET), *actions):
            game.act(action)
    return list(seen.values())


def _noting(paste: Callable[..., None], seen: dict[bytes, Picture]) -> Callable[..., None]:
    """What pastes as before, and notes each picture of a sprite's size."""

    def noting(onto: Picture, picture: Picture, x: int, y: int) -> None:
        if SMALLEST <= max(picture.shape) <= LARGEST:
            seen.setdefault(bytes(picture.shape) + picture.tobytes(), picture.copy())
        paste(onto, picture, x, y)

    return noting


def rows(pictures: list[Picture]) -> Picture:
    """The sprites side by side, `ROW` in a row, as (height, width, 3)."""
    high = -(-len(pictures) // ROW) * PLACE
    cells = np.full((high, ROW * PLACE), BENEATH, dtype=np.int8)
    for number, picture in enumerate(pictures):
        y, x = (PLACE * part + 1 for part in divmod(number, ROW))
        window = cells[y : y + picture.shape[0], x : x + picture.shape[1]]
        np.copyto(window, picture, where=picture >= 0)
    return COLOURS[cells].repeat(ZOOM, 0).repeat(ZOOM, 1)


if __name__ == "__main__":
    line = np.full((ZOOM, ROW * PLACE * ZOOM, 3), GROUND, dtype=np.uint8)
    parts = [part for name in ENVIRONMENTS for part in (rows(sprites(name)), line)]
    Image.fromarray(np.concatenate(parts[:-1])).save(FILE, optimize=True)
