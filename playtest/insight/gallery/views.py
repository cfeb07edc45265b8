"""The gallery page, and its figures as files."""

from datetime import timedelta
from functools import cache

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from playtest.insight.figures.response import figure_response
from playtest.insight.gallery.form import refused_form
from playtest.insight.gallery.states import every_kind, figure_named, people, states
from playtest.insight.gallery.tokens import groups
from playtest.insight.results.protocols import Protocols
from playtest.people.access import StaffRequest, signed_in
from playtest.people.trail import Step
from playtest.play.clock import now

TIMES = (20, 4 * 60, 3 * 3600, 26 * 3600, 40 * 86400)
"""Seconds before now."""
STEPS = (Step("Workshop"), Step("Environments", "#part-trail"), Step("vq07", "#part-trail"), Step("Level 3"))


@require_safe
@signed_in
def gallery(request: StaffRequest) -> HttpResponse:
    """What pages are made of, and each state of lists and figures, with invented values."""
    context = {
        "groups": groups(),
        "form": refused_form(),
        "steps": STEPS,
        "times": [now() - timedelta(seconds=ago) for ago in TIMES],
        "durations": [8, 95, 5025],
        "page": people(),
        "drawn": drawn(),
    }
    return render(request, "insight/gallery/gallery.html", context)


@cache
def drawn() -> SafeString:
    """The figures, written once in a process: what they show is invented, and always the same."""
    figures = {"figures": every_kind(), "states": states()}
    return render_to_string("insight/gallery/figures.html", figures)


@require_safe
@signed_in
def figure(request: StaffRequest, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """One figure of the gallery as data."""
    found = figure_named(name)
    if found is None:
        raise Http404
    return figure_response(request, found, format, Protocols())
