"""A static task's page in the studio, with and without its solutions."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from playtest.people.access import RightMissing, StaffRequest, requires
from playtest.people.roles import Right
from playtest.studio.content import task_in
from playtest.studio.models import Environment, SightingKind, SpecificationCard, Version
from playtest.studio.queries import catalogue, redundancy, tasks
from playtest.studio.shown import environment_of_address, shows


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
        "may_read_solutions": tasks.may_read_solutions(request.user, found),
        "solutions": solutions,
    }
    if found.current is not None:
        current = task_in(found.current)
        context |= {"pairs": tasks.shown_pairs(current, solutions=solutions)}
        context |= {"demonstrations": len(current.demonstrations)}
        if (other := _compared(request, found)) is not None:
            changes = tasks.changed_pairs(task_in(other), current)
            context |= {"other": other, "changes": changes, "changed": sum(one.changed for one in changes)}
    return render(request, "studio/task.html", context)


@require_safe
@requires(Right.UPLOAD_VERSIONS)
@shows(SightingKind.SOURCE, environment_of_address)
def solutions(request: StaffRequest, code: str) -> HttpResponse:
    """A static task with its solutions: for its owner, and for who imports sources."""
    rows = Environment.objects.tasks().select_related("current", "owner")
    found = get_object_or_404(rows, code=code)
    if not tasks.may_read_solutions(request.user, found):
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
