"""Releasing a baseline, and the page that compares a release with today."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from playtest.insight.baseline.releases import (
    compare,
    find_release,
    inputs_csv,
    released_inputs,
    released_protocols,
)
from playtest.insight.baseline.report import baseline_report
from playtest.insight.baseline.views import baseline_page
from playtest.insight.models import Release
from playtest.insight.requests import find_version
from playtest.insight.scope import EVERYONE, scope_of
from playtest.insight.services.releases import release as release_service
from playtest.insight.services.results import bring_up_to_date
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.rules.text import whole_number


@require_POST
@requires(Right.RELEASE_BASELINES)
def new_release(request: StaffRequest, code: str) -> HttpResponse:
    """Releases the baseline of a version, or shows the baseline's page with the refusal."""
    given = request.POST
    try:
        version, scope = find_version(code, given.get("version", "")), scope_of(given)
    except Refusal as refusal:
        raise Http404(refusal.message) from refusal
    try:
        made = release_service(
            version,
            request.user,
            given.get("note", ""),
            scope=scope,
            provisional=bool(given.get("provisional")),
            number=whole_number(given.get("number", "")),
            seen=given.get("inputs") or None,
        )
    except Refusal as refusal:
        bring_up_to_date(scope.attempts.filter(environment=version.environment))
        return baseline_page(request, baseline_report(version, scope), refusal)
    messages.success(request, f"Baseline {made.number} is released. It cannot be changed.")
    return redirect("insight:release", code, made.number)


@require_safe
@requires(Right.READ_BASELINES)
def release(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """A release, compared with today."""
    found = _find(code, number)
    bring_up_to_date(EVERYONE.attempts.filter(environment=found.environment))
    context = {
        "release": found,
        "environment": found.environment,
        "comparison": compare(found),
        "reports": found.reports.select_related("study") if request.user.may(Right.READ_SURVEYS) else [],
        "protocols": released_protocols(found),
        "may_watch": request.user.may(Right.WATCH_ATTEMPTS),
    }
    return render(request, "insight/baseline/release.html", context)


@require_safe
@requires(Right.READ_BASELINES)
def release_inputs(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """The inputs as the CSV file whose SHA-256 the release has."""
    found = _find(code, number)
    text = inputs_csv(found.version.digest, released_inputs(found), found.rule_version)
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{code}-baseline-{number}-inputs.csv"'
    return response


def _find(code: str, number: int) -> Release:
    try:
        return find_release(code, number)
    except Refusal as refusal:
        raise Http404(refusal.message) from refusal
