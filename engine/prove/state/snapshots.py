"""Records states of a game, and restores them.

A snapshot lists what every object of a state refers to. Restoring writes this back into the same objects.
Nothing is copied: a function that captured the game, or a list that is referred to twice, stays the same
object. A state can be recorded if `identify` could read all of it, unless something in it cannot be restored,
such as a suspended generator. Whether snapshots can be relied on for a version has to be checked
(`engine.prove.exploration.snapshot_check`).

Objects outside of the level are those that its turns do not use: other levels, clean copies, templates of
sprites. They are compared and restored only on request: after a turn that completed the level or failed,
which may have changed them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, NamedTuple

from arcengine import Level, Sprite

from engine.play.game import Game
from engine.play.turns import Turn
from engine.prove.state.accessors import UNCHANGING, accessor
from engine.prove.state.builtin_parts import ATOMS, Opaque
from engine.prove.state.contents import (
    Content,
    NotRestorable,
    is_same,
    is_same_array,
    is_same_attributes,
    read_array,
    read_attributes,
    read_function,
    read_list,
)
from engine.prove.state.identity import identify
from engine.prove.state.object_parts import parts


def outside_level(game: Game, objects: Iterable[Any]) -> list[Any]:
    """The sprites and levels among `objects` that the present level and the rules do not refer to.

    `objects` are all objects of the game's state (`Identity.objects`). References through another level, a
    class or the variables of a module do not count.
    """
    inside = _inside(game.state[0])
    return [one for one in objects if isinstance(one, (Sprite, Level)) and id(one) not in inside]


def _inside(rules: Any) -> dict[int, Any]:
    """The objects that the rules and the present level refer to, by address."""
    closed = {id(rules._clean_levels), *(id(one) for one in rules._levels if one is not rules.current_level)}
    found: dict[int, Any] = {}
    waiting: list[Any] = [rules]
    while waiting:
        obj = waiting.pop()
        kind = type(obj)
        if kind in ATOMS or kind is str or id(obj) in found or id(obj) in closed or _is_shared(obj):
            continue
        found[id(obj)] = obj
        try:
            waiting.extend(parts(obj)[1])
        except Opaque:
            continue
    return found


def _is_shared(obj: Any) -> bool:
    """Whether it is a class or the variables of a module, which refer to everything."""
    return isinstance(obj, type) or (type(obj) is dict and "__builtins__" in obj)


type Contents = dict[int, tuple[Any, Content]]
"""By address, an object and its content."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A recorded state: the `contents` of all objects that differ from the store's first state."""

    store: SnapshotStore = field(repr=False)
    seq: int
    turn: Turn
    contents: Contents


class _Object(NamedTuple):
    """An object of the first state, its content there, and how it is compared, read and written."""

    address: int
    obj: Any
    is_unchanged: Callable[[Any, Content], bool]
    read: Callable[[Any], Content]
    write: Callable[[Any, Content], None]
    first: Content


def restore(game: Game, state: Snapshot, *, moved: bool = True, left_level: bool = True) -> None:
    """Puts the game back into the recorded state.

    `moved`: the game may have changed since a snapshot was last taken or restored. `left_level`: a turn may
    have changed objects outside of the level, so these are restored as well. Raises NotRestorable; the game
    cannot be used afterwards.
    """
    if state.store.game is not game:
        raise NotRestorable("the snapshot is of another game")
    state.store.restore(state, moved=moved, left_level=left_level)


class SnapshotStore:
    """Takes snapshots of one game, each as the difference to the state in which the store was made.

    `outside` numbers the objects that snapshots leave out, for `identify`.
    """

    def __init__(self, game: Game, *, whole_game: bool = False) -> None:
        """With `whole_game`, objects outside of the level are included. Raises NotRestorable."""
        self.game = game
        whole = identify(game)
        if whole.opaque:
            raise NotRestorable(f"cannot read {whole.opaque}")
        outside = [] if whole_game else outside_level(game, whole.objects)
        self.outside = {id(one): -3 - number for number, one in enumerate(outside)}
        inside = identify(game, self.outside).objects
        self._level = _restorable(inside)
        self._compared = (
            [one.is_unchanged for one in self._level],
            [one.obj for one in self._level],
            [one.first for one in self._level],
        )
        self._first = {one.address: one for one in self._level}
        self._present: Contents = {}
        known = {id(one) for one in inside}
        self._others = _restorable(one for one in whole.objects if id(one) not in known)
        self._known = {id(one): one for one in (*inside, *whole.objects)}

    def take(self) -> Snapshot:
        """Records the present state. Raises NotRestorable."""
        contents = {one.address: (one.obj, one.read(one.obj)) for one in self._changed()}
        self._add_new(contents)
        self._present = contents
        return Snapshot(self, self.game.seq, self.game.turn, contents)

    def restore(self, snapshot: Snapshot, *, moved: bool, left_level: bool) -> None:
        """See `engine.prove.state.restore`."""
        contents = snapshot.contents
        present = {one.address for one in self._changed()} if moved else self._present
        try:
            for address in {*present, *contents}:
                self._restore_object(address, contents)
            for other in self._others if left_level else ():
                if not other.is_unchanged(other.obj, other.first):
                    other.write(other.obj, other.first)
        except (TypeError, ValueError, AttributeError) as error:
            raise NotRestorable(str(error)) from error
        self._present = contents
        self.game.seq, self.game.turn = snapshot.seq, snapshot.turn

    def has_changed_outside(self) -> bool:
        """Whether an object outside of the level differs from the first state."""
        return not all(one.is_unchanged(one.obj, one.first) for one in self._others)

    def _restore_object(self, address: int, contents: Contents) -> None:
        first = self._first.get(address)
        if first is not None:
            first.write(first.obj, contents[address][1] if address in contents else first.first)
        elif address in contents:
            obj, content = contents[address]
            kind: Any = type(obj)
            accessor(kind).write(obj, content)

    def _changed(self) -> Iterator[_Object]:
        """The level's objects that differ from the first state."""
        return compress(self._level, map(operator.not_, map(operator.call, *self._compared)))

    def _add_new(self, contents: Contents) -> None:
        """Adds the objects that were made since the first state: only changed objects can refer to them."""
        waiting = [obj for obj, _ in contents.values()]
        visited: dict[int, Any] = {}  # holds the objects, so that no address is used again
        while waiting:
            for child in _children(waiting.pop()):
                kind: Any = type(child)
                if kind in ATOMS or kind is str or id(child) in self._known or id(child) in visited:
                    continue
                visited[id(child)] = child
                waiting.append(child)
                found = accessor(kind)
                if found is not UNCHANGING:
                    contents[id(child)] = child, found.read(child)


def _children(obj: Any) -> Iterable[Any]:
    try:
        return parts(obj)[1]
    except Opaque as problem:
        raise NotRestorable(f"{type(problem.args[0]).__name__} cannot be read") from problem


def _restorable(objects: Iterable[Any]) -> list[_Object]:
    """The objects whose content can change."""
    found = []
    for obj in objects:
        kind: Any = type(obj)
        known = accessor(kind)
        if known is not UNCHANGING:
            read, write = known
            is_unchanged = _COMPARISONS.get(read) or _comparison(read)
            found.append(_Object(id(obj), obj, is_unchanged, read, write, read(obj)))
    return found


def _comparison(read: Callable[[Any], Content]) -> Callable[[Any, Content], bool]:
    return lambda obj, content: is_same(read(obj), content)


def _is_same_list(obj: list[Any], content: Content) -> bool:
    return list.__len__(obj) == len(content) and all(map(operator.is_, list.__iter__(obj), content))


def _is_same_function(obj: Any, content: Content) -> bool:
    if obj.__dict__ or len(content) > 3:
        return is_same(read_function(obj), content)
    code, defaults, named = content
    return obj.__code__ is code and obj.__defaults__ is defaults and obj.__kwdefaults__ is named


_COMPARISONS: dict[Any, Callable[[Any, Content], bool]] = {
    read_list: _is_same_list,
    read_attributes: is_same_attributes,
    read_array: is_same_array,
    read_function: _is_same_function,
}
"""Faster comparisons for frequent types: they stop at the first difference."""
