"""Bringing a game back to a state it has been in: by its actions, which is always right, or faster.

The faster way writes down what every object of a state holds, and later puts it back into those very objects:
nothing is copied, so that a function which captured the game, or a list in two places, stays what it was. It
can do so for a state that `engine.identity` saw wholly, unless something in it (a suspended generator, an
iterator) cannot be put back. Whether it may be used for a version at all has to be proven (`engine.proof`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.contents import Held, Irreversible, Way, is_same
from engine.game import Game, Turn
from engine.ways import UNCHANGING, way


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state of one game: `held` is what its objects held where that is not what they held at first."""

    seq: int
    turn: Turn
    held: dict[int, tuple[Any, Held]]


class Album:
    """Snapshots of one game, all written as differences to the first."""

    def __init__(self, game: Game, things: Iterable[Any]) -> None:
        """Raises Irreversible."""
        self._game = game
        self._first: dict[int, tuple[Any, Held]] = {}
        self._first = self._differences(things)

    def take(self, things: Iterable[Any]) -> Snapshot:
        """The game's present state, of which `things` are all objects (`Identity.things`).

        Raises Irreversible.
        """
        return Snapshot(self._game.seq, self._game.turn, self._differences(things))

    def put_back(self, snapshot: Snapshot) -> None:
        """Makes the game what it was. Raises Irreversible; the game is then of no further use."""
        try:
            for identity, (thing, held) in self._first.items():
                if identity not in snapshot.held:
                    _way(thing)[1](thing, held)
            for thing, held in snapshot.held.values():
                _way(thing)[1](thing, held)
        except (TypeError, ValueError, AttributeError) as error:
            raise Irreversible(str(error)) from error
        self._game.seq, self._game.turn = snapshot.seq, snapshot.turn

    def _differences(self, things: Iterable[Any]) -> dict[int, tuple[Any, Held]]:
        differences = {}
        first = self._first
        for thing in things:
            found = _way(thing)
            if found is UNCHANGING:
                continue
            held = found[0](thing)
            known = first.get(id(thing))
            if known is None or not is_same(held, known[1]):
                differences[id(thing)] = thing, held
        return differences


def _way(thing: Any) -> Way:
    kind: Any = type(thing)
    return way(kind)
