"""What an object consists of: a header in plain data, and the objects it refers to, in a fixed order.

Nothing here runs the environment's code: no property, comparison or method of its classes is called. Whoever
walks (`engine.identity`) compares headers and follows the rest. A kind of object that nobody can see into
raises Opaque.
"""

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
import marshal
import operator
import random
import re
import sys
import types
import typing
import warnings
import weakref
from collections.abc import Callable, Sequence
from enum import Enum
from hashlib import blake2b
from typing import Any

import numpy as np

type Parts = tuple[tuple[Any, ...], Sequence[Any]]
"""A header of atoms, and what the object refers to."""

ATOMS: frozenset[type] = frozenset({int, bool, type(None), float, complex, bytes, type(Ellipsis)})
LIBRARY_DATA = ("arcengine.base_game", "arcengine.camera", "arcengine.level", "arcengine.sprites")
"""Modules whose classes' own data count too: an environment may leave something there."""

BUILTINS = vars(builtins)
MOST_CODES = 50_000
MOST_CLASSES = 5_000

_CODES: dict[int, tuple[types.CodeType, bytes]] = {}
_CLASSES: dict[int, tuple[type, tuple[Any, ...], Parts]] = {}
_HEAP, _IMMUTABLE = 1 << 9, 1 << 8  # Py_TPFLAGS_HEAPTYPE, Py_TPFLAGS_IMMUTABLETYPE
_PASSED_OVER = frozenset(
    "__dict__ __weakref__ __doc__ __annotations__ __annotate__ __annotations_cache__ __builtins__"
    " __orig_bases__ __parameters__ __dataclass_fields__ __dataclass_params__ _abc_impl __static_attributes__"
    " __firstlineno__ __abstractmethods__".split()
)


class Opaque(Exception):
    """An object whose state cannot be seen; `args[0]` is the object."""


def is_library(module: object) -> bool:
    """Whether this is the name of an imported module, and not of the environment's own."""
    return isinstance(module, str) and module in sys.modules


def parts(thing: Any) -> Parts:
    """The parts of anything but an atom or a text. Raises Opaque."""
    kind: Any = type(thing)
    return reader(kind)(thing)


@functools.lru_cache(maxsize=4096)
def reader(kind: Any) -> Callable[[Any], Parts]:
    """What reads things of a kind."""
    known = KINDS.get(kind)
    if known is not None:
        return known
    if issubclass(kind, type):
        return _class
    for base, family_reader in _FAMILIES:
        if issubclass(kind, base):
            return family_reader
    bases: tuple[Any, ...] = kind.__mro__
    plain = not slots(kind) and all(base is object or is_python(base) for base in bases)
    return _plain if plain else instance


def _plain(thing: Any) -> Parts:
    """As `instance`, of one that has nothing but its __dict__."""
    try:
        values = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        values = {}
    names = sorted(values)
    return ("instance", tuple(names)), [type(thing), *map(values.__getitem__, names)]


def instance(thing: Any, left_out: frozenset[str] = frozenset()) -> Parts:
    """The attributes of an instance of a Python class by sorted name, and what its builtin base holds."""
    kind = type(thing)
    content = base_content(thing)
    values = attributes(thing)
    names = tuple(sorted(name for name in values if name not in left_out))
    header = ("instance", names, *(content[0] if content else ()))
    return header, [kind, *(values[name] for name in names), *(content[1] if content else ())]


def attributes(thing: Any) -> dict[str, Any]:
    """Every attribute of an instance, those in slots among them."""
    kind: Any = type(thing)
    try:
        values = dict(object.__getattribute__(thing, "__dict__"))
    except AttributeError:
        values = {}
    for name, descriptor in slots(kind):
        try:
            values[name] = descriptor.__get__(thing, kind)
        except AttributeError:
            continue
    return values


@functools.lru_cache(maxsize=4096)
def slots(kind: Any) -> tuple[tuple[str, Any], ...]:
    """The slots of a Python class, those it inherits among them."""
    return tuple(
        (name, descriptor)
        for base in kind.__mro__
        if is_python(base)
        for name, descriptor in vars(base).items()
        if type(descriptor) is types.MemberDescriptorType
    )


@functools.lru_cache(maxsize=4096)
def is_python(kind: Any) -> bool:
    """Whether a class was written in Python, so that its attributes are all there is."""
    if not kind.__flags__ & _HEAP or kind.__flags__ & _IMMUTABLE:
        return False
    module = sys.modules.get(kind.__module__)
    return module is None or str(getattr(module, "__file__", "") or "").endswith(".py")


def base_content(thing: Any) -> Parts | None:
    """What the builtin that an instance's class derives from holds."""
    bases: tuple[Any, ...] = type(thing).__mro__
    for base in bases:
        if base is object or is_python(base):
            continue
        reader = _BASES.get(base)
        if reader is None:
            raise Opaque(thing)
        return reader(thing)
    return None


def _list(thing: list[Any]) -> Parts:
    return ("list", list.__len__(thing)), list(list.__iter__(thing))


def _tuple(thing: tuple[Any, ...]) -> Parts:
    return ("tuple", tuple.__len__(thing)), list(tuple.__iter__(thing))


def _dict(thing: dict[Any, Any]) -> Parts:
    items = list(dict.items(thing))
    if all(type(key) is str and len(key) != 36 for key, _ in items):
        return ("texts", tuple(key for key, _ in items)), [value for _, value in items]
    return ("dict", len(items)), list(itertools.chain.from_iterable(items))


def _set(thing: set[Any]) -> Parts:
    """In iteration order, which an environment that goes through it sees."""
    return ("set", len(thing)), list(set.__iter__(thing))


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


def _function(thing: types.FunctionType) -> Parts:
    home = thing.__globals__
    if _is_library_function(thing):
        if thing.__closure__ is None or _is_found_by_name(thing):
            return ("library function", home["__name__"], thing.__qualname__), ()
        home = {}
    held = thing.__defaults__, thing.__kwdefaults__, thing.__closure__, thing.__dict__ or None
    if held == (None, None, None, None):
        return ("function", _code(thing.__code__)), [home]
    return ("function", _code(thing.__code__)), [home, *held]


def _is_library_function(thing: Any) -> bool:
    if type(thing) is not types.FunctionType:
        return False
    name = thing.__globals__.get("__name__")
    return isinstance(name, str) and name in sys.modules and sys.modules[name].__dict__ is thing.__globals__


def _is_found_by_name(thing: types.FunctionType) -> bool:
    """Whether it belongs to its module, rather than having been made by it for somebody."""
    found: Any = sys.modules.get(thing.__module__)
    for name in thing.__qualname__.split("."):
        found = getattr(found, "__dict__", {}).get(name)
    return found is thing


def _is_library_code(thing: Any) -> bool:
    return type(thing) in (property, staticmethod, classmethod) or _is_library_function(thing)


def _code(thing: types.CodeType) -> bytes:
    """A digest of code, which never changes."""
    known = _CODES.get(id(thing))
    if known is None:
        if len(_CODES) > MOST_CODES:
            _CODES.clear()
        known = thing, blake2b(marshal.dumps(thing, 2), digest_size=16).digest()
        _CODES[id(thing)] = known  # with the code itself, so that its address names nothing else
    return known[1]


def _cell(thing: types.CellType) -> Parts:
    try:
        return ("cell", True), [thing.cell_contents]
    except ValueError:
        return ("cell", False), ()


def _method(thing: types.MethodType) -> Parts:
    return ("method",), [thing.__func__, thing.__self__]


def _builtin(thing: types.BuiltinFunctionType) -> Parts:
    holder = thing.__self__
    if holder is None or isinstance(holder, types.ModuleType):
        return ("builtin", str(thing.__module__), thing.__qualname__), ()
    return ("builtin", thing.__name__), [holder]


def _class(thing: type) -> Parts:
    """Read anew only when one of its attributes is another object than the last time."""
    values = tuple(vars(thing).values())
    known = _CLASSES.get(id(thing))
    if known is not None and len(known[1]) == len(values) and all(map(operator.is_, known[1], values)):
        return known[2]
    if len(_CLASSES) > MOST_CLASSES:
        _CLASSES.clear()
    read = _read_class(thing)
    _CLASSES[id(thing)] = thing, values, read  # with the class, so that its address names nothing else
    return read


def _read_class(thing: type) -> Parts:
    name = ("class", thing.__module__, thing.__qualname__)
    values = class_data(thing)
    if is_library(thing.__module__):
        if thing.__module__ not in LIBRARY_DATA:
            return name, ()
        values = {key: value for key, value in values.items() if not _is_library_code(value)}
    names = tuple(sorted(values))
    return (*name, names), [thing.__bases__, *(values[key] for key in names)]


def _is_class_data(name: str, value: Any) -> bool:
    if name in _PASSED_OVER or name.startswith("__pydantic_"):
        return False
    return type(value) not in (types.GetSetDescriptorType, types.MemberDescriptorType)


def class_data(thing: type) -> dict[str, Any]:
    """What an environment may have changed of a class."""
    return {key: value for key, value in vars(thing).items() if _is_class_data(key, value)}


def _module(thing: types.ModuleType) -> Parts:
    if is_library(thing.__name__):
        return ("module", thing.__name__), ()
    return ("own module",), [thing.__dict__]


def _generator(thing: types.GeneratorType[Any, Any, Any]) -> Parts:
    """Locals and the evaluation stack, on which the iterators of its loops lie."""
    frame = thing.gi_frame
    if frame is None:
        return ("generator", thing.__qualname__), ()
    held = [one for one in gc.get_referents(thing) if type(one) not in (types.FrameType, types.TracebackType)]
    header = ("generator", thing.__qualname__, frame.f_lasti, tuple(frame.f_locals), len(held))
    return header, held


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


def _remembering(thing: Any) -> Parts:
    """A function with `functools.cache`: what it remembers counts, for the function may not be pure."""
    held = [
        one
        for one in gc.get_referents(thing)
        if not isinstance(one, type) and type(one).__name__ != "_lru_list_elem"
    ]
    if thing.cache_parameters()["maxsize"] is not None:
        held = [one for one in held if type(one) is not dict]
    return ("remembering", len(held)), held


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

KINDS: dict[type, Callable[[Any], Parts]] = {
    list: _list,
    tuple: _tuple,
    dict: _dict,
    set: _set,
    frozenset: _frozenset,
    collections.deque: _deque,
    collections.defaultdict: _defaultdict,
    collections.OrderedDict: lambda thing: _dict(thing),
    np.ndarray: _array,
    types.FunctionType: _function,
    types.CodeType: lambda thing: (("code", _code(thing)), ()),
    types.CellType: _cell,
    types.MethodType: _method,
    types.BuiltinFunctionType: _builtin,
    types.ModuleType: _module,
    types.GeneratorType: _generator,
    types.MappingProxyType: _proxy,
    types.SimpleNamespace: lambda thing: (("namespace",), [thing.__dict__]),
    property: lambda thing: (("property",), [thing.fget, thing.fset, thing.fdel]),
    staticmethod: _wrapped,
    classmethod: _wrapped,
    functools.partial: lambda thing: (
        ("partial",),
        [thing.func, thing.args, thing.keywords, thing.__dict__],
    ),
    functools._lru_cache_wrapper: _remembering,
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

_FAMILIES: tuple[tuple[type, Callable[[Any], Parts]], ...] = (
    (Enum, _enum),
    (np.generic, _scalar),
    (logging.Logger, lambda thing: (("logger", thing.name), ())),
    (np.dtype, _named),
    (np.random.BitGenerator, _bits),
    (typing._Final, _named),  # aliases and special forms of typing
)

_BASES: dict[type, Callable[[Any], Parts]] = {
    list: _list,
    tuple: _tuple,
    dict: _dict,
    set: _set,
    frozenset: _frozenset,
    collections.deque: _deque,
    collections.defaultdict: _defaultdict,
    collections.OrderedDict: lambda thing: _dict(thing),
    np.ndarray: _array,
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
