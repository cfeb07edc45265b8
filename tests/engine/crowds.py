"""Environments with many sprites, generated: `tests/environments/mx01` with other constants."""

from __future__ import annotations

import re

from engine.play.source import Source, from_parts
from tests.engine.sources import environment

_CONSTANTS = re.compile(r"^LEVELS, SPRITES, LAMPS, MOST_MOVES, SEED = .*$", re.MULTILINE)


def crowd(*, levels: int = 7, sprites: int = 300, lamps: int = 2, moves: int = 14, seed: int = 1) -> Source:
    """Writes an environment with these numbers of levels, sprites, lamps and moves a level."""
    known = environment("mx01")
    constants = f"LEVELS, SPRITES, LAMPS, MOST_MOVES, SEED = {levels}, {sprites}, {lamps}, {moves}, {seed}"
    return from_parts(known.metadata, _CONSTANTS.sub(constants, known.text), known.path)
