"""What the tests know of each environment, a module each: `known("ke52")`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Protocol, cast

from engine.play.actions import Action
from tests.games.solver import Puzzle


class Known(Protocol):
    """One environment. Tuples of texts have one for each level; `actions` reads them."""

    CONTROLS: tuple[int, ...]
    CANNOT_BE_LOST: bool
    QUICKLY_SEARCHED: tuple[int, ...]
    """Levels whose shortest win is searched in a second or two."""
    FEWEST: tuple[str, ...]
    """One shortest way through every level, as `tests.games.solver` finds it."""
    TRIED: tuple[str, ...]
    """What the player of the winning recording tried before finding the way, reset or undone in the end."""
    LOST: str
    """A run that is lost, or gives up."""
    actions: Callable[[str], Iterator[Action]]
    puzzle: Callable[[int], Puzzle]
    """A level, from 1, as a search problem."""


def known(environment: str) -> Known:
    """What the tests know of an environment in `games/`."""
    return cast(Known, import_module(f"tests.games.known.{environment}"))
