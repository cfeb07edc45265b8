"""The list of environments."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.studio import queries


@require_safe
@requires(Right.READ_BASELINES)
def environments(request: StaffRequest) -> HttpResponse:
    """Every environment with its version, levels, controls, attempts and completions."""
    return render(request, "studio/environments.html", {"environments": queries.environments()})
