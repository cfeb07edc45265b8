"""A static task's page in the studio: its pairs, with and without solutions, and how two versions differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from engine.tasks.grids import Grid
from engine.tasks.task import Pair, Task
from playtest.people.access import RightMissing, StaffRequest, requires
from playtest.people.roles import Right
from playtest.studio.content import task_in
from playtest.studio.models import Environment, SightingKind, SpecificationCard, Version
from playtest.studio.queries import catalogue, redundancy
from playtest.studio.shown import environment_of_address, may_read_source, shows


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


def task_page(request: StaffRequest, found: Environment, *, solutions: bool = False) -> HttpResponse:
    """Everything the studio knows of one task; `compare` in the address: a version beside the current one."""
    context: dict[str, Any] = {
        "environment": found,
        "versions": catalogue.versions(found),
        "moves": catalogue.moves(found),
        "card": SpecificationCard.objects.filter(environment=found).exists(),
        "redundancy": [(one.other(found).code, one) for one in redundancy.marks_of([found])[found.pk]],
        "may_manage": request.user.may(Right.MANAGE_ENVIRONMENTS),
        "may_play": request.user.may(Right.PLAY_INTERNALLY),
        "may_read_source": may_read_source(request.user, found),
        "solutions": solutions,
    }
    if found.current is not None:
        current = task_in(found.current)
        context |= {"pairs": shown_pairs(current, solutions=solutions)}
        context |= {"demonstrations": len(current.demonstrations)}
        if (other := _compared(request, found)) is not None:
            changes = changed_pairs(task_in(other), current)
            context |= {"other": other, "changes": changes, "changed": sum(one.changed for one in changes)}
    return render(request, "studio/task.html", context)


@require_safe
@requires(Right.UPLOAD_VERSIONS)
@shows(SightingKind.SOURCE, environment_of_address)
def solutions(request: StaffRequest, code: str) -> HttpResponse:
    """A static task with its solutions: for its owner, and for who imports sources."""
    rows = Environment.objects.tasks().select_related("current", "owner")
    found = get_object_or_404(rows, code=code)
    if not may_read_source(request.user, found):
        raise RightMissing(Right.IMPORT_ENVIRONMENTS)
    return task_page(request, found, solutions=True)


def _compared(request: StaffRequest, found: Environment) -> Version | None:
    digest = request.GET.get("compare", "")
    if not digest:
        return None
    other = found.versions.filter(digest=digest).first()
    if other is None:
        raise Http404("This task has no such version.")
    return other
