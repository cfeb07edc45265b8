"""Studies: the list and the form. The page of one is `insight.study.views`."""

from django.contrib import messages
from django.db.models import Count, IntegerField, OuterRef, Q, Subquery
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.forms import StudyForm
from playtest.play.models import ProtocolVersion, Study
from playtest.play.services.studies import change_study, create_study
from playtest.rules.errors import RuleError
from playtest.rules.protocol_text import consent_warning


@require_safe
@requires(Right.READ_BASELINES)
def studies(request: StaffRequest) -> HttpResponse:
    """Every study, newest first, with everyone who came, whatever reviewers excluded."""
    newest = ProtocolVersion.objects.filter(study=OuterRef("pk")).order_by("-number")
    rows = Study.objects.order_by("-created_at").annotate(
        environments=Count("pool", distinct=True),
        people=Count("sessions__participant", filter=Q(sessions__checked_in_at__isnull=False), distinct=True),
        target=Subquery(newest.values(people=Cast(KT("document__acceptance__people"), IntegerField()))[:1]),
        version=Subquery(newest.values("number")[:1]),
    )
    may_change = request.user.may(Right.MANAGE_STUDIES)
    return render(request, "play/studies/list.html", {"studies": rows, "may_change": may_change})


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_STUDIES)
def new_study(request: StaffRequest) -> HttpResponse:
    """Creates a study with its pool and protocol."""
    form = StudyForm(request.POST or None)
    if form.is_valid():
        try:
            created = create_study(request.user, **form.settings())
        except (Refusal, RuleError) as refusal:
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
        except (Refusal, RuleError) as refusal:
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
