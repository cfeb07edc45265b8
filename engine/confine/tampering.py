"""Finds functions of the engine and of arcengine that foreign code has replaced.

Environments of one version share a process, and could so change what the engine answers for them. They could
also hide that: this finds what is done openly, and what it found ends the process. No other version is ever
affected.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

_WATCHED = ("engine", "arcengine", "json")


class Originals:
    """The functions and classes as they were when this was made, before foreign code was loaded."""

    def __init__(self) -> None:
        self._names: list[tuple[Mapping[str, Any], str, Any, str]] = []
        self._codes: list[tuple[FunctionType, CodeType, str]] = []
        for name, module in sorted(sys.modules.items()):
            if _is_watched(name) and isinstance(module, ModuleType):
                self._add_module(name, module)

    def replaced(self) -> str | None:
        """The first function or class that is no longer the same, or None."""
        for namespace, name, value, where in self._names:
            if namespace.get(name) is not value:
                return where
        for function, code, where in self._codes:
            if function.__code__ is not code:
                return where
        return None

    def _add_module(self, module_name: str, module: ModuleType) -> None:
        for name, value in vars(module).items():
            if not isinstance(value, (type, FunctionType)) or not _is_watched(value.__module__):
                continue
            self._names.append((vars(module), name, value, f"{module_name}.{name}"))
            if value.__module__ != module_name:  # it is imported from where it is watched
                continue
            if isinstance(value, FunctionType):
                self._codes.append((value, value.__code__, f"{module_name}.{name}"))
            else:
                self._add_class(f"{module_name}.{name}", value)

    def _add_class(self, class_name: str, owner: type) -> None:
        for name, value in vars(owner).items():
            function = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
            function = function.fget if isinstance(function, property) else function
            if isinstance(function, FunctionType):
                where = f"{class_name}.{name}"
                self._names.append((vars(owner), name, value, where))
                self._codes.append((function, function.__code__, where))


def _is_watched(module_name: str) -> bool:
    return module_name.partition(".")[0] in _WATCHED


@functools.cache
def originals() -> Originals:
    """Those of this process, made at the first call; a forked process inherits them."""
    return Originals()
