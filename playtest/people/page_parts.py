"""Parts of staff pages that higher rooms add: each room declares its parts when it starts."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

from playtest.people.models import Staff

type Values = Callable[[Staff | None, Any], dict[str, Any]]
"""The values of a template, from the reader (None: nobody is signed in) and the object of the page."""


class Part(NamedTuple):
    template: str
    values: Values


_PARTS: dict[str, list[Part]] = defaultdict(list)


def add_part(page: str, template: str, values: Values) -> None:
    """Adds a template to every place `{% added_parts page %}`."""
    part = Part(template, values)
    if part not in _PARTS[page]:
        _PARTS[page].append(part)


def parts_of(page: str) -> tuple[Part, ...]:
    return tuple(_PARTS[page])
