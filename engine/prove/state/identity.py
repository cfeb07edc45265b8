"""Identifies a game's state by a digest of everything that its next turns can depend on.

A walk begins at the rules object and follows every reference: attributes and slots, containers, arrays,
functions with their closures and defaults, generators with their loops, the environment's own classes and
module, generators of random numbers. It records values and which references lead to the same object, never
addresses. So equal states of two games have equal digests, in any process with the same hash seed.

The walk does not reach what an environment leaves outside of itself: in an imported module, the process or
the file system. Code that merges states by this digest should therefore check some merges
(`engine.prove.exploration.merge_checks`).
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Any

from engine.play.game import Game
from engine.prove.state.walk import StateReader, Walk


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of one state.

    Equal states have equal digests. `objects` are all objects of the state in the order of the walk, without
    those that are compared by value. `opaque` says which object could not be read, "" if all could: such a
    state's digest differs from all others.
    """

    digest: bytes
    objects: list[Any]
    opaque: str


def identify(game: Game, outside: Mapping[int, int] = MappingProxyType({})) -> Identity:
    """The identity of a game's present state.

    `outside` is `SnapshotStore.outside`: objects that the walk does not enter. Identities that were made with
    it can be compared only with each other.
    """
    return _identifier(game.source.text).identify(game, outside)


@lru_cache(maxsize=4)
def _identifier(text: str) -> _Identifier:
    return _Identifier(text)


class _Identifier:
    """Identifies states of one source's games."""

    def __init__(self, text: str) -> None:
        self._reader = StateReader(text)
        self._opaque_states = 0
        self._opaque_places: dict[type, str] = {}

    def identify(self, game: Game, outside: Mapping[int, int]) -> Identity:
        """The identity of the game's present state; `outside` gives numbers below -2 to addresses."""
        walk = Walk(self._reader, game, outside)
        place = ""
        if walk.opaque is not None:
            self._opaque_states += 1
            walk.out.append(("opaque", self._opaque_states))
            place = self._opaque_place(walk)
        digest = blake2b(marshal.dumps(walk.out, 2), digest_size=16).digest()
        return Identity(digest, walk.objects, place)

    def _opaque_place(self, walk: Walk) -> str:
        """Where the opaque object is, searched once for each type."""
        kind = type(walk.opaque)
        if kind not in self._opaque_places:
            place = f"{walk.opaque_place()} ({kind.__module__}.{kind.__qualname__})"
            self._opaque_places[kind] = place
        return self._opaque_places[kind]
