"""Scorecards: their list, one with its notes, development against held-out sets, and exports of runs."""

from collections.abc import Iterable
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from playtest.arena.models import Board, BoardEntry, Scorecard
from playtest.arena.runs.cards import LONGEST_NOTE, add_note
from playtest.arena.runs.exports import FORMATS, environments_of, request_runs, run_exports
from playtest.arena.runs.reads import usage_of_cards
from playtest.arena.runs.sums import summarise_cards
from playtest.arena.runs.usage import NO_USAGE
from playtest.arena.scores.card_scores import CardScore, card_score, card_scores, default_reading
from playtest.arena.scores.comparisons import (
    agents_in_competition,
    closed_cards_of,
    development_of,
    difference_to_people,
    mean_of_plays,
    repeats,
)
from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.scope import EVERYONE
from playtest.jobs.models import UNFINISHED
from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import refusal_told, tell_refusal
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.review.models import ExportKind
from playtest.review.tasks.exports import make_export
from playtest.review.views.exports import send_file
from playtest.rules.inference.agents import Over
from playtest.rules.score import Reading, Variant
from playtest.studio.models import Environment, SightingKind
from playtest.studio.shown import shows

_CARDS_A_PAGE = 25
_AGENTS_A_PAGE = 25


class EntryForm(forms.Form):
    """A scorecard enters a board. Its score is derived and no field of this form."""

    board = forms.ChoiceField(choices=Board)
    agent = forms.CharField(
        label="Name of the agent", max_length=BoardEntry._meta.get_field("agent").max_length
    )
    code_url = forms.CharField(
        label="Address of its public code",
        required=False,
        max_length=500,
        help_text="Needed on the community board.",
    )
    description = forms.CharField(
        label="How it works and how it was run", widget=forms.Textarea(attrs={"rows": 4}), max_length=10_000
    )


class FilesForm(forms.Form):
    """The format of exported runs."""

    kind = forms.ChoiceField(label="Files", choices=[(kind.value, kind.label) for kind in FORMATS])


class NoteForm(forms.Form):
    """A note on a scorecard."""

    text = forms.CharField(label="Note", widget=forms.Textarea(attrs={"rows": 2}), max_length=LONGEST_NOTE)


def reading_of(request: HttpRequest, default: Reading) -> Reading:
    """The reading that `variant`, `undo` and `budget` choose; what is missing or unknown is the default's."""
    chosen = request.GET
    return Reading(
        Variant(chosen["variant"]) if chosen.get("variant") in Variant else default.variant,
        {"no": False, "yes": True}.get(chosen.get("undo", ""), default.undo_counts),
        {"no": False, "yes": True}.get(chosen.get("budget", ""), default.budget),
    )


def query_of(reading: Reading) -> str:
    """The reading as the query of an address."""
    return urlencode(
        {
            "variant": reading.variant.value,
            "undo": "yes" if reading.undo_counts else "no",
            "budget": "yes" if reading.budget else "no",
        }
    )


def card_or_404(card_id: UUID) -> Scorecard:
    """The card with this id."""
    related = ("key", "entry__removal", "entry__declaration__harness", "entry__declaration__declared_by")
    found = Scorecard.objects.select_related(*related).filter(card_id=card_id).first()
    if found is None:
        raise Http404("There is no such scorecard.")
    return found


def base_url(request: HttpRequest) -> str:
    """The address of this server as the reader's browser reached it, without a slash at the end."""
    return request.build_absolute_uri("/").rstrip("/")


@require_safe
@requires(Right.READ_BOARDS)
def cards(request: StaffRequest) -> HttpResponse:
    """Every scorecard of agents, with its score, cost and state."""
    found = Scorecard.objects.select_related("key").order_by("-opened_at", "-pk")
    page = Paginator(found, _CARDS_A_PAGE).get_page(request.GET.get("page"))
    summarise_cards(page.object_list)
    scores = card_scores(page.object_list)
    usage = usage_of_cards([card.pk for card in page.object_list])
    rows = [(scores[card.pk], usage.get(card.pk, NO_USAGE)) for card in page.object_list]
    context = {"page": page, "rows": rows, "base_url": base_url(request)}
    return render(request, "arena/cards.html", context)


@require_safe
@requires(Right.READ_BOARDS)
def card(request: StaffRequest, card_id: UUID) -> HttpResponse:
    """One scorecard: its score by a chosen reading, each environment and level, and what the agent said."""
    return card_page(request, card_or_404(card_id))


@require_POST
@requires(Right.READ_BOARDS)
def note(request: StaffRequest, card_id: UUID) -> HttpResponse:
    """Adds a note to a scorecard."""
    with refusal_told(request):
        add_note(card_or_404(card_id), request.POST.get("text", ""), request.user)
    return redirect("arena:card", card_id)


def card_page(request: StaffRequest, found: Scorecard, refused: EntryForm | None = None) -> HttpResponse:
    """The page of a card; `refused` is the form by which it could not be entered on a board."""
    summarise_cards([found])
    score = card_score(found, reading_of(request, default_reading(found)))
    bring_people_up_to_date([score])
    entry = getattr(found, "entry", None)
    context = {
        "card": found,
        "score": score,
        "of_plays": mean_of_plays(score),
        "repeats": repeats([found], score.reading).get(found.pk),
        "difference": difference_to_people(score),
        "usage": usage_of_cards([found.pk]).get(found.pk, NO_USAGE),
        "variants": list(Variant),
        "entry": entry,
        "removal": getattr(entry, "removal", None),
        "declaration": getattr(entry, "declaration", None),
        "notes": found.notes.select_related("written_by"),
        "note_form": NoteForm(),
        "files_form": FilesForm(),
        "form": refused or EntryForm(),
        "may_enter": request.user.may(Right.MANAGE_KEYS),
    }
    return render(request, "arena/card.html", context, status=400 if refused else 200)


def bring_people_up_to_date(scores: Iterable[CardScore]) -> None:
    """Brings up to date the level results of the people with whom agents are compared."""
    environments = {one.version.environment_id for score in scores for one in score.environments}
    bring_up_to_date(EVERYONE.attempts.filter(environment__in=environments))


@require_safe
@requires(Right.READ_BOARDS)
def development(request: StaffRequest) -> HttpResponse:
    """What agents score on the public set, against what they score on the held-out sets."""
    reading = reading_of(request, Reading())
    page = Paginator(agents_in_competition(), _AGENTS_A_PAGE).get_page(request.GET.get("page"))
    agents = list(page)
    summarise_cards(closed_cards_of(agents))
    context = {
        "reading": reading,
        "variants": list(Variant),
        "page": page,
        "rows": development_of(agents, reading),
        "over_environments": Over.ENVIRONMENTS,
        "over_runs": Over.RUNS,
    }
    return render(request, "arena/development.html", context)


_ROWS_A_PAGE = 50


@require_safe
@never_cache
@requires(Right.READ_BOARDS)
def exports(request: StaffRequest) -> HttpResponse:
    """Who took which runs as files, and when; each person's own files to download."""
    page = Paginator(run_exports(), _ROWS_A_PAGE).get_page(request.GET.get("page"))
    running = any(export.status in UNFINISHED for export in page)
    return render(request, "arena/exports.html", {"page": page, "running": running})


@require_POST
@requires(Right.READ_BOARDS)
def export_card(request: StaffRequest, card_id: UUID) -> HttpResponse:
    """Requests the runs of a scorecard as files."""
    return _request(request, card_or_404(card_id))


@require_POST
@requires(Right.READ_BOARDS)
def export_environment(request: StaffRequest, code: str) -> HttpResponse:
    """Requests all runs of an environment as files."""
    return _request(request, get_object_or_404(Environment, code=code))


def _exported(request: StaffRequest, pk: int) -> QuerySet[Environment]:
    """The environments whose runs are in the file."""
    return environments_of(run_exports().get(pk=pk).options)


@require_safe
@never_cache
@requires(Right.READ_BOARDS)
@shows(SightingKind.FILE, _exported)
def export_file(request: StaffRequest, pk: int) -> HttpResponseBase:
    """The file of an export, for the person who is recorded as having taken it."""
    export = get_object_or_404(run_exports(), pk=pk, requested_by=request.user)
    subject = export.options.get("environment") or f"card-{export.options['card'][:8]}"
    return send_file(request, export, f"runs-{subject}.zip")


def _request(request: StaffRequest, chosen: Scorecard | Environment) -> HttpResponse:
    form, queue = FilesForm(request.POST), Queue(make_export)
    try:
        if not form.is_valid():
            raise Refusal("format_unknown", "Choose Parquet or CSV.")
        request_runs(chosen, ExportKind(form.cleaned_data["kind"]), request.user, queue)
    except Refusal as refusal:
        tell_refusal(request, refusal)
        if isinstance(chosen, Scorecard):
            return redirect("arena:card", chosen.card_id)
        return redirect("arena:environment", chosen.code)
    warn_if_unreachable(request, queue)
    return redirect("arena:exports")
