"""The environments of `games/` as the tests see them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import ModuleType

from engine.play.source import Source, fresh_module, load

GAMES = Path(__file__).parents[2] / "games"
ENVIRONMENTS = tuple(sorted(file.parent.name for file in GAMES.glob("*/metadata.json")))


@cache
def source(environment: str) -> Source:
    """Returns the committed version of an environment."""
    return load(GAMES / environment)


@cache
def rules(environment: str) -> ModuleType:
    """Returns the environment's module, which holds its pure rules."""
    return fresh_module(source(environment))
