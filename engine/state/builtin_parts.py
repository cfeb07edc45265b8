"""How each builtin kind of object is read. See `engine.state.object_parts`."""

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

from engine.state.code_parts import (
    Parts,
    builtin_parts,
    cell_parts,
    code_digest,
    function_parts,
    generator_parts,
    is_library,
    method_parts,
    module_parts,
    remembering_parts,
)

ATOMS: frozenset[type] = frozenset({int, bool, type(None), float, complex, bytes, type(Ellipsis)})
BUILTINS = vars(builtins)
_BY_ADDRESS: Any = object.__hash__


class Opaque(Exception):
    """An object whose state cannot be seen; `args[0]` is the object."""


def _list(thing: list[Any]) -> Parts:
    return ("list", list.__len__(thing)), list(list.__iter__(thing))


def _tuple(thing: tuple[Any, ...]) -> Parts:
    return ("tuple", tuple.__len__(thing)), list(tuple.__iter__(thing))


def _dict(thing: dict[Any, Any]) -> Parts:
    return _items(list(dict.items(thing)))


def _ordered(thing: collections.OrderedDict[Any, Any]) -> Parts:
    """In its own order, which is not that of the dict it derives from."""
    return _items(list(collections.OrderedDict.items(thing)))


def _items(items: list[tuple[Any, Any]]) -> Parts:
    if all(type(key) is str and len(key) != 36 for key, _ in items):
        return ("texts", tuple(key for key, _ in items)), [value for _, value in items]
    return ("dict", len(items)), list(itertools.chain.from_iterable(items))


def _set(thing: set[Any]) -> Parts:
    """In iteration order, which an environment that goes through it sees, and with the size of its table,
    on which the places of what is added later depend."""
    return ("set", len(thing), set.__sizeof__(thing)), list(set.__iter__(thing))


def is_by_address(thing: set[Any] | frozenset[Any]) -> bool:
    """Whether all members have no hash but their address: their order is another in every game."""
    return len(thing) > 0 and all(type(one).__hash__ is _BY_ADDRESS for one in thing)


def _frozenset(thing: frozenset[Any]) -> Parts:
    return ("frozenset", len(thing)), list(frozenset.__iter__(thing))


def _deque(thing: collections.deque[Any]) -> Parts:
    return ("deque", len(thing), thing.maxlen), list(collections.deque.__iter__(thing))


def _defaultdict(thing: collections.defaultdict[Any, Any]) -> Parts:
    header, items = _dict(thing)
    return ("default", *header), [thing.default_factory, *items]


def _array(thing: np.ndarray[Any, Any]) -> Parts:
    array = np.ndarray.view(thing, np.ndarray)
    strides = None if array.flags.c_contiguous else array.strides
    header = ("array", array.dtype.str, array.shape, strides, array.flags.writeable)
    if array.dtype.hasobject:
        return header, array.ravel().tolist()
    return (*header, array.tobytes()), ()


def _random(thing: random.Random) -> Parts:
    try:
        state = thing.getstate() if type(thing) is random.Random else random.Random.getstate(thing)
    except NotImplementedError:
        raise Opaque(thing) from None
    return ("random", state), ()


def _bits(thing: Any) -> Parts:
    return ("bits", type(thing).__name__), [thing.state]


def _generator_of_bits(thing: np.random.Generator) -> Parts:
    return ("numpy generator",), [thing.bit_generator]


def _random_state(thing: np.random.RandomState) -> Parts:
    return ("numpy random state",), [thing.get_state(legacy=False)]


def _reduced(thing: Any) -> Parts:
    """A builtin iterator or the like, by what pickle would be told."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            reduced = thing.__reduce__()
        except TypeError as error:
            raise Opaque(thing) from error
    if isinstance(reduced, str):
        return ("reduced", reduced), ()
    return ("reduced", type(thing).__name__, len(reduced)), list(reduced)


def _enum(thing: Enum) -> Parts:
    kind = type(thing)
    name: str = thing._name_
    if is_library(kind.__module__):
        return ("enum", kind.__module__, kind.__qualname__, name), ()
    values = {key: value for key, value in thing.__dict__.items() if key != "__objclass__"}
    return ("own enum", name, tuple(values)), [kind, *values.values()]


def _proxy(thing: types.MappingProxyType[Any, Any]) -> Parts:
    return ("proxy",), gc.get_referents(thing)


def _view(thing: Any) -> Parts:
    return ("view",), gc.get_referents(thing)


def _weakref(thing: weakref.ref[Any]) -> Parts:
    return ("weak",), [thing()]


def _named(thing: Any) -> Parts:
    """Something that never changes and says all of itself."""
    return ("named", type(thing).__name__, repr(thing)), ()


def _scalar(thing: np.generic) -> Parts:
    return ("scalar", thing.dtype.str, thing.tobytes()), ()


def _exception(thing: BaseException) -> Parts:
    return ("exception",), [thing.args, thing.__cause__, thing.__context__]


def _wrapped(thing: Any) -> Parts:
    return ("wrapped", type(thing).__name__), [thing.__func__]


_FIELD: Any = vars(collections.namedtuple("_", "field"))["field"]

_CONTAINERS: dict[type, Callable[[Any], Parts]] = {
    list: _list,
    tuple: _tuple,
    dict: _dict,
    set: _set,
    frozenset: _frozenset,
    collections.deque: _deque,
    collections.defaultdict: _defaultdict,
    collections.OrderedDict: _ordered,
    np.ndarray: _array,
}

KINDS: dict[type, Callable[[Any], Parts]] = {
    **_CONTAINERS,
    types.FunctionType: function_parts,
    types.CodeType: lambda thing: (("code", code_digest(thing)), ()),
    types.CellType: cell_parts,
    types.MethodType: method_parts,
    types.BuiltinFunctionType: builtin_parts,
    types.ModuleType: module_parts,
    types.GeneratorType: generator_parts,
    types.MappingProxyType: _proxy,
    types.SimpleNamespace: lambda thing: (("namespace",), [thing.__dict__]),
    property: lambda thing: (("property",), [thing.fget, thing.fset, thing.fdel]),
    staticmethod: _wrapped,
    classmethod: _wrapped,
    functools.partial: lambda thing: (
        ("partial",),
        [thing.func, thing.args, thing.keywords, thing.__dict__],
    ),
    functools._lru_cache_wrapper: remembering_parts,
    random.Random: _random,
    np.random.Generator: _generator_of_bits,
    np.random.RandomState: _random_state,
    weakref.ref: _weakref,
    bytearray: lambda thing: (("bytearray", bytes(thing)), ()),
    object: lambda thing: (("object",), ()),
    re.Pattern: lambda thing: (("pattern", thing.pattern, thing.flags), ()),
    array.array: lambda thing: (("numbers", thing.typecode, thing.tobytes()), ()),
    type(_FIELD): _reduced,
    **dict.fromkeys((datetime.datetime, datetime.date, datetime.time, datetime.timedelta), _named),
    decimal.Decimal: _named,
    slice: lambda thing: (("slice",), [thing.start, thing.stop, thing.step]),
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
        lambda thing: (("descriptor", thing.__qualname__), ()),
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
        map(type, ({}.keys(), {}.values(), {}.items())), lambda thing: (("view",), gc.get_referents(thing))
    ),
}
"""How each builtin kind is read."""

FAMILIES: tuple[tuple[type, Callable[[Any], Parts]], ...] = (
    (Enum, _enum),
    (np.generic, _scalar),
    (logging.Logger, lambda thing: (("logger", thing.name), ())),
    (np.dtype, _named),
    (np.random.BitGenerator, _bits),
    (typing._Final, _named),  # aliases and special forms of typing
)

BASES: dict[type, Callable[[Any], Parts]] = {
    **_CONTAINERS,
    random._random.Random: _random,  # type: ignore[attr-defined]
    types.SimpleNamespace: lambda thing: ((), ()),
    int: lambda thing: ((int.__int__(thing),), ()),
    float: lambda thing: ((float.__float__(thing),), ()),
    str: lambda thing: ((str.__str__(thing),), ()),
    bytes: lambda thing: ((bytes.__getitem__(thing, slice(None)),), ()),
    BaseException: _exception,
    **{
        kind: _exception
        for kind in BUILTINS.values()
        if isinstance(kind, type) and issubclass(kind, BaseException)
    },
    weakref.ref: _weakref,
}
"""What a class of the environment may derive from."""

UNCHANGING = frozenset(
    kind for kind, known in KINDS.items() if known is _named or kind.__name__.endswith("_descriptor")
) | {re.Pattern, types.CodeType, type(_FIELD)}
"""Kinds that never change, and hold nothing that could."""
