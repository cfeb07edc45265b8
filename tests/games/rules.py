"""The environments of `games/` as the tests see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Protocol, cast

import pytest

from engine.play.actions import Action
from engine.play.source import Source, fresh_module, load
from engine.prove.search import DIRECTIONS, Puzzle

GAMES = Path(__file__).parents[2] / "games"
ENVIRONMENTS = tuple(sorted(file.parent.name for file in GAMES.glob("*/metadata.json")))
__all__ = ["DIRECTIONS", "ENVIRONMENTS", "GAMES", "Known", "known", "one_of", "rules", "source"]


@cache
def source(environment: str) -> Source:
    """Returns the committed version of an environment."""
    return load(GAMES / environment)


@cache
def rules(environment: str) -> ModuleType:
    """Returns the environment's module, which holds its pure rules."""
    return fresh_module(source(environment))


class Known(Protocol):
    """What `search.py` says of an environment; tuples have a text for each level, which `actions` reads."""

    CONTROLS: tuple[int, ...]
    CANNOT_BE_LOST: bool
    QUICKLY_SEARCHED: tuple[int, ...]
    """Levels whose shortest win is searched in a second or two."""
    FEWEST: tuple[str, ...]
    """One shortest way through every level, as `engine.prove.search` finds it."""
    TRIED: tuple[str, ...]
    """What the player of the winning recording tried before finding the way, reset or undone in the end."""
    LOST: str
    """A run that is lost, or gives up."""
    actions: Callable[[str], Iterator[Action]]
    puzzle: Callable[[ModuleType, int], Puzzle]
    """A level, from 1, as a search problem over the environment's rules."""


def known(environment: str) -> Known:
    """What is known of an environment in `games/`."""
    return cast(Known, import_module(f"games.{environment}.search"))


def one_of(cases: Iterable[object], quickest: object) -> list[object]:
    """The cases of a search: the quickest in the suite, the others in `make test-long`."""
    return [
        case if case == quickest else pytest.param(*_values(case), marks=pytest.mark.long) for case in cases
    ]


def _values(case: object) -> tuple[object, ...]:
    return case if isinstance(case, tuple) else (case,)
