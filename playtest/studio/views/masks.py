"""The page on which a designer sees the masked cells of a version, and confirms or corrects them."""

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from engine.prove.masks import LEAST_ACTIONS, LEAST_STRETCHES, rectangles, unpacked
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.studio.models import Environment, SightingKind, StateMask, Version
from playtest.studio.pictures import address_of_picture
from playtest.studio.queries.masks import masks_in
from playtest.studio.services import masks
from playtest.studio.shown import environment_of_address, of_programs, shows


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
@shows(SightingKind.STUDIO, environment_of_address)
def mask(request: StaffRequest, code: str) -> HttpResponse:
    """The cells on a picture of the board, and a form that decides. `version`: a digest."""
    return _page(request, _version(request, code))


def _page(request: StaffRequest, version: Version, refused: QueryDict | None = None) -> HttpResponse:
    """The page, with what was `refused` in its form."""
    known, code = masks_in(version), version.environment.code
    areas = _areas(known.in_force, "cells")
    context = {
        "environment": version.environment,
        "version": version,
        "known": known,
        "areas": areas,
        "undecided": _areas(known.found, "undecided") if known.decided is None else [],
        "found_areas": _areas(known.found, "cells"),
        "text": refused.get("areas") if refused else "\n".join(" ".join(map(str, one)) for one in areas),
        "reason": refused.get("reason", "") if refused else "",
        "picture": address_of_picture(code, version.digest),
        "may_manage": request.user.may(Right.MANAGE_ENVIRONMENTS),
        "least_stretches": LEAST_STRETCHES,
        "least_actions": LEAST_ACTIONS,
    }
    return render(request, "studio/mask.html", context, status=400 if refused else 200)


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
@of_programs
def decide(request: StaffRequest, code: str) -> HttpResponse:
    """`areas`: rectangles; `reason`. Back to the page, which says what was refused, and keeps it."""
    version = _version(request, code)
    try:
        masks.decide(version, request.POST.get("areas", ""), request.POST.get("reason", ""), request.user)
    except RuleError as error:
        messages.error(request, f"Nothing has changed: {error.message} ({error.code})")
        return _page(request, version, request.POST)
    messages.success(request, "Decided. What depends on states is computed again.")
    return redirect(f"{reverse('studio:mask', args=[code])}?version={version.digest}")


def _version(request: StaffRequest, code: str) -> Version:
    environment = get_object_or_404(Environment.objects.select_related("current"), code=code)
    digest = request.GET.get("version") or getattr(environment.current, "digest", "")
    return get_object_or_404(environment.versions.select_related("environment"), digest=digest)


def _areas(stored: StateMask | None, field: str) -> list[tuple[int, int, int, int]]:
    return rectangles(unpacked(getattr(stored, field))) if stored else []
