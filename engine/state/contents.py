"""What each kind of object holds, and how it is put back into that very object.

What an object holds is read as a tuple of what it refers to: `is_same` compares two readings.
"""

from __future__ import annotations

import array
import collections
import functools
import operator
import random
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.state.builtin_parts import is_by_address
from engine.state.code_parts import LIBRARY_DATA, class_data, is_class_data, is_library

type Held = Any
type Way = tuple[Callable[[Any], Held], Callable[[Any, Held], None]]
"""Reads what an object holds; puts it back."""


class Irreversible(Exception):
    """A state, or an object in it, that cannot be put back."""


def is_same(held: Held, other: Held) -> bool:
    """Whether two readings of one object are the same; what is in them is compared by what it is."""
    if type(held) is not tuple:
        return _is_or_equals(held, other)
    if len(held) != len(other):
        return False
    return all(map(operator.is_, held, other)) or all(map(_is_or_equals, held, other))


def _is_or_equals(one: Any, other: Any) -> bool:
    return one is other or (type(one) is bytes and one == other)


def read_list(thing: list[Any]) -> Held:
    return tuple(list.__iter__(thing))


def write_list(thing: list[Any], held: Held) -> None:
    list.__setitem__(thing, slice(None), held)


def read_dict(thing: dict[Any, Any]) -> Held:
    return (*dict.keys(thing), *dict.values(thing))


def write_dict(thing: dict[Any, Any], held: Held) -> None:
    if is_same(read_dict(thing), held):
        return
    dict.clear(thing)
    middle = len(held) // 2
    dict.update(thing, zip(held[:middle], held[middle:], strict=True))


def read_set(thing: set[Any]) -> Held:
    members = tuple(set.__iter__(thing))
    if is_by_address(thing):
        return (b"", *sorted(members, key=id))
    return (set.__sizeof__(thing).to_bytes(8), *members)


def write_set(thing: set[Any], held: Held) -> None:
    """Only if it has changed, and only if it then has its order again: that depends on its history."""
    if is_same(read_set(thing), held):
        return
    set.clear(thing)
    set.update(thing, held[1:])
    if not is_same(read_set(thing), held):
        raise Irreversible("a set does not come back in its order")


def read_deque(thing: collections.deque[Any]) -> Held:
    return tuple(collections.deque.__iter__(thing))


def write_deque(thing: collections.deque[Any], held: Held) -> None:
    collections.deque.clear(thing)
    collections.deque.extend(thing, held)


def read_default(thing: collections.defaultdict[Any, Any]) -> Held:
    return (thing.default_factory, *read_dict(thing))


def write_default(thing: collections.defaultdict[Any, Any], held: Held) -> None:
    thing.default_factory = held[0]
    write_dict(thing, held[1:])


def read_ordered(thing: collections.OrderedDict[Any, Any]) -> Held:
    items = list(collections.OrderedDict.items(thing))
    return (*(key for key, _ in items), *(value for _, value in items))


def write_ordered(thing: collections.OrderedDict[Any, Any], held: Held) -> None:
    collections.OrderedDict.clear(thing)
    middle = len(held) // 2
    collections.OrderedDict.update(thing, zip(held[:middle], held[middle:], strict=True))


def read_array(thing: np.ndarray[Any, Any]) -> Held:
    flags = bytes((thing.flags.writeable,))
    layout = _layout(thing.dtype, thing.shape, thing.strides)
    if thing.dtype.hasobject:
        return (flags, layout, *np.ndarray.ravel(thing).tolist())
    return flags, layout, np.ndarray.tobytes(thing)


@functools.lru_cache(maxsize=4096)
def _layout(*layout: Any) -> tuple[Any, ...]:
    """Equal layouts are one object, so that they are compared by what they are."""
    return layout


def is_same_array(thing: np.ndarray[Any, Any], held: Held) -> bool:
    """As `is_same` of what is read, without reading more than needed."""
    flags, layout, *content = held
    return (
        thing.shape == layout[1]
        and thing.strides == layout[2]
        and thing.dtype is layout[0]
        and not thing.dtype.hasobject
        and thing.flags.writeable == flags[0]
        and np.ndarray.tobytes(thing) == content[0]
    ) or is_same(read_array(thing), held)


def write_array(thing: np.ndarray[Any, Any], held: Held) -> None:
    now = read_array(thing)
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


def read_cell(thing: types.CellType) -> Held:
    try:
        return (thing.cell_contents,)
    except ValueError:
        return ()


def write_cell(thing: types.CellType, held: Held) -> None:
    if held:
        thing.cell_contents = held[0]
    elif read_cell(thing):
        del thing.cell_contents


def read_function(thing: types.FunctionType) -> Held:
    own = thing.__dict__
    return (thing.__code__, thing.__defaults__, thing.__kwdefaults__, *own.keys(), *own.values())


def write_function(thing: types.FunctionType, held: Held) -> None:
    if not is_same(read_function(thing), held):
        thing.__code__, thing.__defaults__, thing.__kwdefaults__ = held[:3]
        write_dict(thing.__dict__, held[3:])


def read_class(thing: type) -> Held:
    values = vars(thing)
    return (*values.keys(), *values.values())


def write_class(thing: type, held: Held) -> None:
    if is_library(thing.__module__) and thing.__module__ not in LIBRARY_DATA:
        return
    if is_same(read_class(thing), held):
        return
    now = class_data(thing)
    middle = len(held) // 2
    wanted = dict(zip(held[:middle], held[middle:], strict=True))
    for name in now.keys() - wanted.keys():
        type.__delattr__(thing, name)
    for name, value in wanted.items():
        if is_class_data(name, value) and (name not in now or now[name] is not value):
            type.__setattr__(thing, name, value)


def read_random(thing: random.Random) -> Held:
    return random.Random.getstate(thing)


def write_random(thing: random.Random, held: Held) -> None:
    random.Random.setstate(thing, held)


def read_bits(thing: Any) -> Held:
    return (repr(thing.state).encode(), thing.state)


def write_bits(thing: Any, held: Held) -> None:
    thing.state = held[1]


def read_random_state(thing: np.random.RandomState) -> Held:
    return (thing.get_state(legacy=False),)


def write_random_state(thing: np.random.RandomState, held: Held) -> None:
    thing.set_state(held[0])


def read_bytearray(thing: bytearray) -> Held:
    return (bytes(thing),)


def write_bytearray(thing: bytearray, held: Held) -> None:
    thing[:] = held[0]


def read_attributes(thing: Any) -> Held:
    own = object.__getattribute__(thing, "__dict__")
    return tuple(own), tuple(own.values())


def is_same_attributes(thing: Any, held: Held) -> bool:
    """As `is_same` of what is read, without reading more than needed."""
    own = object.__getattribute__(thing, "__dict__")
    names, values = held
    return tuple(own) == names and all(map(operator.is_, own.values(), values))


def write_attributes(thing: Any, held: Held) -> None:
    if is_same_attributes(thing, held):
        return
    own = object.__getattribute__(thing, "__dict__")
    own.clear()
    own.update(zip(*held, strict=True))


def read_finished(thing: types.GeneratorType[Any, Any, Any]) -> Held:
    if thing.gi_frame is not None:
        raise Irreversible("a suspended generator cannot be put back")
    return ()


def read_partial(thing: Any) -> Held:
    if thing.__dict__:
        raise Irreversible("a partial function with attributes cannot be put back")
    return ()


def read_numbers(thing: array.array[Any]) -> Held:
    return (array.array.tobytes(thing),)


def write_numbers(thing: array.array[Any], held: Held) -> None:
    thing[:] = array.array(thing.typecode, held[0])
