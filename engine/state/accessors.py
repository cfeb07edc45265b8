"""How things of each kind are read and put back, instances of the environment's classes among them."""

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
from enum import Enum
from typing import Any

import numpy as np

from engine.state.builtin_parts import UNCHANGING as UNCHANGING_KINDS
from engine.state.code_parts import is_library
from engine.state.contents import (
    Held,
    Irreversible,
    Way,
    read_array,
    read_attributes,
    read_bits,
    read_bytearray,
    read_cell,
    read_class,
    read_default,
    read_deque,
    read_dict,
    read_finished,
    read_function,
    read_list,
    read_numbers,
    read_ordered,
    read_partial,
    read_random,
    read_random_state,
    read_set,
    write_array,
    write_attributes,
    write_bits,
    write_bytearray,
    write_cell,
    write_class,
    write_default,
    write_deque,
    write_dict,
    write_function,
    write_list,
    write_numbers,
    write_ordered,
    write_random,
    write_random_state,
    write_set,
)
from engine.state.object_parts import attributes, is_python, slots

_EMPTY = object()


def _refuse(thing: Any) -> Held:
    raise Irreversible(f"{type(thing).__name__} cannot be put back")


def _instance_way(kind: type) -> Way:
    """Of instances of a Python class: the attributes, the slots, and what the builtin base holds."""
    base = next((one for one in kind.__mro__ if one is not object and not is_python(one)), None)
    if base is not None and base not in _WAYS:
        return _REFUSED
    content = _WAYS.get(base) if base is not None else None
    named = slots(kind)
    has_attributes = bool(kind.__dictoffset__)
    if content is None and not named:
        return (read_attributes, write_attributes) if has_attributes else UNCHANGING

    def read(thing: Any) -> Held:
        own = read_attributes(thing) if has_attributes else ()
        filled = attributes(thing) if named else {}
        slotted = tuple(filled.get(name, _EMPTY) for name, _ in named)
        return (own, slotted, content[0](thing) if content else None)

    def write(thing: Any, held: Held) -> None:
        own, slotted, inside = held
        if has_attributes:
            write_attributes(thing, own)
        for (_, descriptor), value in zip(named, slotted, strict=True):
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


def _leave(thing: Any, held: Held) -> None:
    return None


UNCHANGING: Way = (lambda thing: (), _leave)
_REFUSED: Way = (_refuse, _leave)

_WAYS: dict[type, Way] = {
    list: (read_list, write_list),
    dict: (read_dict, write_dict),
    set: (read_set, write_set),
    collections.deque: (read_deque, write_deque),
    collections.defaultdict: (read_default, write_default),
    collections.OrderedDict: (read_ordered, write_ordered),
    np.ndarray: (read_array, write_array),
    types.CellType: (read_cell, write_cell),
    types.FunctionType: (read_function, write_function),
    types.GeneratorType: (read_finished, _leave),
    functools.partial: (read_partial, _leave),
    random.Random: (read_random, write_random),
    random._random.Random: (read_random, write_random),  # type: ignore[attr-defined]
    np.random.RandomState: (read_random_state, write_random_state),
    np.random.Generator: UNCHANGING,
    bytearray: (read_bytearray, write_bytearray),
    array.array: (read_numbers, write_numbers),
    **dict.fromkeys((tuple, frozenset, int, float, str, bytes, object, weakref.ref, slice), UNCHANGING),
    **dict.fromkeys((types.ModuleType, types.SimpleNamespace, property, staticmethod), UNCHANGING),
    **dict.fromkeys((classmethod, operator.itemgetter, operator.attrgetter, np.ufunc), UNCHANGING),
}
"""Kinds whose contents are walked as objects of their own (a module's dictionary) need nothing themselves."""

_FAMILIES: tuple[tuple[type, Way], ...] = (
    (type, (read_class, write_class)),
    (np.generic, UNCHANGING),
    (np.dtype, UNCHANGING),
    (np.random.BitGenerator, (read_bits, write_bits)),
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
    if issubclass(kind, Enum) and is_library(kind.__module__):
        return UNCHANGING
    if kind in UNCHANGING_KINDS:
        return UNCHANGING
    return _instance_way(kind) if is_python(kind) else _REFUSED
