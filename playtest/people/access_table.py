"""The access of every page, socket and message, as the running application declares it."""

import re
from collections.abc import Iterable, Iterator
from inspect import getdoc
from typing import Any, NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.module_loading import import_string

from playtest.people.access import declared_access
from playtest.people.manifests import Entry, manifests
from playtest.people.roles import RIGHTS, Access, Audience, Right, Role

_SOCKETS = "playtest.asgi.socket_application"


class Group(NamedTuple):
    """What one right allows, or one audience may open."""

    access: Access
    entries: tuple[Entry, ...]

    @property
    def roles(self) -> list[Role]:
        """The roles with this right; none for an audience."""
        return [role for role in Role if self.access in RIGHTS[role]]


def pages() -> list[Entry]:
    """Every URL of the application by its name, such as `center:session`."""
    return list(_pages(get_resolver().url_patterns, ""))


def sockets() -> list[Entry]:
    """Every socket that is routed; addresses that are refused to everybody are left out."""
    return [
        Entry(
            name=consumer.__name__,
            address=_address(route.pattern),
            does=_sentence(consumer),
            access=declared_access(consumer),
            messages=tuple(getattr(consumer, "messages", ())),
        )
        for route in import_string(_SOCKETS).routes
        if (consumer := getattr(route.callback, "consumer_class", None)) and str(route.pattern)
    ]


def elsewhere() -> list[Entry]:
    """Every address that is neither a page nor a socket, as manifests list them."""
    return [entry for manifest in manifests() for entry in manifest.addresses()]


def groups() -> list[Group]:
    """Everything by its access: each right in turn, then the audiences that need none."""
    found = sorted([*pages(), *sockets(), *elsewhere()], key=lambda entry: entry.address)
    return [
        Group(access, tuple(entry for entry in found if entry.access == access))
        for access in (*Right, *Audience)
    ]


def _pages(patterns: Iterable[Any], room: str) -> Iterator[Entry]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _pages(pattern.url_patterns, f"{pattern.namespace}:")
        elif isinstance(pattern, URLPattern):
            view = pattern.callback
            name, address = f"{room}{pattern.name}", _address(pattern.pattern)
            yield Entry(name, address, _sentence(view), declared_access(view))


def _address(pattern: object) -> str:
    """The address with an ellipsis for each part that varies."""
    return "/" + re.sub(r"<[^>]*>", "…", str(pattern))


def _sentence(view: object) -> str:
    """The first line of the docstring."""
    return (getdoc(view) or "").partition("\n")[0]
