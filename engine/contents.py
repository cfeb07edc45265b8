"""What each kind of object holds, and how it is put back into that very object.

What an object holds is read as a tuple of what it refers to: `is_same` compares two readings.
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
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from engine import parts as of

type Held = Any
type Way = tuple[Callable[[Any], Held], Callable[[Any, Held], None]]
"""Reads what an object holds; puts it back."""

_EMPTY = object()


class Irreversible(Exception):
    """A state, or an object in it, that cannot be put back."""


def is_same(held: Held, other: Held) -> bool:
    """Whether two readings of one object are the same; what is in them is compared by what it is."""
    if type(held) is tuple:
        return len(held) == len(other) and all(map(_is_or_equals, held, other))
    return _is_or_equals(held, other)


def _is_or_equals(one: Any, other: Any) -> bool:
    return one is other or (type(one) is bytes and one == other)


def _refuse(thing: Any) -> Held:
    raise Irreversible(f"{type(thing).__name__} cannot be put back")


def _read_list(thing: list[Any]) -> Held:
    return tuple(list.__iter__(thing))


def _write_list(thing: list[Any], held: Held) -> None:
    list.__setitem__(thing, slice(None), held)


def _read_dict(thing: dict[Any, Any]) -> Held:
    return (*dict.keys(thing), *dict.values(thing))


def _write_dict(thing: dict[Any, Any], held: Held) -> None:
    if is_same(_read_dict(thing), held):
        return
    dict.clear(thing)
    middle = len(held) // 2
    dict.update(thing, zip(held[:middle], held[middle:], strict=True))


def _read_set(thing: set[Any]) -> Held:
    return tuple(set.__iter__(thing))


def _write_set(thing: set[Any], held: Held) -> None:
    """Only if it has changed, and only if it then has its order again: that depends on its history."""
    if is_same(_read_set(thing), held):
        return
    set.clear(thing)
    set.update(thing, held)
    if not is_same(_read_set(thing), held):
        raise Irreversible("a set does not come back in its order")


def _read_deque(thing: collections.deque[Any]) -> Held:
    return tuple(collections.deque.__iter__(thing))


def _write_deque(thing: collections.deque[Any], held: Held) -> None:
    collections.deque.clear(thing)
    collections.deque.extend(thing, held)


def _read_default(thing: collections.defaultdict[Any, Any]) -> Held:
    return (thing.default_factory, *_read_dict(thing))


def _write_default(thing: collections.defaultdict[Any, Any], held: Held) -> None:
    thing.default_factory = held[0]
    _write_dict(thing, held[1:])


def _read_ordered(thing: collections.OrderedDict[Any, Any]) -> Held:
    items = list(thing.items())
    return (*(key for key, _ in items), *(value for _, value in items))


def _write_ordered(thing: collections.OrderedDict[Any, Any], held: Held) -> None:
    collections.OrderedDict.clear(thing)
    middle = len(held) // 2
    collections.OrderedDict.update(thing, zip(held[:middle], held[middle:], strict=True))


def _read_array(thing: np.ndarray[Any, Any]) -> Held:
    flags = bytes((thing.flags.writeable,))
    layout = repr((thing.dtype.str, thing.shape, thing.strides)).encode()
    if thing.dtype.hasobject:
        return (flags, layout, *np.ndarray.ravel(thing).tolist())
    return flags, layout, np.ndarray.tobytes(thing)


def _write_array(thing: np.ndarray[Any, Any], held: Held) -> None:
    now = _read_array(thing)
    if is_same(now, held):
        return
    if now[:2] != held[:2] or not thing.flags.writeable:
        raise Irreversible("an array has changed its shape or its protection")
    if thing.dtype.hasobject:
        values = np.empty(len(held) - 2, dtype=object)
        values[:] = held[2:]
    else:
        values = np.frombuffer(held[2], dtype=thing.dtype)
    np.copyto(thing, values.reshape(thing.shape))


def _read_cell(thing: types.CellType) -> Held:
    try:
        return (thing.cell_contents,)
    except ValueError:
        return ()


def _write_cell(thing: types.CellType, held: Held) -> None:
    if held:
        thing.cell_contents = held[0]
    elif _read_cell(thing):
        del thing.cell_contents


def _read_function(thing: types.FunctionType) -> Held:
    own = thing.__dict__
    return (thing.__code__, thing.__defaults__, thing.__kwdefaults__, *own.keys(), *own.values())


def _write_function(thing: types.FunctionType, held: Held) -> None:
    if not is_same(_read_function(thing), held):
        thing.__code__, thing.__defaults__, thing.__kwdefaults__ = held[:3]
        _write_dict(thing.__dict__, held[3:])


def _read_class(thing: type) -> Held:
    values = of.class_data(thing)
    return (*values.keys(), *values.values())


def _write_class(thing: type, held: Held) -> None:
    if of.is_library(thing.__module__) and thing.__module__ not in of.LIBRARY_DATA:
        return
    now = of.class_data(thing)
    middle = len(held) // 2
    wanted = dict(zip(held[:middle], held[middle:], strict=True))
    for name in now.keys() - wanted.keys():
        type.__delattr__(thing, name)
    for name, value in wanted.items():
        if name not in now or now[name] is not value:
            type.__setattr__(thing, name, value)


def _read_random(thing: random.Random) -> Held:
    return random.Random.getstate(thing)


def _write_random(thing: random.Random, held: Held) -> None:
    random.Random.setstate(thing, held)


def _read_bits(thing: Any) -> Held:
    return (repr(thing.state).encode(), thing.state)


def _write_bits(thing: Any, held: Held) -> None:
    thing.state = held[1]


def _read_random_state(thing: np.random.RandomState) -> Held:
    return (thing.get_state(legacy=False),)


def _write_random_state(thing: np.random.RandomState, held: Held) -> None:
    thing.set_state(held[0])


def _read_bytearray(thing: bytearray) -> Held:
    return (bytes(thing),)


def _write_bytearray(thing: bytearray, held: Held) -> None:
    thing[:] = held[0]


def _instance_way(kind: type) -> Way:
    """Of instances of a Python class: the attributes, the slots, and what the builtin base holds."""
    base = next((one for one in kind.__mro__ if one is not object and not of.is_python(one)), None)
    if base is not None and base not in _WAYS:
        return _REFUSED
    content = _WAYS.get(base) if base is not None else None
    slots = of.slots(kind)
    has_attributes = bool(kind.__dictoffset__)
    if content is None and not slots:
        return (_read_attributes, _write_attributes) if has_attributes else UNCHANGING

    def read(thing: Any) -> Held:
        own = _read_attributes(thing) if has_attributes else ()
        filled = of.attributes(thing) if slots else {}
        slotted = tuple(filled.get(name, _EMPTY) for name, _ in slots)
        return (own, slotted, content[0](thing) if content else None)

    def write(thing: Any, held: Held) -> None:
        own, slotted, inside = held
        if has_attributes:
            _write_attributes(thing, own)
        for (_, descriptor), value in zip(slots, slotted, strict=True):
            if value is not _EMPTY:
                descriptor.__set__(thing, value)
            elif _has(descriptor, thing):
                descriptor.__delete__(thing)
        if content:
            content[1](thing, inside)

    return read, write


def _has(descriptor: Any, thing: Any) -> bool:
    try:
        descriptor.__get__(thing, type(thing))
    except AttributeError:
        return False
    return True


def _read_attributes(thing: Any) -> Held:
    own = object.__getattribute__(thing, "__dict__")
    return (*own.keys(), *own.values())


def _write_attributes(thing: Any, held: Held) -> None:
    own = object.__getattribute__(thing, "__dict__")
    middle = len(held) // 2
    if is_same(_read_attributes(thing), held):
        return
    own.clear()
    own.update(zip(held[:middle], held[middle:], strict=True))


def _read_finished(thing: types.GeneratorType[Any, Any, Any]) -> Held:
    if thing.gi_frame is not None:
        raise Irreversible("a suspended generator cannot be put back")
    return ()


def _read_partial(thing: Any) -> Held:
    if thing.__dict__:
        raise Irreversible("a partial function with attributes cannot be put back")
    return ()


def _read_numbers(thing: array.array[Any]) -> Held:
    return (array.array.tobytes(thing),)


def _write_numbers(thing: array.array[Any], held: Held) -> None:
    thing[:] = array.array(thing.typecode, held[0])


def _leave(thing: Any, held: Held) -> None:
    return None


UNCHANGING: Way = (lambda thing: (), _leave)
_REFUSED: Way = (_refuse, _leave)

_WAYS: dict[type, Way] = {
    list: (_read_list, _write_list),
    dict: (_read_dict, _write_dict),
    set: (_read_set, _write_set),
    collections.deque: (_read_deque, _write_deque),
    collections.defaultdict: (_read_default, _write_default),
    collections.OrderedDict: (_read_ordered, _write_ordered),
    np.ndarray: (_read_array, _write_array),
    types.CellType: (_read_cell, _write_cell),
    types.FunctionType: (_read_function, _write_function),
    types.GeneratorType: (_read_finished, _leave),
    functools.partial: (_read_partial, _leave),
    random.Random: (_read_random, _write_random),
    random._random.Random: (_read_random, _write_random),  # type: ignore[attr-defined]
    np.random.RandomState: (_read_random_state, _write_random_state),
    np.random.Generator: UNCHANGING,
    bytearray: (_read_bytearray, _write_bytearray),
    array.array: (_read_numbers, _write_numbers),
    **dict.fromkeys((tuple, frozenset, int, float, str, bytes, object, weakref.ref, slice), UNCHANGING),
    **dict.fromkeys((types.ModuleType, types.SimpleNamespace, property, staticmethod), UNCHANGING),
    **dict.fromkeys((classmethod, operator.itemgetter, operator.attrgetter, np.ufunc), UNCHANGING),
}
"""Kinds whose contents are walked as objects of their own (a module's dictionary) need nothing themselves."""

_FAMILIES: tuple[tuple[type, Way], ...] = (
    (type, (_read_class, _write_class)),
    (np.generic, UNCHANGING),
    (np.dtype, UNCHANGING),
    (np.random.BitGenerator, (_read_bits, _write_bits)),
    (logging.Logger, UNCHANGING),
    (typing._Final, UNCHANGING),
    (BaseException, _REFUSED),
)


@functools.lru_cache(maxsize=4096)
def way(kind: Any) -> Way:
    """How things of a kind are read and put back; reading raises Irreversible where that cannot be."""
    if kind in _WAYS:
        return _WAYS[kind]
    for base, family in _FAMILIES:
        if issubclass(kind, base):
            return family
    if issubclass(kind, Enum) and of.is_library(kind.__module__):
        return UNCHANGING
    if kind in of.UNCHANGING:
        return UNCHANGING
    return _instance_way(kind) if of.is_python(kind) else _REFUSED
