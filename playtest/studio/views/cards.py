"""Specification cards: the list, one card with sign-offs and comments, its editor, what reviewers do."""

import json
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from shutil import make_archive
from tempfile import TemporaryDirectory
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.play.packing import PACKAGE
from playtest.people.access import StaffRequest, requires
from playtest.people.downloads import attachment
from playtest.people.refusals import refusal_told, tell_refusal
from playtest.people.roles import Right
from playtest.rules import cards as rules
from playtest.rules.errors import RuleError
from playtest.rules.text import whole_number
from playtest.studio.models import Environment, SightingKind, SpecificationCard
from playtest.studio.queries import cards as queries
from playtest.studio.services import cards as services
from playtest.studio.shown import environment_of_address, of_programs, shows
from playtest.studio.starting_point import write_folder


class NewCardForm(forms.Form):
    """The id that the card reserves, and a title for staff."""

    code = forms.CharField(
        max_length=4,
        label="Id",
        help_text="Four characters without a meaning: a letter, then letters or digits.",
    )
    title = forms.CharField(max_length=100, required=False, help_text="Only staff see it.")


@require_safe
@requires(Right.READ_BASELINES)
def cards(request: StaffRequest) -> HttpResponse:
    """The specification cards, the one saved last first."""
    rows = queries.listed_cards()
    context = {
        "rows": rows,
        "approved": sum(row.approved for row in rows),
        "needed": rules.SIGN_OFFS,
        "both_kinds": len({row.card.environment.kind for row in rows}) > 1,
        "may_manage": request.user.may(Right.MANAGE_ENVIRONMENTS),
    }
    return render(request, "studio/cards.html", context)


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_ENVIRONMENTS)
def new(request: StaffRequest) -> HttpResponse:
    """Begins a card, which reserves an id."""
    form = NewCardForm(request.POST or None)
    if form.is_valid():
        code, title = form.cleaned_data["code"].strip().lower(), form.cleaned_data["title"]
        try:
            services.create_card(code, title, request.user)
        except RuleError as error:
            form.add_error("code", forms.ValidationError(error.message, code=error.code))
        else:
            return redirect("studio:card-edit", code)
    return render(request, "studio/card-new.html", {"form": form})


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def new_of_environment(request: StaffRequest, code: str) -> HttpResponse:
    """Begins the card of an environment that was imported without one."""
    environment = get_object_or_404(Environment, code=code)
    try:
        services.create_card_of(environment, request.user)
    except RuleError as error:
        tell_refusal(request, error)
        return redirect("studio:card", code)
    return redirect("studio:card-edit", code)


@require_safe
@requires(Right.READ_BASELINES)
@shows(SightingKind.STUDIO, environment_of_address)
def card(request: StaffRequest, code: str) -> HttpResponse:
    """A card; `revision`: an earlier one."""
    found = find_card(code)
    number = whole_number(request.GET.get("revision", ""))
    shown = get_object_or_404(found.revisions, number=found.revision if number is None else number)
    content = rules.content_of(shown.content)
    signers = [one.staff_id for one in shown.sign_offs.filter(withdrawn_at=None)]
    context = {
        "card": found,
        "environment": found.environment,
        "shown": shown,
        "is_latest": shown.number == found.revision,
        "content": content,
        "introduced": rules.introduced(content),
        "priors": [rules.PRIOR_LABELS[rules.Prior(one)] for one in content.priors],
        "controls": [rules.control_label(rules.Control(one)) for one in content.controls],
        "missing": queries.lacks(found, content),
        "known_games": queries.known_games(),
        "history": queries.history(found),
        "comments": queries.comments(found),
        "signed": len(signers),
        "needed": rules.SIGN_OFFS,
        "approved": len(signers) >= rules.SIGN_OFFS,
        "has_signed": request.user.pk in signers,
        "is_author": request.user.pk == found.author_id,
        "may_review": request.user.may(Right.REVIEW_CARDS),
        "may_manage": request.user.may(Right.MANAGE_ENVIRONMENTS),
        "longest": services.LONGEST_COMMENT,
    }
    return render(request, "studio/card.html", context)


@require_safe
@requires(Right.MANAGE_ENVIRONMENTS)
@of_programs
@shows(SightingKind.STUDIO, environment_of_address)
def starting_files(request: StaffRequest, code: str) -> HttpResponse:
    """A ZIP archive of the folder `games/` with the starting point of the environment on a card."""
    environment = find_card(code).environment
    content = queries.content_of_environment(environment) or rules.CardContent()
    with TemporaryDirectory() as made:
        write_folder(Path(made) / PACKAGE, code, environment.title, content)
        archive = Path(make_archive(f"{made}/{code}", "zip", made, PACKAGE)).read_bytes()
    return attachment(archive, f"{code}.zip", "application/zip")


@require_POST
@requires(Right.REVIEW_CARDS)
def sign(request: StaffRequest, code: str) -> HttpResponse:
    """Signs the latest `revision`."""
    found, number = find_card(code), _number(request)
    return _done(request, code, lambda: services.sign_off(found, number, request.user))


@require_POST
@requires(Right.REVIEW_CARDS)
def withdraw(request: StaffRequest, code: str) -> HttpResponse:
    """Withdraws one's own sign-off."""
    found = find_card(code)
    return _done(request, code, lambda: services.withdraw_sign_off(found, request.user))


@require_POST
@requires(Right.REVIEW_CARDS)
def comment(request: StaffRequest, code: str) -> HttpResponse:
    """Comments with `text` on a `revision`."""
    found, number = find_card(code), _number(request)
    text, game = request.POST.get("text", ""), request.POST.get("game", "")
    return _done(
        request, code, lambda: services.comment(found, number, text, request.user, game), "#comments"
    )


def find_card(code: str) -> SpecificationCard:
    """The card of the environment with this id, or 404."""
    return get_object_or_404(
        SpecificationCard.objects.select_related("environment", "author"), environment__code=code
    )


def _number(request: StaffRequest) -> int:
    return whole_number(request.POST.get("revision", "")) or 0


def _done(request: StaffRequest, code: str, do: Callable[[], object], place: str = "") -> HttpResponse:
    """Back to the card, with the refusal if there is one."""
    with refusal_told(request):
        do()
    return redirect(f"{reverse('studio:card', args=[code])}{place}")


@require_safe
@requires(Right.MANAGE_ENVIRONMENTS)
@shows(SightingKind.STUDIO, environment_of_address)
def edit(request: StaffRequest, code: str) -> HttpResponseBase:
    """Edits a card; everybody but its author reads it there."""
    found = find_card(code)
    if found.author_id != request.user.pk:
        messages.info(request, "Only its author changes this card: write a comment instead.")
        return card(request, code)
    latest = queries.latest_revision(found)
    content = rules.content_of(latest.content)
    context = {
        "card": found,
        "environment": found.environment,
        "content": {**content.as_json(), "missing": queries.lacks(found, content)},
        "known_games": queries.known_games(),
        "signed": latest.sign_offs.filter(withdrawn_at=None).count(),
        "priors": rules.PRIOR_LABELS.items(),
        "controls": [(control.value, rules.control_label(control)) for control in rules.Control],
        "limits": rules,
    }
    return render(request, "studio/card-edit.html", context)


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def save(request: StaffRequest, code: str) -> JsonResponse:
    """Saves `content` as the revision after `based_on`; JSON with `revision`, and `missing` as sentences.

    A refusal has `code` and `message`, and the latest `revision`.
    """
    found = find_card(code)
    try:
        document = _document(request)
        saved = services.save_revision(found, document["based_on"], document["content"], request.user)
    except RuleError as error:
        found.refresh_from_db(fields=["revision"])
        refusal = {"code": error.code, "message": error.message, "revision": found.revision}
        return JsonResponse(refusal, status=HTTPStatus.CONFLICT)
    open_ones = queries.lacks(found, rules.content_of(saved.content))
    return JsonResponse({"revision": saved.number, "missing": open_ones})


def _document(request: StaffRequest) -> dict[str, Any]:
    malformed = RuleError("card_malformed", "This card makes no sense: load the page again.")
    if request.content_type != "application/json":  # a form of another page cannot send this
        raise malformed
    try:
        document = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise malformed from error
    if not isinstance(document, dict) or type(document.get("based_on")) is not int:
        raise malformed
    return {"based_on": document["based_on"], "content": document.get("content")}
