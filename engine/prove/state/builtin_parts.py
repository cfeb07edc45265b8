"""The parts of objects of each builtin type. See `engine.prove.state.object_parts`."""

from __future__ import annotations

import array
import builtins
import collections
import datetime
import decimal
import functools
import gc
import itertools
import logging
import operator
import random
import re
import types
import typing
import warnings
import weakref
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from engine.prove.state.code_parts import (
    Parts,
    builtin_parts,
    cached_function_parts,
    cell_parts,
    code_digest,
    function_parts,
    generator_parts,
    is_library,
    method_parts,
    module_parts,
)

ATOMS: frozenset[type] = frozenset({int, bool, type(None), float, complex, bytes, type(Ellipsis)})
BUILTINS = vars(builtins)
_BY_ADDRESS: Any = object.__hash__


class Opaque(Exception):
    """An object cannot be read; `args[0]` is the object."""


def _dict(obj: dict[Any, Any]) -> Parts:
    return _items(list(dict.items(obj)))


def _ordered(obj: collections.OrderedDict[Any, Any]) -> Parts:
    """The items in the order of the OrderedDict, which is not that of the dict it derives from."""
    return _items(list(collections.OrderedDict.items(obj)))


def _items(items: list[tuple[Any, Any]]) -> Parts:
    if all(type(key) is str and len(key) != 36 for key, _ in items):
        return ("texts", tuple(key for key, _ in items)), [value for _, value in items]
    return ("dict", len(items)), list(itertools.chain.from_iterable(items))


def _set(obj: set[Any]) -> Parts:
    """The members in iteration order, which the environment can observe.

    The size of the table decides where members are placed later.
    """
    return ("set", len(obj), set.__sizeof__(obj)), list(set.__iter__(obj))


def is_by_address(obj: set[Any] | frozenset[Any]) -> bool:
    """Whether all members are hashed by their address: their order differs from game to game."""
    return len(obj) > 0 and all(type(one).__hash__ is _BY_ADDRESS for one in obj)


def _defaultdict(obj: collections.defaultdict[Any, Any]) -> Parts:
    header, items = _dict(obj)
    return ("default", *header), [obj.default_factory, *items]


def _array(obj: np.ndarray[Any, Any]) -> Parts:
    array = np.ndarray.view(obj, np.ndarray)
    strides = None if array.flags.c_contiguous else array.strides
    header = ("array", array.dtype.str, array.shape, strides, array.flags.writeable)
    if array.dtype.hasobject:
        return header, array.ravel().tolist()
    return (*header, array.tobytes()), ()


def _random(obj: random.Random) -> Parts:
    try:
        state = obj.getstate() if type(obj) is random.Random else random.Random.getstate(obj)
    except NotImplementedError:
        raise Opaque(obj) from None
    return ("random", state), ()


def _reduced(obj: Any) -> Parts:
    """A builtin iterator or the like, as it reduces itself for pickle."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            reduced = obj.__reduce__()
        except TypeError as error:
            raise Opaque(obj) from error
    if isinstance(reduced, str):
        return ("reduced", reduced), ()
    return ("reduced", type(obj).__name__, len(reduced)), list(reduced)


def _enum(obj: Enum) -> Parts:
    kind = type(obj)
    name: str = obj._name_
    if is_library(kind.__module__):
        return ("enum", kind.__module__, kind.__qualname__, name), ()
    values = {key: value for key, value in obj.__dict__.items() if key != "__objclass__"}
    return ("own enum", name, tuple(values)), [kind, *values.values()]


def _weakref(obj: weakref.ref[Any]) -> Parts:
    return ("weak",), [obj()]


def _named(obj: Any) -> Parts:
    """An object that never changes and is determined by its repr."""
    return ("named", type(obj).__name__, repr(obj)), ()


def _exception(obj: BaseException) -> Parts:
    return ("exception",), [obj.args, obj.__cause__, obj.__context__]


def _wrapped(obj: Any) -> Parts:
    return ("wrapped", type(obj).__name__), [obj.__func__]


_FIELD: Any = vars(collections.namedtuple("_", "field"))["field"]

_CONTAINERS: dict[type, Callable[[Any], Parts]] = {
    list: lambda obj: (("list", list.__len__(obj)), list(list.__iter__(obj))),
    tuple: lambda obj: (("tuple", tuple.__len__(obj)), list(tuple.__iter__(obj))),
    dict: _dict,
    set: _set,
    frozenset: lambda obj: (("frozenset", len(obj)), list(frozenset.__iter__(obj))),
    collections.deque: lambda obj: (("deque", len(obj), obj.maxlen), list(collections.deque.__iter__(obj))),
    collections.defaultdict: _defaultdict,
    collections.OrderedDict: _ordered,
    np.ndarray: _array,
}

KINDS: dict[type, Callable[[Any], Parts]] = {
    **_CONTAINERS,
    types.FunctionType: function_parts,
    types.CodeType: lambda obj: (("code", code_digest(obj)), ()),
    types.CellType: cell_parts,
    types.MethodType: method_parts,
    types.BuiltinFunctionType: builtin_parts,
    types.ModuleType: module_parts,
    types.GeneratorType: generator_parts,
    types.MappingProxyType: lambda obj: (("proxy",), gc.get_referents(obj)),
    types.SimpleNamespace: lambda obj: (("namespace",), [obj.__dict__]),
    property: lambda obj: (("property",), [obj.fget, obj.fset, obj.fdel]),
    staticmethod: _wrapped,
    classmethod: _wrapped,
    functools.partial: lambda obj: (
        ("partial",),
        [obj.func, obj.args, obj.keywords, obj.__dict__],
    ),
    functools._lru_cache_wrapper: cached_function_parts,
    random.Random: _random,
    np.random.Generator: lambda obj: (("numpy generator",), [obj.bit_generator]),
    np.random.RandomState: lambda obj: (("numpy random state",), [obj.get_state(legacy=False)]),
    weakref.ref: _weakref,
    bytearray: lambda obj: (("bytearray", bytes(obj)), ()),
    object: lambda obj: (("object",), ()),
    re.Pattern: lambda obj: (("pattern", obj.pattern, obj.flags), ()),
    array.array: lambda obj: (("numbers", obj.typecode, obj.tobytes()), ()),
    type(_FIELD): _reduced,
    **dict.fromkeys((datetime.datetime, datetime.date, datetime.time, datetime.timedelta), _named),
    decimal.Decimal: _named,
    slice: lambda obj: (("slice",), [obj.start, obj.stop, obj.step]),
    **dict.fromkeys((range, type(NotImplemented), types.GenericAlias, types.UnionType), _named),
    np.ufunc: _named,
    **dict.fromkeys((typing.TypeVar, typing.TypeAliasType, typing.ParamSpec), _named),
    **dict.fromkeys(
        (
            types.GetSetDescriptorType,
            types.MemberDescriptorType,
            types.WrapperDescriptorType,
            types.MethodDescriptorType,
            types.ClassMethodDescriptorType,
            types.MethodWrapperType,
        ),
        lambda obj: (("descriptor", obj.__qualname__), ()),
    ),
    **dict.fromkeys(
        map(type, (iter([]), iter(()), iter(""), iter(b""), iter(range(0)), iter({}), iter(set()))), _reduced
    ),
    **dict.fromkeys(
        map(type, (iter({}.values()), iter({}.items()), reversed([]), iter(range(2**70)))), _reduced
    ),
    **dict.fromkeys((zip, map, filter, enumerate, reversed), _reduced),
    **dict.fromkeys((operator.itemgetter, operator.attrgetter, operator.methodcaller), _reduced),
    **dict.fromkeys(
        (itertools.count, itertools.cycle, itertools.chain, itertools.repeat, itertools.product), _reduced
    ),
    **dict.fromkeys(
        map(type, ({}.keys(), {}.values(), {}.items())), lambda obj: (("view",), gc.get_referents(obj))
    ),
}
"""The function that reads each builtin type."""

FAMILIES: tuple[tuple[type, Callable[[Any], Parts]], ...] = (
    (Enum, _enum),
    (np.generic, lambda obj: (("scalar", obj.dtype.str, obj.tobytes()), ())),
    (logging.Logger, lambda obj: (("logger", obj.name), ())),
    (np.dtype, _named),
    (np.random.BitGenerator, lambda obj: (("bits", type(obj).__name__), [obj.state])),
    (typing._Final, _named),  # aliases and special forms of typing
)

BASES: dict[type, Callable[[Any], Parts]] = {
    **_CONTAINERS,
    random._random.Random: _random,  # type: ignore[attr-defined]
    types.SimpleNamespace: lambda obj: ((), ()),
    int: lambda obj: ((int.__int__(obj),), ()),
    float: lambda obj: ((float.__float__(obj),), ()),
    str: lambda obj: ((str.__str__(obj),), ()),
    bytes: lambda obj: ((bytes.__getitem__(obj, slice(None)),), ()),
    BaseException: _exception,
    **{
        kind: _exception
        for kind in BUILTINS.values()
        if isinstance(kind, type) and issubclass(kind, BaseException)
    },
    weakref.ref: _weakref,
}
"""The builtin types that a class of the environment may derive from."""

UNCHANGING = frozenset(
    kind for kind, known in KINDS.items() if known is _named or kind.__name__.endswith("_descriptor")
) | {re.Pattern, types.CodeType, type(_FIELD)}
"""Types that never change and refer to nothing that could."""
