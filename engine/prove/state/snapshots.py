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

import array
import collections
import functools
import logging
import operator
import random
import types
import typing
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from arcengine import Level, Sprite

from engine.play.game import Game
from engine.play.turns import Turn
from engine.prove.state import contents
from engine.prove.state.builtin_parts import ATOMS, Opaque
from engine.prove.state.builtin_parts import UNCHANGING as UNCHANGING_KINDS
from engine.prove.state.code_parts import is_library
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
from engine.prove.state.object_parts import attributes, is_python, parts, slots

_EMPTY = object()


def _refuse(obj: Any) -> contents.Content:
    raise contents.NotRestorable(f"{type(obj).__name__} cannot be restored")


def _instance_accessor(kind: type) -> contents.Accessor:
    """Reads and writes attributes, slots and the content of the builtin base of a Python class."""
    base = next((one for one in kind.__mro__ if one is not object and not is_python(one)), None)
    if base is not None and base not in _ACCESSORS:
        return _REFUSED
    base_accessor = _ACCESSORS.get(base) if base is not None else None
    named = slots(kind)
    has_attributes = bool(kind.__dictoffset__)
    if base_accessor is None and not named:
        plain = contents.Accessor(contents.read_attributes, contents.write_attributes)
        return plain if has_attributes else UNCHANGING

    def read(obj: Any) -> contents.Content:
        own = contents.read_attributes(obj) if has_attributes else ()
        filled = attributes(obj) if named else {}
        slotted = tuple(filled.get(name, _EMPTY) for name, _ in named)
        return (own, slotted, base_accessor.read(obj) if base_accessor else None)

    def write(obj: Any, content: contents.Content) -> None:
        own, slotted, of_base = content
        if has_attributes:
            contents.write_attributes(obj, own)
        for (_, descriptor), value in zip(named, slotted, strict=True):
            if value is not _EMPTY:
                descriptor.__set__(obj, value)
            elif _has(descriptor, obj):
                descriptor.__delete__(obj)
        if base_accessor:
            base_accessor.write(obj, of_base)

    return contents.Accessor(read, write)


def _has(descriptor: Any, obj: Any) -> bool:
    try:
        descriptor.__get__(obj, type(obj))
    except AttributeError:
        return False
    return True


def _write_nothing(obj: Any, content: contents.Content) -> None:
    return None


def _write_whole(obj: Any, content: contents.Content) -> None:
    obj[:] = content[0]


UNCHANGING = contents.Accessor(lambda obj: (), _write_nothing)
_REFUSED = contents.Accessor(_refuse, _write_nothing)
_GENERATOR = contents.Accessor(random.Random.getstate, random.Random.setstate)

_ACCESSORS: dict[type, contents.Accessor] = {
    list: contents.Accessor(contents.read_list, lambda obj, old: list.__setitem__(obj, slice(None), old)),
    dict: contents.Accessor(contents.read_dict, contents.write_dict),
    set: contents.Accessor(contents.read_set, contents.write_set),
    collections.deque: contents.Accessor(contents.read_deque, contents.write_deque),
    collections.defaultdict: contents.Accessor(contents.read_default, contents.write_default),
    collections.OrderedDict: contents.Accessor(contents.read_ordered, contents.write_ordered),
    np.ndarray: contents.Accessor(contents.read_array, contents.write_array),
    types.CellType: contents.Accessor(contents.read_cell, contents.write_cell),
    types.FunctionType: contents.Accessor(contents.read_function, contents.write_function),
    types.GeneratorType: contents.Accessor(contents.read_finished, _write_nothing),
    functools._lru_cache_wrapper: contents.Accessor(contents.read_memo, _write_nothing),
    functools.partial: contents.Accessor(contents.read_partial, _write_nothing),
    random.Random: _GENERATOR,
    random._random.Random: _GENERATOR,  # type: ignore[attr-defined]
    np.random.RandomState: contents.Accessor(
        lambda obj: (obj.get_state(legacy=False),), lambda obj, old: obj.set_state(old[0])
    ),
    np.random.Generator: UNCHANGING,
    bytearray: contents.Accessor(lambda obj: (bytes(obj),), _write_whole),
    array.array: contents.Accessor(
        lambda obj: (array.array.tobytes(obj),),
        lambda obj, old: _write_whole(obj, (array.array(obj.typecode, old[0]),)),
    ),
    **dict.fromkeys((tuple, frozenset, int, float, str, bytes, object, weakref.ref, slice), UNCHANGING),
    **dict.fromkeys((types.ModuleType, types.SimpleNamespace, property, staticmethod), UNCHANGING),
    **dict.fromkeys((classmethod, operator.itemgetter, operator.attrgetter, np.ufunc), UNCHANGING),
}
"""UNCHANGING includes types whose content is restored as objects of their own: a module's dictionary."""

_BASE_CLASSES: tuple[tuple[type, contents.Accessor], ...] = (
    (type, contents.Accessor(contents.read_class, contents.write_class)),
    (np.generic, UNCHANGING),
    (np.dtype, UNCHANGING),
    (
        np.random.BitGenerator,
        contents.Accessor(
            lambda obj: (repr(obj.state).encode(), obj.state),
            lambda obj, old: setattr(obj, "state", old[1]),
        ),
    ),
    (logging.Logger, UNCHANGING),
    (typing._Final, UNCHANGING),
    (BaseException, _REFUSED),
)


@functools.lru_cache(maxsize=4096)
def accessor(kind: Any) -> contents.Accessor:
    """How objects of a type are read and written; reading raises NotRestorable where that is impossible."""
    if kind in _ACCESSORS:
        return _ACCESSORS[kind]
    for base, family in _BASE_CLASSES:
        if issubclass(kind, base):
            return family
    if issubclass(kind, Enum) and is_library(kind.__module__):
        return UNCHANGING
    if kind in UNCHANGING_KINDS:
        return UNCHANGING
    return _instance_accessor(kind) if is_python(kind) else _REFUSED


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
