"""Bringing a game back to a state it has been in: by its actions, which is always right, or faster.

The faster way writes down what every object of a state holds, and later puts it back into those very objects:
nothing is copied, so that a function which captured the game, or a list in two places, stays what it was. It
can do so for a state that `engine.state.identity` saw wholly, unless something in it (a suspended generator,
an iterator) cannot be put back. Whether it may be used for a version at all has to be proven
(`engine.state.snapshot_check`).

Objects that a level's turns have no part in (`engine.state.level_scope`) are looked at only when a turn may
have changed them (it completed the level, or failed), and when somebody asks for it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import compress
from typing import Any, NamedTuple

from engine.game import Game, Turn
from engine.state.accessors import UNCHANGING, way
from engine.state.builtin_parts import ATOMS, Opaque
from engine.state.contents import (
    Held,
    Irreversible,
    is_same,
    is_same_array,
    is_same_attributes,
    read_array,
    read_attributes,
    read_function,
    read_list,
)
from engine.state.identity import Identifier, Identity
from engine.state.level_scope import outside_level
from engine.state.object_parts import parts


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state of one game: `held` is what its objects held where that is not what they held at first."""

    seq: int
    turn: Turn
    held: dict[int, tuple[Any, Held]]


class _Object(NamedTuple):
    """An object of the first state: how it is compared, read and written, and what it held then."""

    address: int
    thing: Any
    is_unchanged: Callable[[Any, Held], bool]
    read: Callable[[Any], Held]
    write: Callable[[Any, Held], None]
    first: Held


class SnapshotStore:
    """Takes and puts back snapshots of one game, all written as differences to its first state."""

    def __init__(self, game: Game, identifier: Identifier, *, everything: bool = False) -> None:
        """With `everything`, objects outside of the level are never left out. Raises Irreversible."""
        self._game = game
        self._identifier = identifier
        whole = identifier.identify(game)
        if whole.opaque:
            raise Irreversible(f"cannot see into {whole.opaque}")
        outside = [] if everything else outside_level(game, whole.things)
        self._fixed = {id(one): -3 - number for number, one in enumerate(outside)}
        inside = self.identify().things
        self._level = _objects(inside)
        self._compared = (
            [one.is_unchanged for one in self._level],
            [one.thing for one in self._level],
            [one.first for one in self._level],
        )
        self._first = {one.address: one for one in self._level}
        self._present: dict[int, tuple[Any, Held]] = {}
        known = {id(one) for one in inside}
        self._others = _objects(one for one in whole.things if id(one) not in known)
        self._known = {id(one): one for one in (*inside, *whole.things)}

    def identify(self) -> Identity:
        """The complete identity of the game's state, to be compared with others of this store only."""
        return self._identifier.identify(self._game, self._fixed)

    def take(self) -> Snapshot:
        """The game's present state. Raises Irreversible."""
        held = {one.address: (one.thing, one.read(one.thing)) for one in self._changed()}
        self._add_new(held)
        self._present = held
        return Snapshot(self._game.seq, self._game.turn, held)

    def put_back(self, snapshot: Snapshot, *, moved: bool = True, everything: bool = False) -> None:
        """Makes the game what it was; with `everything` also outside of the level.

        `moved`: whether the game may have changed since the last snapshot was taken or put back. Raises
        Irreversible; the game is then of no further use.
        """
        held = snapshot.held
        present = {one.address for one in self._changed()} if moved else self._present
        try:
            for address in {*present, *held}:
                if address in self._first:
                    one = self._first[address]
                    one.write(one.thing, held[address][1] if address in held else one.first)
                elif address in held:
                    thing, content = held[address]
                    kind: Any = type(thing)
                    way(kind)[1](thing, content)
            if everything:
                for other in self._others:
                    if not other.is_unchanged(other.thing, other.first):
                        other.write(other.thing, other.first)
        except (TypeError, ValueError, AttributeError) as error:
            raise Irreversible(str(error)) from error
        self._present = held
        self._game.seq, self._game.turn = snapshot.seq, snapshot.turn

    def _changed(self) -> Iterator[_Object]:
        """The level's objects that are not what they were at first."""
        return compress(self._level, map(operator.not_, map(operator.call, *self._compared)))

    def has_strayed(self) -> bool:
        """Whether an object outside of the level is not what it was at first."""
        return not all(one.is_unchanged(one.thing, one.first) for one in self._others)

    def _add_new(self, held: dict[int, tuple[Any, Held]]) -> None:
        """Adds what was made since the first state: only objects that have changed can lead there."""
        waiting = [thing for thing, _ in held.values()]
        seen: dict[int, Any] = {}  # keeps what is seen, so that no address is used again
        while waiting:
            for child in _children(waiting.pop()):
                kind: Any = type(child)
                if kind in ATOMS or kind is str or id(child) in self._known or id(child) in seen:
                    continue
                seen[id(child)] = child
                waiting.append(child)
                how = way(kind)
                if how is not UNCHANGING:
                    held[id(child)] = child, how[0](child)


def _children(thing: Any) -> Iterable[Any]:
    try:
        return parts(thing)[1]
    except Opaque as problem:
        raise Irreversible(f"{type(problem.args[0]).__name__} cannot be seen into") from problem


def _objects(things: Iterable[Any]) -> list[_Object]:
    found = []
    for thing in things:
        kind: Any = type(thing)
        how = way(kind)
        if how is not UNCHANGING:
            read, write = how
            is_unchanged = _COMPARED.get(read) or _compared(read)
            found.append(_Object(id(thing), thing, is_unchanged, read, write, read(thing)))
    return found


def _compared(read: Callable[[Any], Held]) -> Callable[[Any, Held], bool]:
    return lambda thing, held: is_same(read(thing), held)


def _is_same_list(thing: list[Any], held: Held) -> bool:
    return list.__len__(thing) == len(held) and all(map(operator.is_, list.__iter__(thing), held))


def _is_same_function(thing: Any, held: Held) -> bool:
    if thing.__dict__ or len(held) > 3:
        return is_same(read_function(thing), held)
    code, defaults, named = held
    return thing.__code__ is code and thing.__defaults__ is defaults and thing.__kwdefaults__ is named


_COMPARED: dict[Any, Callable[[Any, Held], bool]] = {
    read_list: _is_same_list,
    read_attributes: is_same_attributes,
    read_array: is_same_array,
    read_function: _is_same_function,
}
"""Comparisons of frequent kinds that read nothing they need not."""
