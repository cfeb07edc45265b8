"""The versions of a study's protocol: who made each and why, how any two differ, and each as a file."""

from collections.abc import Mapping

from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.incentives import currency
from playtest.play.models import ProtocolVersion, Study
from playtest.play.protocol_file import exported
from playtest.play.views.previews import PAGES
from playtest.rules.protocol_text import differences, statements
from playtest.rules.text import whole_number


@require_safe
@requires(Right.READ_BASELINES)
def versions(request: StaffRequest, pk: int) -> HttpResponse:
    """Every version, newest first, and the difference of two: the newest and the one before by default."""
    study = get_object_or_404(Study, pk=pk)
    found = study.protocol_versions.select_related("created_by").annotate(followed_by=Count("sessions"))
    by_number = {version.number: version for version in found.order_by("-number")}
    newest = max(by_number)
    after = _chosen(request, "after", newest, by_number)
    before = _chosen(request, "before", max(1, after.number - 1), by_number)
    context = {
        "study": study,
        "versions": by_number.values(),
        "newest": by_number[newest],
        "before": before,
        "after": after,
        "differences": differences(before.value, after.value, currency()),
        "statements": statements(after.value, currency()),
        "previews": [*PAGES],
        "may_change": request.user.may(Right.MANAGE_STUDIES),
    }
    return render(request, "play/studies/protocol.html", context)


@require_safe
@requires(Right.READ_BASELINES)
def file(request: StaffRequest, pk: int, number: int) -> HttpResponse:
    """One version as JSON with its digest, to be kept outside, such as in a preregistration."""
    version = get_object_or_404(ProtocolVersion.objects.select_related("study"), study=pk, number=number)
    name = f"study-{pk}-protocol-{number}-{version.digest[:12]}.json"
    response = HttpResponse(exported(version), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _chosen(
    request: StaffRequest, name: str, otherwise: int, versions: Mapping[int, ProtocolVersion]
) -> ProtocolVersion:
    chosen = request.GET.get(name, "")
    number = whole_number(chosen) if chosen else otherwise
    if number is None or number not in versions:
        raise Http404(f"This study has no version {chosen!r} of its protocol.")
    return versions[number]
