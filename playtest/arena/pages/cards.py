"""Scorecards: their list, one with its notes, development against held-out sets, and exports of runs."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.conf import settings
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from playtest.arena.models import Board, Play, Scorecard
from playtest.arena.runs.cards import LONGEST_NOTE, add_note
from playtest.arena.runs.custody import told_of
from playtest.arena.runs.exports import FORMATS, environments_of, request_runs, run_exports
from playtest.arena.runs.owners import STATES, listed, owner_says
from playtest.arena.runs.sums import summarise_cards
from playtest.arena.scores import comparisons
from playtest.arena.scores.card_scores import CardScore, card_score, card_scores, default_reading
from playtest.arena.scores.holdouts import holdout_report
from playtest.arena.scores.run_analyses import analyse_card
from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.scope import EVERYONE
from playtest.jobs.models import UNFINISHED
from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import refusal_told
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
    agent = forms.CharField(label="Name of the agent", max_length=100)
    code_url = forms.CharField(
        label="Address of its public code (needed on the community board)", required=False, max_length=500
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


def list_context(request: HttpRequest, cards: QuerySet[Scorecard]) -> dict[str, Any]:
    """A page of those of these cards that the address asks for by `q`, `tag` and `state`.

    `rows`: the score, what the owner says, and what may be told of each card.
    """
    chosen = {name: request.GET.get(name, "")[:100] for name in ("q", "tag", "state")}
    found, tags = listed(cards, chosen["q"], chosen["tag"], chosen["state"])
    page = Paginator(found, _CARDS_A_PAGE).get_page(request.GET.get("page"))
    keys = list(page.object_list)
    shown = Scorecard.objects.select_related("key").in_bulk(keys).values()
    summarise_cards(shown)
    scores, says, told = card_scores(shown), owner_says(keys), told_of(shown)
    return {
        **chosen,
        "page": page,
        "rows": [(scores[key], says[key], told[key]) for key in keys],
        "tags": tags,
        "states": STATES,
        "filtered": any(chosen.values()),
    }


@require_safe
@requires(Right.READ_BOARDS)
def cards(request: StaffRequest) -> HttpResponse:
    """The scorecards of agents that match a search, with score, cost and state."""
    context = list_context(request, Scorecard.objects.all())
    return render(request, "arena/cards.html", context | {"of_staff": True, "base_url": base_url(request)})


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


def reading_context(found: Scorecard, reading: Reading, replay: Callable[[Play], str]) -> dict[str, Any]:
    """What the templates of a card need; `replay`: where its reader watches a play, "" if nowhere."""
    summarise_cards([found])
    score = card_score(found, reading)
    return {
        "card": found,
        "score": score,
        "told": True,
        "whole": True,
        "of_plays": comparisons.mean_of_plays(score),
        "repeats": comparisons.repeats([found], reading, {found.pk: score}).get(found.pk),
        "variants": list(Variant),
        "entry": getattr(found, "entry", None),
        "removal": getattr(getattr(found, "entry", None), "removal", None),
        "says": owner_says([found.pk])[found.pk],
        "replay": cache(replay),  # a play is named in several tables
    }


def card_page(request: StaffRequest, found: Scorecard, refused: EntryForm | None = None) -> HttpResponse:
    """The page of a card; `refused` is the form by which it could not be entered on a board."""
    reading = reading_of(request, default_reading(found))
    context = reading_context(found, reading, lambda play: reverse("review:attempt", args=[play.attempt_id]))
    bring_people_up_to_date([context["score"]])
    analysis = analyse_card(context["score"], context["replay"], with_people=True)
    context |= {
        "of_staff": True,
        "analysis": analysis,
        "holdout": holdout_report(context["score"], analysis),
        "difference": comparisons.difference_to_people(context["score"]),
        "declaration": getattr(context["entry"], "declaration", None),
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
    page = Paginator(comparisons.agents_in_competition(), _AGENTS_A_PAGE).get_page(request.GET.get("page"))
    agents = list(page)
    summarise_cards(comparisons.closed_cards_of(agents))
    context = {
        "reading": reading,
        "variants": list(Variant),
        "page": page,
        "rows": comparisons.development_of(agents, reading),
        "over_environments": Over.ENVIRONMENTS,
        "over_runs": Over.RUNS,
    }
    return render(request, "arena/development.html", context)


AGENTS = settings.BASE_DIR / "docs" / "agents.md"


@require_safe
@requires(Right.READ_BOARDS)
def reference_agents(request: StaffRequest) -> HttpResponse:
    """How the reference agents play, and where their code is (docs/agents.md)."""
    return render(request, "people/handbook.html", {"text": AGENTS.read_text(), "title": "Reference agents"})


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
    with refusal_told(request):
        if not form.is_valid():
            raise Refusal("format_unknown", "Choose one of the formats of this form.")
        request_runs(chosen, ExportKind(form.cleaned_data["kind"]), request.user, queue)
        warn_if_unreachable(request, queue)
        return redirect("arena:exports")
    if isinstance(chosen, Scorecard):
        return redirect("arena:card", chosen.card_id)
    return redirect("arena:environment", chosen.code)
