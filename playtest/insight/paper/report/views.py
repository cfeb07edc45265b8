"""The page of a study's report, its files, and the list of all reports."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playtest.insight.models import ReleasedReport
from playtest.insight.paper.report.build import (
    entries_of,
    newest_answers,
    report_of,
    scope_said,
    unanswered,
)
from playtest.insight.services.reports import answer_item, bring_studies_up_to_date
from playtest.insight.templatetags.reports import at_item
from playtest.people.access import StaffRequest, requires
from playtest.people.downloads import attachment
from playtest.people.refusals import refusal_told
from playtest.people.roles import Right
from playtest.play.models import Study
from playtest.rules.document import value_of
from playtest.rules.reporting.document import CHAPTERS, ITEMS, LONGEST_ANSWER, Report
from playtest.rules.reporting.latex import as_latex, tables
from playtest.rules.reporting.markdown import as_markdown
from playtest.rules.text import whole_number


@dataclass(frozen=True)
class Format:
    """A form of a report, what it is called, the ending of its files and their content type."""

    label: str
    write: Callable[[Report], str | bytes]
    ending: str
    content_type: str


def as_html(report: Report) -> str:
    """One file without links to elsewhere."""
    return render_to_string("insight/report/file.html", {"report": report})


def as_json(report: Report) -> str:
    """The report with its digest.

    The digest is the SHA-256 of the member "report" as canonical JSON: names sorted, no spaces, UTF-8.
    """
    document = {"digest": report.digest, "report": report.document}
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def as_zip(report: Report) -> bytes:
    """The LaTeX document, and every table in full as CSV beside it; the same bytes each time."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as file:
        for name, text in {"report.tex": as_latex(report), **tables(report)}.items():
            file.writestr(ZipInfo(name), text, ZIP_DEFLATED)
    return packed.getvalue()


FORMATS = {
    "html": Format("HTML", as_html, "html", "text/html; charset=utf-8"),
    "markdown": Format("Markdown", as_markdown, "md", "text/markdown; charset=utf-8"),
    "latex": Format("LaTeX", as_latex, "tex", "application/x-tex; charset=utf-8"),
    "zip": Format("LaTeX with its tables as CSV", as_zip, "zip", "application/zip"),
    "json": Format("JSON", as_json, "json", "application/json"),
}


@require_safe
@requires(Right.READ_SURVEYS)
def report(request: StaffRequest, pk: int) -> HttpResponse:
    """One chapter of the report as the results are now, and what a person still has to answer in all.

    `chapter` is a key of CHAPTERS; without it, the first one with an item that waits for an answer.
    """
    study = get_object_or_404(Study, pk=pk)
    bring_studies_up_to_date([study])
    newest = newest_answers(study)
    missing = unanswered(newest)
    shown = request.GET.get("chapter", missing[0].place if missing else ITEMS[0].place)
    if shown not in CHAPTERS:
        raise Http404(f"A report has no chapter {shown!r}.")
    waiting = Counter(item.place for item in missing)
    context = {
        "study": study,
        "scope": scope_said(study),
        "items": len(ITEMS),
        "missing": missing,
        "chapters": [(place, title, waiting[place]) for place, title in CHAPTERS.items()],
        "shown": shown,
        "entries": entries_of(study, [item for item in ITEMS if item.place == shown], newest),
        "answers": newest,
        "versions": {item: answer.version for item, answer in newest.items()},
        "formats": FORMATS.values(),
        "longest": LONGEST_ANSWER,
        "may_answer": request.user.may(Right.MANAGE_STUDIES),
        "released": ReleasedReport.objects.filter(study=study)
        .select_related("release__environment")
        .order_by("-release__released_at"),
    }
    return render(request, "insight/report/report.html", context)


@require_safe
@requires(Right.READ_SURVEYS)
def file(request: StaffRequest, pk: int, format: str) -> HttpResponse:  # noqa: A002
    """The report as a file, as the results are now."""
    study = get_object_or_404(Study, pk=pk)
    bring_studies_up_to_date([study])
    return _file(report_of(study), format, f"study-{pk}")


@require_safe
@requires(Right.READ_SURVEYS)
def released(request: StaffRequest, code: str, number: int, pk: int, format: str) -> HttpResponse:  # noqa: A002
    """The report of a study as it stood when a baseline was released."""
    found = get_object_or_404(
        ReleasedReport, release__environment__code=code, release__number=number, study=pk
    )
    return _file(value_of(Report, found.document), format, f"{code}-baseline-{number}-study-{pk}")


@require_POST
@requires(Right.MANAGE_STUDIES)
def answer(request: StaffRequest, pk: int, item: str) -> HttpResponse:
    """Stores an answer, or shows the page with the refusal."""
    study = get_object_or_404(Study, pk=pk)
    based_on = whole_number(request.POST.get("based_on", "")) or 0
    with refusal_told(request, f"The answer to item {item} is stored."):
        answer_item(study, item, request.POST.get("text", ""), request.user, based_on=based_on)
    known = any(one.number == item for one in ITEMS)
    return redirect(reverse("insight:report", args=[pk]) + (at_item(item) if known else ""))


def _file(found: Report, format: str, name: str) -> HttpResponse:  # noqa: A002
    known = next((one for one in FORMATS.values() if one.ending == format), None)
    if known is None:
        raise Http404(f"A report has no format {format!r}.")
    name = f"report-{name}-{found.digest[:12]}.{format}"
    return attachment(known.write(found), name, known.content_type)


@require_safe
@requires(Right.READ_SURVEYS)
def reports(request: StaffRequest) -> HttpResponse:
    """Every study with its report, studies of real people first; and reports that were released."""
    came = Count("sessions", filter=Q(sessions__checked_in_at__isnull=False), distinct=True)
    studies = Study.objects.annotate(
        came=came, answered=Count("report_answers__item", distinct=True)
    ).order_by("rehearsal", "-created_at")
    released = ReleasedReport.objects.select_related("release__environment", "study").defer("document")
    context = {"studies": studies, "released": released.order_by("-release__released_at", "study__name")}
    return render(request, "insight/report/list.html", context)
