"""How objects of each type are read and written, instances of the environment's classes among them."""

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

from engine.prove.state.builtin_parts import UNCHANGING as UNCHANGING_KINDS
from engine.prove.state.code_parts import is_library
from engine.prove.state.contents import (
    Accessor,
    Content,
    NotRestorable,
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
from engine.prove.state.object_parts import attributes, is_python, slots

_EMPTY = object()


def _refuse(obj: Any) -> Content:
    raise NotRestorable(f"{type(obj).__name__} cannot be restored")


def _instance_accessor(kind: type) -> Accessor:
    """Reads and writes attributes, slots and the content of the builtin base of a Python class."""
    base = next((one for one in kind.__mro__ if one is not object and not is_python(one)), None)
    if base is not None and base not in _ACCESSORS:
        return _REFUSED
    base_accessor = _ACCESSORS.get(base) if base is not None else None
    named = slots(kind)
    has_attributes = bool(kind.__dictoffset__)
    if base_accessor is None and not named:
        return Accessor(read_attributes, write_attributes) if has_attributes else UNCHANGING

    def read(obj: Any) -> Content:
        own = read_attributes(obj) if has_attributes else ()
        filled = attributes(obj) if named else {}
        slotted = tuple(filled.get(name, _EMPTY) for name, _ in named)
        return (own, slotted, base_accessor.read(obj) if base_accessor else None)

    def write(obj: Any, content: Content) -> None:
        own, slotted, of_base = content
        if has_attributes:
            write_attributes(obj, own)
        for (_, descriptor), value in zip(named, slotted, strict=True):
            if value is not _EMPTY:
                descriptor.__set__(obj, value)
            elif _has(descriptor, obj):
                descriptor.__delete__(obj)
        if base_accessor:
            base_accessor.write(obj, of_base)

    return Accessor(read, write)


def _has(descriptor: Any, obj: Any) -> bool:
    try:
        descriptor.__get__(obj, type(obj))
    except AttributeError:
        return False
    return True


def _write_nothing(obj: Any, content: Content) -> None:
    return None


UNCHANGING = Accessor(lambda obj: (), _write_nothing)
_REFUSED = Accessor(_refuse, _write_nothing)

_ACCESSORS: dict[type, Accessor] = {
    list: Accessor(read_list, write_list),
    dict: Accessor(read_dict, write_dict),
    set: Accessor(read_set, write_set),
    collections.deque: Accessor(read_deque, write_deque),
    collections.defaultdict: Accessor(read_default, write_default),
    collections.OrderedDict: Accessor(read_ordered, write_ordered),
    np.ndarray: Accessor(read_array, write_array),
    types.CellType: Accessor(read_cell, write_cell),
    types.FunctionType: Accessor(read_function, write_function),
    types.GeneratorType: Accessor(read_finished, _write_nothing),
    functools.partial: Accessor(read_partial, _write_nothing),
    random.Random: Accessor(read_random, write_random),
    random._random.Random: Accessor(read_random, write_random),  # type: ignore[attr-defined]
    np.random.RandomState: Accessor(read_random_state, write_random_state),
    np.random.Generator: UNCHANGING,
    bytearray: Accessor(read_bytearray, write_bytearray),
    array.array: Accessor(read_numbers, write_numbers),
    **dict.fromkeys((tuple, frozenset, int, float, str, bytes, object, weakref.ref, slice), UNCHANGING),
    **dict.fromkeys((types.ModuleType, types.SimpleNamespace, property, staticmethod), UNCHANGING),
    **dict.fromkeys((classmethod, operator.itemgetter, operator.attrgetter, np.ufunc), UNCHANGING),
}
"""UNCHANGING includes types whose content is restored as objects of their own: a module's dictionary."""

_BASE_CLASSES: tuple[tuple[type, Accessor], ...] = (
    (type, Accessor(read_class, write_class)),
    (np.generic, UNCHANGING),
    (np.dtype, UNCHANGING),
    (np.random.BitGenerator, Accessor(read_bits, write_bits)),
    (logging.Logger, UNCHANGING),
    (typing._Final, UNCHANGING),
    (BaseException, _REFUSED),
)


@functools.lru_cache(maxsize=4096)
def accessor(kind: Any) -> Accessor:
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
