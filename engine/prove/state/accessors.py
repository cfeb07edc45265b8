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

from engine.prove.state import contents
from engine.prove.state.builtin_parts import UNCHANGING as UNCHANGING_KINDS
from engine.prove.state.code_parts import is_library
from engine.prove.state.object_parts import attributes, is_python, slots

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
