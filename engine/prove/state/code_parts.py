"""The parts of functions, classes, modules and generators. See `engine.prove.state.object_parts`."""

from __future__ import annotations

import gc
import marshal
import operator
import sys
import types
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from engine.prove.state.memos import is_memo

type Parts = tuple[tuple[Any, ...], Sequence[Any]]
"""A header of atoms, and the objects that the object refers to."""

LIBRARY_DATA = ("arcengine.base_game", "arcengine.camera", "arcengine.level", "arcengine.sprites")
"""Modules whose classes are read as well: an environment may store something in them."""
MOST_CODES = 50_000
MOST_CLASSES = 5_000

_CODES: dict[int, tuple[types.CodeType, bytes]] = {}
_CLASSES: dict[int, tuple[type, tuple[Any, ...], Parts]] = {}
_PASSED_OVER = frozenset(
    "__dict__ __weakref__ __doc__ __annotations__ __annotate__ __annotations_cache__ __builtins__"
    " __orig_bases__ __parameters__ __dataclass_fields__ __dataclass_params__ _abc_impl __static_attributes__"
    " __firstlineno__ __abstractmethods__".split()
)


def is_library(module: object) -> bool:
    """Whether this is the name of an imported module, not of the environment's own one."""
    return isinstance(module, str) and module in sys.modules


def function_parts(obj: types.FunctionType) -> Parts:
    home = obj.__globals__
    if _is_library_function(obj):
        if obj.__closure__ is None or _is_module_attribute(obj):
            return ("library function", home["__name__"], obj.__qualname__), ()
        home = {}
    held = obj.__defaults__, obj.__kwdefaults__, obj.__closure__, obj.__dict__ or None
    if all(one is None for one in held):
        return ("function", code_digest(obj.__code__)), [home]
    return ("function", code_digest(obj.__code__)), [home, *held]


def _is_library_function(obj: Any) -> bool:
    if type(obj) is not types.FunctionType:
        return False
    name = obj.__globals__.get("__name__")
    return isinstance(name, str) and name in sys.modules and sys.modules[name].__dict__ is obj.__globals__


def _is_module_attribute(obj: types.FunctionType) -> bool:
    """Whether it is an attribute of its module, and not made by a call of it."""
    found: Any = sys.modules.get(obj.__module__)
    for name in obj.__qualname__.split("."):
        found = getattr(found, "__dict__", {}).get(name)
    return found is obj


def _is_library_code(obj: Any) -> bool:
    return type(obj) in (property, staticmethod, classmethod) or _is_library_function(obj)


def code_digest(obj: types.CodeType) -> bytes:
    """A digest of a code object, which never changes."""
    known = _CODES.get(id(obj))
    if known is None:
        if len(_CODES) > MOST_CODES:
            _CODES.clear()
        known = obj, blake2b(marshal.dumps(obj, 2), digest_size=16).digest()
        _CODES[id(obj)] = known  # holds the code, so that its address is not used again
    return known[1]


def cell_parts(obj: types.CellType) -> Parts:
    try:
        return ("cell", True), [obj.cell_contents]
    except ValueError:
        return ("cell", False), ()


def method_parts(obj: types.MethodType) -> Parts:
    return ("method",), [obj.__func__, obj.__self__]


def builtin_parts(obj: types.BuiltinFunctionType) -> Parts:
    holder = obj.__self__
    if holder is None or isinstance(holder, types.ModuleType):
        return ("builtin", str(obj.__module__), obj.__qualname__), ()
    return ("builtin", obj.__name__), [holder]


def class_parts(obj: type) -> Parts:
    """The parts of a class, cached until one of its attributes is another object."""
    values = tuple(vars(obj).values())
    known = _CLASSES.get(id(obj))
    if known is not None and len(known[1]) == len(values) and all(map(operator.is_, known[1], values)):
        return known[2]
    if len(_CLASSES) > MOST_CLASSES:
        _CLASSES.clear()
    read = _read_class(obj)
    _CLASSES[id(obj)] = obj, values, read  # holds the class, so that its address is not used again
    return read


def _read_class(obj: type) -> Parts:
    name = ("class", obj.__module__, obj.__qualname__)
    values = class_data(obj)
    if is_library(obj.__module__):
        if obj.__module__ not in LIBRARY_DATA:
            return name, ()
        values = {key: value for key, value in values.items() if not _is_library_code(value)}
    names = tuple(sorted(values))
    return (*name, names), [obj.__bases__, *(values[key] for key in names)]


def is_class_data(name: str, value: Any) -> bool:
    """Whether an attribute of a class is the source's own, not part of how Python stores a class."""
    if name in _PASSED_OVER or name.startswith("__pydantic_"):
        return False
    return type(value) not in (types.GetSetDescriptorType, types.MemberDescriptorType)


def class_data(obj: type) -> dict[str, Any]:
    """The attributes of a class that an environment may have changed."""
    return {key: value for key, value in vars(obj).items() if is_class_data(key, value)}


def module_parts(obj: types.ModuleType) -> Parts:
    if is_library(obj.__name__):
        return ("module", obj.__name__), ()
    return ("own module",), [obj.__dict__]


def generator_parts(obj: types.GeneratorType[Any, Any, Any]) -> Parts:
    """The local variables and the evaluation stack, which has the iterators of its loops."""
    frame = obj.gi_frame
    if frame is None:
        return ("generator", obj.__qualname__), ()
    held = [one for one in gc.get_referents(obj) if type(one) not in (types.FrameType, types.TracebackType)]
    header = ("generator", obj.__qualname__, frame.f_lasti, tuple(frame.f_locals), len(held))
    return header, held


def cached_function_parts(obj: Any) -> Parts:
    """A function with `functools.cache`, and what it remembers where that can change."""
    if is_memo(obj):
        return ("memo",), [obj.__dict__]
    held = [one for one in gc.get_referents(obj) if not _is_lookup_table(one)]
    return ("cached function", len(held)), held


def _is_lookup_table(obj: Any) -> bool:
    """Whether this is the lookup table of a bounded cache, whose entries are also in a linked list."""
    if type(obj) is not dict:
        return False
    return any(type(link).__name__ == "_lru_list_elem" for link in obj.values())
