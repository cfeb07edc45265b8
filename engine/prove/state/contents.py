"""Reads the content of an object of each type, and writes it back into the same object.

The content of an object is a tuple of what it refers to; `is_same` compares two contents.
"""

from __future__ import annotations

import collections
import functools
import operator
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from engine.prove.state.builtin_parts import is_by_address
from engine.prove.state.code_parts import LIBRARY_DATA, class_data, is_class_data, is_library
from engine.prove.state.memos import is_memo

type Content = Any


class Accessor(NamedTuple):
    """Reads the content of an object, and writes it back."""

    read: Callable[[Any], Content]
    write: Callable[[Any, Content], None]


class NotRestorable(Exception):
    """A state, or an object in it, cannot be restored."""


def is_same(content: Content, other: Content) -> bool:
    """Whether two contents of one object refer to the same objects; bytes are compared by value."""
    if type(content) is not tuple:
        return _is_or_equals(content, other)
    if len(content) != len(other):
        return False
    return all(map(operator.is_, content, other)) or all(map(_is_or_equals, content, other))


def _is_or_equals(one: Any, other: Any) -> bool:
    return one is other or (type(one) is bytes and one == other)


def read_list(obj: list[Any]) -> Content:
    return tuple(list.__iter__(obj))


def read_dict(obj: dict[Any, Any]) -> Content:
    return (*dict.keys(obj), *dict.values(obj))


def write_dict(obj: dict[Any, Any], content: Content) -> None:
    if is_same(read_dict(obj), content):
        return
    dict.clear(obj)
    middle = len(content) // 2
    dict.update(obj, zip(content[:middle], content[middle:], strict=True))


def read_set(obj: set[Any]) -> Content:
    members = tuple(set.__iter__(obj))
    if is_by_address(obj):
        return (b"", *sorted(members, key=id))
    return (set.__sizeof__(obj).to_bytes(8), *members)


def write_set(obj: set[Any], content: Content) -> None:
    """Restores a set. Raises NotRestorable if its order, which depends on its history, then differs."""
    if is_same(read_set(obj), content):
        return
    set.clear(obj)
    set.update(obj, content[1:])
    if not is_same(read_set(obj), content):
        raise NotRestorable("the order of a set cannot be restored")


def read_deque(obj: collections.deque[Any]) -> Content:
    return tuple(collections.deque.__iter__(obj))


def write_deque(obj: collections.deque[Any], content: Content) -> None:
    collections.deque.clear(obj)
    collections.deque.extend(obj, content)


def read_default(obj: collections.defaultdict[Any, Any]) -> Content:
    return (obj.default_factory, *read_dict(obj))


def write_default(obj: collections.defaultdict[Any, Any], content: Content) -> None:
    obj.default_factory = content[0]
    write_dict(obj, content[1:])


def read_ordered(obj: collections.OrderedDict[Any, Any]) -> Content:
    items = list(collections.OrderedDict.items(obj))
    return (*(key for key, _ in items), *(value for _, value in items))


def write_ordered(obj: collections.OrderedDict[Any, Any], content: Content) -> None:
    collections.OrderedDict.clear(obj)
    middle = len(content) // 2
    collections.OrderedDict.update(obj, zip(content[:middle], content[middle:], strict=True))


def read_array(obj: np.ndarray[Any, Any]) -> Content:
    flags = bytes((obj.flags.writeable,))
    layout = _layout(obj.dtype, obj.shape, obj.strides)
    if obj.dtype.hasobject:
        return (flags, layout, *np.ndarray.ravel(obj).tolist())
    return flags, layout, np.ndarray.tobytes(obj)


@functools.lru_cache(maxsize=4096)
def _layout(*layout: Any) -> tuple[Any, ...]:
    """The same object for equal layouts, so that they can be compared by identity."""
    return layout


def is_same_array(obj: np.ndarray[Any, Any], content: Content) -> bool:
    """As `is_same` of the content, without reading more than needed."""
    flags, layout, *values = content
    return (
        obj.shape == layout[1]
        and obj.strides == layout[2]
        and obj.dtype is layout[0]
        and not obj.dtype.hasobject
        and obj.flags.writeable == flags[0]
        and np.ndarray.tobytes(obj) == values[0]
    ) or is_same(read_array(obj), content)


def write_array(obj: np.ndarray[Any, Any], content: Content) -> None:
    now = read_array(obj)
    if is_same(now, content):
        return
    if now[:2] != content[:2] or not obj.flags.writeable:
        raise NotRestorable("an array has changed its shape or its write protection")
    if obj.dtype.hasobject:
        values = np.empty(len(content) - 2, dtype=object)
        values[:] = content[2:]
    else:
        values = np.frombuffer(content[2], dtype=obj.dtype)
    np.copyto(obj, values.reshape(obj.shape))


def read_cell(obj: types.CellType) -> Content:
    try:
        return (obj.cell_contents,)
    except ValueError:
        return ()


def write_cell(obj: types.CellType, content: Content) -> None:
    if content:
        obj.cell_contents = content[0]
    elif read_cell(obj):
        del obj.cell_contents


def read_function(obj: types.FunctionType) -> Content:
    own = obj.__dict__
    return (obj.__code__, obj.__defaults__, obj.__kwdefaults__, *own.keys(), *own.values())


def write_function(obj: types.FunctionType, content: Content) -> None:
    if not is_same(read_function(obj), content):
        obj.__code__, obj.__defaults__, obj.__kwdefaults__ = content[:3]
        write_dict(obj.__dict__, content[3:])


def read_class(obj: type) -> Content:
    values = vars(obj)
    return (*values.keys(), *values.values())


def write_class(obj: type, content: Content) -> None:
    if is_library(obj.__module__) and obj.__module__ not in LIBRARY_DATA:
        return
    if is_same(read_class(obj), content):
        return
    now = class_data(obj)
    middle = len(content) // 2
    wanted = dict(zip(content[:middle], content[middle:], strict=True))
    for name in now.keys() - wanted.keys():
        type.__delattr__(obj, name)
    for name, value in wanted.items():
        if is_class_data(name, value) and (name not in now or now[name] is not value):
            type.__setattr__(obj, name, value)


def read_attributes(obj: Any) -> Content:
    own = object.__getattribute__(obj, "__dict__")
    return tuple(own), tuple(own.values())


def is_same_attributes(obj: Any, content: Content) -> bool:
    """As `is_same` of the content, without reading more than needed."""
    own = object.__getattribute__(obj, "__dict__")
    names, values = content
    return tuple(own) == names and all(map(operator.is_, own.values(), values))


def write_attributes(obj: Any, content: Content) -> None:
    if is_same_attributes(obj, content):
        return
    own = object.__getattribute__(obj, "__dict__")
    own.clear()
    own.update(zip(*content, strict=True))


def read_finished(obj: types.GeneratorType[Any, Any, Any]) -> Content:
    if obj.gi_frame is not None:
        raise NotRestorable("a suspended generator cannot be restored")
    return ()


def read_memo(obj: Any) -> Content:
    if not is_memo(obj):
        raise NotRestorable("what a cached function remembers could be changed, and cannot be restored")
    return ()


def read_partial(obj: Any) -> Content:
    if obj.__dict__:
        raise NotRestorable("a partial function with attributes cannot be restored")
    return ()
