"""What participants of a study see before they play, for staff: the same pages, which store nothing."""

from collections.abc import Callable
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from playtest.people.access import StaffRequest, signed_in
from playtest.people.roles import Right
from playtest.people.tour import note_for
from playtest.play.incentives import currency
from playtest.play.models import Study
from playtest.play.survey_page import asked
from playtest.play.tutorial import TEMPLATES, context_of, part_after, part_of
from playtest.rules.incentive import incentive


def _consent(study: Study) -> dict[str, object]:
    return {
        "text": study.protocol.consent_text,
        "incentive": incentive(study.protocol, currency()),
    }


def _survey(study: Study) -> dict[str, object]:
    return {"questions": asked(study.protocol.survey, {}, {})}


PAGES: dict[str, Callable[[Study], dict[str, object]]] = {
    "consent": _consent,
    "survey": _survey,
    "tutorial": lambda study: {"sitting": f"preview-{study.pk}"},
}
"""What each page shows, in the order of a session."""


@require_http_methods(["GET", "POST"])
@signed_in
def preview(request: StaffRequest, pk: int, name: str) -> HttpResponse:
    """Shows a page that participants of a study see before they play; its form leads to the next one."""
    study = get_object_or_404(Study, pk=pk)
    if name not in PAGES:
        raise Http404(f"Participants have no page {name!r}.")
    back = _back(request, pk)
    part = part_of(study, request.GET.get("part")) if name == "tutorial" else None
    if request.method == "POST":
        if part and (following := part_after(study, part)):
            return redirect(f"{request.path}?{urlencode({**request.GET.dict(), 'part': following})}")
        return _after(request, pk, name) or redirect(back)
    context = PAGES[name](study) | (context_of(study, part) if part else {})
    return render(request, f"play/{TEMPLATES[part] if part else name}.html", {"preview": back, **context})


def _after(request: StaffRequest, pk: int, name: str) -> HttpResponse | None:
    """To the next step of a tour, else to the next page; None after the last one."""
    note = note_for(request, request.user)
    if note and note.after:
        return redirect(note.after.address, preserve_request=note.after.begins)
    following = [*PAGES][[*PAGES].index(name) + 1 :]
    return redirect("play:preview", pk, following[0]) if following else None


def _back(request: StaffRequest, pk: int) -> str:
    """The study's protocol, or home for those who may not read it."""
    may_read = request.user.may(Right.READ_BASELINES)
    return reverse("play:protocol-versions", args=[pk]) if may_read else reverse("people:home")
