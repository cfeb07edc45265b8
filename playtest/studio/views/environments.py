"""An environment's page in the studio: its description, versions, stages and evidence."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.jobs.models import UNFINISHED
from playtest.people.access import RightMissing, StaffRequest, requires
from playtest.people.downloads import attachment
from playtest.people.models import Staff
from playtest.people.refusals import refusal_told
from playtest.people.roles import Right
from playtest.rules.cards import CardContent
from playtest.rules.pipeline import Need
from playtest.rules.protocol import DEFAULT
from playtest.studio.models import DEVELOPERS, Environment, ReleaseSet, SightingKind, SpecificationCard
from playtest.studio.queries import cards, catalogue, redundancy, uploads
from playtest.studio.queries.evidence import plan
from playtest.studio.queries.gates import unguessable
from playtest.studio.queries.waivers import fact_of
from playtest.studio.services.catalogue import describe
from playtest.studio.services.packing import archive_of
from playtest.studio.services.waivers import waive as waive_need
from playtest.studio.shown import environment_of_address, may_take_files, of_programs, shows
from playtest.studio.starting_point import note_of
from playtest.studio.views.tasks import task_page


class OwnerField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Staff) -> str:
        return obj.get_username()


class DescriptionForm(forms.Form):
    """What staff write about an environment; participants see none of it."""

    title = forms.CharField(max_length=100, required=False)
    owner = OwnerField(Staff.objects.none(), required=False, empty_label="nobody")
    release_set = forms.ChoiceField(choices=ReleaseSet.choices, label="Set")
    note = forms.CharField(
        max_length=100_000,
        required=False,
        label="Designer's note",
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text="Markdown. A NOTE.md beside the source takes its place whenever the folder is imported.",
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        owner = self.fields["owner"]
        assert isinstance(owner, OwnerField)
        owner.queryset = Staff.objects.filter(is_active=True).order_by("username")


@require_safe
@requires(Right.READ_BASELINES)
@shows(SightingKind.STUDIO, environment_of_address)
def environment(request: StaffRequest, code: str) -> HttpResponse:
    """Everything the studio knows of one environment."""
    found = _find(code)
    if not found.kind.has_program:
        return task_page(request, found)
    context = _jobs(request, found) | {
        "versions": catalogue.versions(found),
        "waiting_uploads": uploads.waiting_of(found),
        "moves": catalogue.moves(found),
        "recordings": catalogue.recordings(found),
        "developers": DEVELOPERS,
        "one_win_in": f"{DEFAULT.random_player.one_win_in:,}",
        "recording_changes": catalogue.recording_changes(found),
        "card": SpecificationCard.objects.filter(environment=found).exists(),
        "card_fact": fact_of(found, Need.CARD, cards.facts([found])[found.pk]),
        "redundancy": [(one.other(found).code, one) for one in redundancy.marks_of([found])[found.pk]],
        "may_manage": request.user.may(Right.MANAGE_ENVIRONMENTS),
        "may_play": request.user.may(Right.PLAY_INTERNALLY),
        "may_import": request.user.may(Right.IMPORT_ENVIRONMENTS),
        "may_take_files": may_take_files(request.user, found),
    }
    return render(request, "studio/environment.html", context)


@never_cache
@require_safe
@requires(Right.READ_BASELINES)
@of_programs
def now(request: StaffRequest, code: str) -> HttpResponse:
    """The parts of the page that change while a job runs."""
    return render(request, "studio/environment-now.html", _jobs(request, _find(code)))


@never_cache
@require_safe
@requires(Right.READ_BASELINES)
@shows(SightingKind.FRAMES, environment_of_address)
def draft(request: StaffRequest, code: str) -> HttpResponse:
    """The levels of the newest draft as pictures; with `part`, what changes when another one is saved."""
    found = _find(code)
    newest = found.versions.filter(is_draft=True).defer("source").order_by("-imported_at", "-pk").first()
    page = "studio/draft-levels.html" if "part" in request.GET else "studio/draft.html"
    return render(request, page, {"environment": found, "draft": newest})


@require_safe
@requires(Right.UPLOAD_VERSIONS)
@of_programs
@shows(SightingKind.SOURCE, environment_of_address)
def version_files(request: StaffRequest, code: str, pk: int) -> HttpResponse:
    """A ZIP archive of the folder of an imported version, to be changed and uploaded."""
    environment = _find(code)
    if not may_take_files(request.user, environment):
        raise RightMissing(Right.IMPORT_ENVIRONMENTS)
    found = get_object_or_404(environment.versions, pk=pk, is_draft=False)
    return attachment(archive_of(found), f"{code}-{found.digest[:8]}.zip", "application/zip")


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_ENVIRONMENTS)
@shows(SightingKind.STUDIO, environment_of_address)
def edit(request: StaffRequest, code: str) -> HttpResponse:
    """Title, owner, set and note."""
    found = _find(code)
    initial = {
        "title": found.title,
        "owner": found.owner_id,
        "release_set": found.release_set,
        "note": found.note
        or note_of(code, found.title, cards.content_of_environment(found) or CardContent()),
    }
    form = DescriptionForm(request.POST or None, initial=initial)
    if form.is_valid():
        describe(found, **form.cleaned_data)
        messages.success(request, "Saved.")
        return redirect("studio:environment", code)
    return render(request, "studio/edit.html", {"environment": found, "form": form})


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def waive(request: StaffRequest, code: str) -> HttpResponse:
    """Asks for a waiver of a `need`, grants or ends it (`state`), for a `reason`."""
    need, state = request.POST.get("need", ""), request.POST.get("state", "")
    with refusal_told(request, "Saved."):
        waive_need(_find(code), need, request.POST.get("reason", ""), request.user, state)
    return redirect(f"{reverse('studio:environment', args=[code])}#waivers")


def _jobs(request: StaffRequest, found: Environment) -> dict[str, Any]:
    """The jobs on the page; `live` while one is unfinished."""
    qualifications, levels = list(catalogue.qualifications(found)), catalogue.levels(found)
    jobs = [*qualifications, *(level.exploration for level in levels if level.exploration)]
    judged = [level.known for level in levels]
    live = any(job.status in UNFINISHED for job in jobs) or any(level.playing for level in levels)
    return {
        "environment": found,
        "qualifications": qualifications,
        "levels": levels,
        "unguessable": fact_of(found, Need.UNGUESSABLE, unguessable(judged)),
        "plan": plan(found.current, judged) if found.current else None,
        "live": live,
        "may_start": request.user.may(Right.RUN_QUALIFICATION),
    }


def _find(code: str) -> Environment:
    return get_object_or_404(Environment.objects.select_related("current", "owner"), code=code)
