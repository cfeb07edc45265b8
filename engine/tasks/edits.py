"""Edits of a task's output grids: what a person may do, as JSON of at most 512 bytes.

A position is `row * 30 + column`, so that it does not depend on the grid's size.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

from engine.errors import TaskError
from engine.tasks.grids import COLOURS, LARGEST
from engine.tasks.task import MOST_PAIRS

MOST_BYTES = 512
POSITIONS = LARGEST * LARGEST


class EditKind(IntEnum):
    """The number of each kind of edit in the journal; 0 is the opening, as for an interactive environment."""

    RESIZE = 1
    PAINT = 2
    FILL = 3
    COPY_INPUT = 4
    CLEAR = 5
    PASTE = 6
    UNDO = 7
    REDO = 8
    OPEN = 9
    SUBMIT = 10

    @property
    def op(self) -> str:
        """Its name in JSON."""
        return self.name.lower()


KINDS = {kind.op: kind for kind in EditKind}
SOURCES = ("input", "output", "demo_input", "demo_output")
"""Where the cells of a paste come from."""
_SIZES, _CELLS = range(1, LARGEST + 1), range(POSITIONS)
_FIELDS: dict[EditKind, tuple[str, ...]] = {
    EditKind.RESIZE: ("height", "width"),
    EditKind.PAINT: ("colour", "cells"),
    EditKind.FILL: ("colour", "cell"),
    EditKind.PASTE: ("from", "rect", "cell"),
    EditKind.OPEN: ("input",),
}
_NUMBERS = {
    "height": _SIZES,
    "width": _SIZES,
    "colour": range(COLOURS),
    "cell": _CELLS,
    "input": range(1, MOST_PAIRS + 1),
    "pair": range(1, MOST_PAIRS + 1),
}


@dataclass(frozen=True, slots=True)
class Edit:
    """One valid edit: its kind, and its canonical JSON `text`, as the journal stores it.

    `id`, `x` and `y` are what an action of an interactive environment has, so that an entry has them too.
    """

    kind: EditKind
    text: str

    x: ClassVar[None] = None
    y: ClassVar[None] = None

    @property
    def id(self) -> int:
        """The number in the journal's column `action`."""
        return int(self.kind)

    @property
    def fields(self) -> dict[str, Any]:
        """What the JSON says."""
        fields: dict[str, Any] = json.loads(self.text)
        return fields


def position(row: int, column: int) -> int:
    """The position of a cell."""
    return row * LARGEST + column


def cell_of(at: int) -> tuple[int, int]:
    """Row and column of a position."""
    return divmod(at, LARGEST)


def edit_of(value: object) -> Edit:
    """The edit that parsed JSON describes. Raises TaskError edit_unknown, edit_malformed."""
    if not isinstance(value, Mapping):
        raise TaskError("edit_malformed", "An edit is an object.")
    kind = KINDS.get(value["op"]) if isinstance(value.get("op"), str) else None
    if kind is None:
        raise TaskError("edit_unknown", f"An edit's op is one of {', '.join(KINDS)}.")
    names = _FIELDS.get(kind, ())
    if kind is EditKind.PASTE and str(value.get("from")).startswith("demo_"):
        names = (*names, "pair")
    if set(value) != {"op", *names}:
        raise _malformed(f"{kind.op} has the fields {', '.join(('op', *names))}")
    fields = {name: _checked(name, value[name]) for name in names}
    text = json.dumps({"op": kind.op, **fields}, separators=(",", ":"))
    if len(text) > MOST_BYTES:
        raise _malformed(f"it has more than {MOST_BYTES} bytes")
    return Edit(kind, text)


def edit_in(text: str) -> Edit:
    """The edit in a text of the journal. Raises TaskError edit_unknown, edit_malformed."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _malformed(f"it is not JSON ({error})") from error
    return edit_of(value)


def _checked(name: str, value: object) -> object:
    """The value of a field, in the one form in which it is stored."""
    if name == "from":
        if value not in SOURCES:
            raise _malformed(f"from is one of {', '.join(SOURCES)}")
    elif name == "cells":
        if not isinstance(value, list) or not value or not all(_is_in(cell, _CELLS) for cell in value):
            raise _malformed(f"cells are positions from 0 to {POSITIONS - 1}")
        return sorted(set(value))
    elif name == "rect":
        if not isinstance(value, list) or len(value) != 4 or not _is_rectangle(value):
            raise _malformed("rect is row, column, height and width within 30 rows and columns")
    elif not _is_in(value, _NUMBERS[name]):
        allowed = _NUMBERS[name]
        raise _malformed(f"{name} is a whole number from {allowed[0]} to {allowed[-1]}")
    return value


def _is_in(value: object, allowed: range) -> bool:
    return type(value) is int and value in allowed


def _is_rectangle(values: list[object]) -> bool:
    starts, sizes = values[:2], values[2:]
    return all(_is_in(one, range(LARGEST)) for one in starts) and all(_is_in(one, _SIZES) for one in sizes)


def _malformed(reason: str) -> TaskError:
    return TaskError("edit_malformed", f"This edit cannot be read: {reason}.")
