"""Staff's pages of studies: list and form, versions of the protocol, the survey, what participants see."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.db.models import Count, IntegerField, OuterRef, Subquery
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from playtest.people.access import StaffRequest, requires, signed_in
from playtest.people.downloads import attachment
from playtest.people.participants import people_by
from playtest.people.roles import Right
from playtest.play.forms import StudyForm
from playtest.play.models import ProtocolVersion, Session, Study
from playtest.play.sessions.page_content import TEMPLATES, asked, context_of, part_after, part_of
from playtest.play.sessions.studies import change_study, create_study, exported
from playtest.play.survey_forms import SurveyForm, forms_of, further, posted_forms, questions_of, with_more
from playtest.rules.errors import RuleError
from playtest.rules.protocol import consent_warning, differences, incentive, statements
from playtest.rules.text import whole_number


@require_safe
@requires(Right.READ_BASELINES)
def studies(request: StaffRequest) -> HttpResponse:
    """Every study, newest first and rehearsals last, with everyone who came, whatever reviewers excluded."""
    newest = ProtocolVersion.objects.filter(study=OuterRef("pk")).order_by("-number")
    rows = Study.objects.order_by("rehearsal", "-created_at").annotate(
        environments=Count("pool", distinct=True),
        target=Subquery(newest.values(people=Cast(KT("document__acceptance__people"), IntegerField()))[:1]),
        version=Subquery(newest.values("number")[:1]),
    )
    came = Session.objects.filter(checked_in_at__isnull=False).values_list("study", "participant").distinct()
    people = people_by(came)
    studies = [(study, people[study.pk]) for study in rows]
    may_change = request.user.may(Right.MANAGE_STUDIES)
    return render(request, "play/studies/list.html", {"studies": studies, "may_change": may_change})


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_STUDIES)
def new_study(request: StaffRequest) -> HttpResponse:
    """Creates a study with its pool and protocol."""
    form = StudyForm(request.POST or None, rehearsal="rehearsal" in request.GET)
    if form.is_valid():
        try:
            created = create_study(request.user, **form.settings())
        except RuleError as refusal:
            form.add_refusal(refusal.code, refusal.message)
        else:
            messages.success(request, "The study is ready. Create sessions for it under Sessions.")
            _warn(request, created)
            return redirect("insight:study", created.pk)
    return render(request, "play/studies/form.html", {"form": form})


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_STUDIES)
def edit_study(request: StaffRequest, pk: int) -> HttpResponse:
    """Changes a study, or makes the next version of its protocol."""
    found = get_object_or_404(Study, pk=pk)
    form = StudyForm(request.POST or None, study=found)
    if form.is_valid():
        try:
            change_study(found, staff=request.user, **form.settings())
        except RuleError as refusal:
            form.add_refusal(refusal.code, refusal.message)
        else:
            messages.success(request, "Saved.")
            _warn(request, found)
            return redirect("insight:study", pk)
    study = Study.objects.get(pk=pk)
    context = {"form": form, "study": study, "newest": study.newest_version}
    return render(request, "play/studies/form.html", context)


def _warn(request: StaffRequest, study: Study) -> None:
    """Tells who saved a study that its consent text contradicts the protocol."""
    if warning := consent_warning(study.protocol):
        messages.warning(request, warning)


def _consent(study: Study) -> dict[str, object]:
    return {
        "text": study.protocol.consent_text,
        "incentive": incentive(study.protocol, study.currency),
    }


def _survey(study: Study) -> dict[str, object]:
    return {"questions": asked(study.protocol.survey, {}, {})}


PAGES: dict[str, Callable[[Study], dict[str, object]]] = {
    "consent": _consent,
    "survey": _survey,
    "tutorial": lambda study: {"session_key": f"preview-{study.pk}"},
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
        following_pages = [*PAGES][[*PAGES].index(name) + 1 :]
        return redirect("play:preview", pk, following_pages[0]) if following_pages else redirect(back)
    context = PAGES[name](study) | (context_of(study, part) if part else {})
    return render(request, f"play/{TEMPLATES[part] if part else name}.html", {"preview": back, **context})


def _back(request: StaffRequest, pk: int) -> str:
    """The study's protocol, or home for those who may not read it."""
    may_read = request.user.may(Right.READ_BASELINES)
    return reverse("play:protocol-versions", args=[pk]) if may_read else reverse("people:home")


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
        "differences": differences(before.value, after.value, study.currency),
        "statements": statements(after.value, study.currency),
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
    return attachment(exported(version), name, "application/json")


def _chosen(
    request: StaffRequest, name: str, otherwise: int, versions: Mapping[int, ProtocolVersion]
) -> ProtocolVersion:
    chosen = request.GET.get(name, "")
    number = whole_number(chosen) if chosen else otherwise
    if number is None or number not in versions:
        raise Http404(f"This study has no version {chosen!r} of its protocol.")
    return versions[number]


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_STUDIES)
def survey(request: StaffRequest, pk: int) -> HttpResponse:
    """Shows and changes the questions; the buttons "one" and "papers" only add parts to the page."""
    study = get_object_or_404(Study, pk=pk)
    adds = request.method == "POST" and "add" in request.POST
    saves = request.method == "POST" and not adds
    form = SurveyForm(request.POST if request.method == "POST" else None, study)
    if adds:
        more = further() if request.POST["add"] == "papers" else (None,)
        parts = with_more(request.POST, more)
    else:
        parts = posted_forms(request.POST) if saves else forms_of(study.protocol.survey)
    if saves and form.is_valid() and parts.is_valid() and _saved(request, study, form, parts):
        return redirect("play:survey-edit", pk)
    study = Study.objects.get(pk=pk)
    context = {"study": study, "newest": study.newest_version, "form": form, "parts": parts, "saves": saves}
    return render(request, "play/studies/survey.html", context)


def _saved(request: StaffRequest, study: Study, form: SurveyForm, parts: object) -> bool:
    try:
        protocol = replace(study.protocol, survey=questions_of(parts))
        change_study(
            study,
            pool=list(study.pool.all()),
            protocol=protocol,
            staff=request.user,
            reason=form.cleaned_data.get("reason", ""),
            edition=form.cleaned_data["edition"],
        )
    except RuleError as refusal:
        place = "reason" if refusal.code in ("reason_missing", "reason_too_long") else None
        form.add_error(place, forms.ValidationError(refusal.message, code=refusal.code))
        return False
    messages.success(request, "Saved. Sessions that check in from now on are asked these questions.")
    return True
