"""Divides an object into its parts: a header of plain data, and the objects that it refers to, in order.

Nothing here runs the environment's code: no property, comparison or method of its classes is called. The walk
(`engine.prove.state.walk`) records headers and follows references. An object that cannot be read raises
Opaque.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable
from typing import Any

from engine.prove.state.builtin_parts import BASES, FAMILIES, KINDS, Opaque
from engine.prove.state.code_parts import Parts, class_parts

_HEAP, _IMMUTABLE = 1 << 9, 1 << 8  # Py_TPFLAGS_HEAPTYPE, Py_TPFLAGS_IMMUTABLETYPE


def parts(obj: Any) -> Parts:
    """The parts of an object that is neither an atom nor a string. Raises Opaque."""
    kind: Any = type(obj)
    return reader(kind)(obj)


@functools.lru_cache(maxsize=4096)
def reader(kind: Any) -> Callable[[Any], Parts]:
    """The function that reads objects of a type."""
    known = KINDS.get(kind)
    if known is not None:
        return known
    if issubclass(kind, type):
        return class_parts
    for base, family_reader in FAMILIES:
        if issubclass(kind, base):
            return family_reader
    bases: tuple[Any, ...] = kind.__mro__
    plain = not slots(kind) and all(base is object or is_python(base) for base in bases)
    return _plain if plain else instance


def _plain(obj: Any) -> Parts:
    """As `instance`, for an object that has only a __dict__."""
    try:
        values = object.__getattribute__(obj, "__dict__")
    except AttributeError:
        values = {}
    names = _sorted(obj, values)
    return ("instance", tuple(names)), [type(obj), *map(values.__getitem__, names)]


def instance(obj: Any, left_out: frozenset[str] = frozenset()) -> Parts:
    """The attributes of an instance of a Python class by sorted name, and the content of its builtin base."""
    kind = type(obj)
    content = base_content(obj)
    values = attributes(obj)
    names = tuple(name for name in _sorted(obj, values) if name not in left_out)
    header = ("instance", names, *(content[0] if content else ()))
    return header, [kind, *(values[name] for name in names), *(content[1] if content else ())]


def _sorted(obj: Any, values: dict[str, Any]) -> list[str]:
    try:
        return sorted(values)
    except TypeError:  # a __dict__ may have keys that are not strings
        raise Opaque(obj) from None


def attributes(obj: Any) -> dict[str, Any]:
    """All attributes of an instance, those in slots included."""
    kind: Any = type(obj)
    try:
        values = dict(object.__getattribute__(obj, "__dict__"))
    except AttributeError:
        values = {}
    for name, descriptor in slots(kind):
        try:
            values[name] = descriptor.__get__(obj, kind)
        except AttributeError:
            continue
    return values


@functools.lru_cache(maxsize=4096)
def slots(kind: Any) -> tuple[tuple[str, Any], ...]:
    """The slots of a Python class, inherited ones included."""
    return tuple(
        (name, descriptor)
        for base in kind.__mro__
        if is_python(base)
        for name, descriptor in vars(base).items()
        if type(descriptor) is types.MemberDescriptorType
    )


@functools.lru_cache(maxsize=4096)
def is_python(kind: Any) -> bool:
    """Whether a class was written in Python: then its instances have nothing but attributes."""
    if not kind.__flags__ & _HEAP or kind.__flags__ & _IMMUTABLE:
        return False
    module = sys.modules.get(kind.__module__)
    return module is None or str(getattr(module, "__file__", "") or "").endswith(".py")


def base_content(obj: Any) -> Parts | None:
    """The content of the builtin type that an instance's class derives from."""
    bases: tuple[Any, ...] = type(obj).__mro__
    for base in bases:
        if base is object or is_python(base):
            continue
        reader = BASES.get(base)
        if reader is None:
            raise Opaque(obj)
        return reader(obj)
    return None
