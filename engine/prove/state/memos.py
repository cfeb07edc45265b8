"""Functions with `functools.cache`: whether what they remember is a part of the state.

A cached function that remembers only arguments and results that nothing can change answers as it would
without its cache, unless it is not pure. So what it remembers is left out of the state. Whoever merges or
restores states compares some of them with new games, which remember nothing yet, and finds one that is not.
"""

from __future__ import annotations

import dataclasses
import decimal
import gc
import itertools
from collections.abc import Iterable
from enum import Enum
from typing import Any

import numpy as np

MOST_MEMOS = 5_000
MOST_CONSTANTS = 200_000

_ATOMS = frozenset({int, bool, type(None), float, complex, bytes, str, range, object, type(Ellipsis)})
_MEMOS: dict[int, tuple[Any, int, list[Any]]] = {}
"""By address: a cached function, how many of its entries were read, and the arrays among these."""
_CONSTANTS: dict[int, Any] = {}


def is_memo(obj: Any) -> bool:
    """Whether nothing that this cached function remembers can be changed."""
    referents = gc.get_referents(obj)
    tables = [one for one in referents if type(one) is dict and one is not obj.__dict__]
    if obj.cache_parameters()["maxsize"] is not None:
        own = {id(obj.__dict__), id(obj.__wrapped__), *map(id, tables[-1:])}
        entries = (one for one in referents if id(one) not in own and not isinstance(one, type))
        return _are_constant(entries, [])
    [table] = tables
    _, known, arrays = _MEMOS.get(id(obj), (obj, 0, []))
    if len(table) < known:  # it was cleared
        known, arrays = 0, []
    added = itertools.islice(reversed(table.items()), len(table) - known)
    arrays = [*arrays]  # what is known stays as it is where something new can be changed
    if not _are_constant(itertools.chain.from_iterable(added), arrays):
        return False
    if len(_MEMOS) > MOST_MEMOS:
        _MEMOS.clear()
    _MEMOS[id(obj)] = obj, len(table), arrays  # holds the function, so that its address is not used again
    return not any(array.flags.writeable for array in arrays)


def _are_constant(objects: Iterable[Any], arrays: list[Any]) -> bool:
    return all(_is_constant(one, arrays) for one in objects)


def _is_constant(obj: Any, arrays: list[Any]) -> bool:
    """Whether nothing in it can be changed; adds its arrays, whose write protection could be lifted."""
    kind = type(obj)
    if kind in _ATOMS or id(obj) in _CONSTANTS:
        return True
    if kind is np.ndarray:
        arrays.append(obj)
        unchanging = not obj.flags.writeable and not obj.dtype.hasobject
        return unchanging and (obj.base is None or _is_constant(obj.base, arrays))
    parts = _parts(obj)
    before = len(arrays)
    if parts is None or not _are_constant(parts, arrays):
        return False
    if len(arrays) == before:
        if len(_CONSTANTS) > MOST_CONSTANTS:
            _CONSTANTS.clear()
        _CONSTANTS[id(obj)] = obj  # holds it, so that its address is not used again
    return True


def _parts(obj: Any) -> Iterable[Any] | None:
    """What an object that cannot be changed itself refers to; None of any other object."""
    kind = type(obj)
    if isinstance(obj, np.void):
        return None
    if isinstance(obj, (np.generic, decimal.Decimal)):
        return ()
    if isinstance(obj, Enum):
        return (obj.value,)
    if kind is frozenset or (isinstance(obj, tuple) and not kind.__dictoffset__):
        return list(obj)
    if dataclasses.is_dataclass(kind) and kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return [getattr(obj, one.name) for one in dataclasses.fields(obj)]
    return None
