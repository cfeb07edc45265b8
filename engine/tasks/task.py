"""A task in the official JSON: demonstration pairs, and test pairs whose outputs are the solution."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from engine.errors import TaskError
from engine.tasks.grids import Grid, grid_of, listed

MOST_PAIRS = 30
"""Official tasks have up to 10 demonstrations and 4 test pairs."""
MOST_TEXT = 512 * 1024


@dataclass(frozen=True, slots=True)
class Pair:
    """An input and its output; the output of a test pair is a solution and never leaves the server."""

    input: Grid
    output: Grid = field(repr=False)


@dataclass(frozen=True, slots=True)
class Task:
    """A valid task: at least one demonstration and one test pair."""

    demonstrations: tuple[Pair, ...]
    tests: tuple[Pair, ...]

    @property
    def text(self) -> str:
        """The official JSON, always written the same way: equal tasks have equal texts."""
        document = {"train": _documents(self.demonstrations), "test": _documents(self.tests)}
        return json.dumps(document, separators=(",", ":"))

    @property
    def digest(self) -> str:
        """SHA-256 of the text, 64 hexadecimal digits: the version."""
        return sha256(self.text.encode()).hexdigest()


def task_of(text: str) -> Task:
    """Reads official JSON. Other keys than `train`, `test`, `input` and `output` are passed over.

    Raises TaskError task_too_large, task_malformed, key_repeated, pairs_missing, pairs_too_many,
    grid_malformed, grid_size, grid_colour.
    """
    if len(text) > MOST_TEXT:
        raise TaskError("task_too_large", "The file has more than 512 KB, which no task needs.")
    document = json_in(text, "task_malformed")
    if not isinstance(document, dict):
        raise TaskError("task_malformed", 'The file is not an object with "train" and "test".')
    return Task(_pairs(document, "train"), _pairs(document, "test"))


def json_in(text: str, code: str) -> Any:
    """The JSON of a file. Raises TaskError with this code, or key_repeated, which names the key."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise TaskError(code, f"The file is not JSON: {error}.") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise TaskError("key_repeated", f"The key {twice[:100]!r} is there twice: leave one of them.")
    return made


def _pairs(document: dict[str, Any], name: str) -> tuple[Pair, ...]:
    pairs = document.get(name)
    if not isinstance(pairs, list) or not pairs:
        raise TaskError("pairs_missing", f'"{name}" has no pair: give at least one.', where=name)
    if len(pairs) > MOST_PAIRS:
        raise TaskError("pairs_too_many", f'"{name}" has more than {MOST_PAIRS} pairs.', where=name)
    return tuple(_pair(pair, f"{name} {number}") for number, pair in enumerate(pairs, start=1))


def _pair(pair: object, where: str) -> Pair:
    if not isinstance(pair, dict) or not {"input", "output"} <= pair.keys():
        raise TaskError("task_malformed", f'{where} has no "input" and "output".', where=where)
    return Pair(
        grid_of(pair["input"], f"The input of {where}"), grid_of(pair["output"], f"The output of {where}")
    )


def _documents(pairs: tuple[Pair, ...]) -> list[dict[str, Any]]:
    return [{"input": listed(pair.input), "output": listed(pair.output)} for pair in pairs]
