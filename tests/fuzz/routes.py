"""Every page of the URL configuration, with the names of fields that its view reads."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from django.forms import Form
from django.urls import URLPattern, URLResolver, get_resolver

from playtest.people import access_table
from playtest.people.roles import Access

_READ = re.compile(
    r"(?:\.get|\.getlist|\.pop|_of|_from|\w+)?[(\[](?:request(?:\.\w+)?, )?\"([a-z][a-z0-9_-]{0,30})\""
)
_PARAMETER = re.compile(r"<(?:\w+:)?\w+>")


@dataclass(frozen=True)
class Route:
    """A page: its address with `<...>` in place of each argument, and the fields its view may read."""

    name: str
    address: str
    fields: tuple[str, ...]
    access: Access | None


def routes() -> list[Route]:
    """Every page, by name."""
    access = {page.name: page.access for page in access_table.pages()}
    found = [
        Route(name, address, tuple(sorted(_fields(view))), access.get(name))
        for name, address, view in _patterns(get_resolver().url_patterns, "", "")
    ]
    return sorted(found, key=lambda route: route.name)


def _patterns(patterns: list[Any], prefix: str, room: str) -> Iterator[tuple[str, str, Any]]:
    for pattern in patterns:
        address = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _patterns(pattern.url_patterns, address, f"{pattern.namespace}:")
        elif isinstance(pattern, URLPattern):
            yield f"{room}{pattern.name}", "/" + _PARAMETER.sub("<>", address), pattern.callback


def _fields(view: Any) -> set[str]:
    """Names in the source of the view's module and of what it imports from its own room."""
    view = inspect.unwrap(getattr(view, "view_class", view))
    module = sys.modules[view.__module__]
    room = ".".join(module.__name__.split(".")[:2])
    names = set(_names(module))
    for value in vars(module).values():
        source = value if isinstance(value, ModuleType) else sys.modules.get(getattr(value, "__module__", ""))
        if source is not None and source.__name__.startswith(room):
            names |= _names(source)
    return names


@cache
def _names(module: ModuleType) -> frozenset[str]:
    """Names that something is asked for, and the fields of forms."""
    if not module.__name__.startswith("playtest."):
        return frozenset()
    names = set(_READ.findall(inspect.getsource(module)))
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Form):
            names |= set(value.base_fields)
    return frozenset(names)
