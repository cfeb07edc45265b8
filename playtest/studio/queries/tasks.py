"""Reads of static tasks for the studio: the pairs of a version, and how two versions differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from engine.tasks.grids import Grid
from engine.tasks.task import Pair, Task
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.studio.models import Environment


@dataclass(frozen=True)
class ShownPair:
    """A pair of a task as a page shows it; `output` is None where it is a solution that is kept back."""

    name: str
    input: Grid
    output: Grid | None


@dataclass(frozen=True)
class PairChange:
    """What another version changed of a pair. `what` says it in words."""

    name: str
    what: str
    changed: bool


def may_read_solutions(reader: Staff, environment: Environment) -> bool:
    """Whether somebody may see solutions of a task: who may read its source if it were a program.

    That is who imports and approves sources, and who owns it and uploads them (decision 182).
    """
    owns = environment.owner_id == reader.pk and reader.may(Right.UPLOAD_VERSIONS)
    return owns or reader.may(Right.IMPORT_ENVIRONMENTS)


def shown_pairs(task: Task, *, solutions: bool) -> list[ShownPair]:
    """Every pair, the demonstrations first; without `solutions` the test pairs have no output."""
    shown = [
        ShownPair(f"Demonstration {number}", pair.input, pair.output)
        for number, pair in enumerate(task.demonstrations, start=1)
    ]
    return shown + [
        ShownPair(f"Test {number}", pair.input, pair.output if solutions else None)
        for number, pair in enumerate(task.tests, start=1)
    ]


def changed_pairs(earlier: Task, later: Task) -> list[PairChange]:
    """What became of each pair of either version, by its place; nothing of a solution but that it changed."""
    return [
        *_changes("Demonstration", earlier.demonstrations, later.demonstrations),
        *_changes("Test", earlier.tests, later.tests),
    ]


def _changes(name: str, before: Sequence[Pair], after: Sequence[Pair]) -> Iterator[PairChange]:
    for number, (old, new) in enumerate(zip_longest(before, after), start=1):
        what = _change(old, new)
        yield PairChange(f"{name} {number}", what, what != "unchanged")


def _change(old: Pair | None, new: Pair | None) -> str:
    if old is None or new is None:
        return "added" if old is None else "removed"
    parts = [
        part
        for part, same in (("input", old.input == new.input), ("output", old.output == new.output))
        if not same
    ]
    return f"{' and '.join(parts)} changed" if parts else "unchanged"
