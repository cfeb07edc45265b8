"""The editor of a specification card, and the request by which it saves."""

import json
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules import cards as rules
from playtest.rules.cards import PRIOR_LABELS, Control, content_of, control_label, missing
from playtest.rules.errors import RuleError
from playtest.studio.models import SightingKind
from playtest.studio.queries import cards as queries
from playtest.studio.services.cards import save_revision
from playtest.studio.shown import environment_of_address, shows
from playtest.studio.views.cards import card, find_card


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
    content = content_of(latest.content)
    context = {
        "card": found,
        "environment": found.environment,
        "content": {**content.as_json(), "missing": missing(content)},
        "signed": latest.sign_offs.filter(withdrawn_at=None).count(),
        "priors": PRIOR_LABELS.items(),
        "controls": [(control.value, control_label(control)) for control in Control],
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
        saved = save_revision(found, document["based_on"], document["content"], request.user)
    except RuleError as error:
        found.refresh_from_db(fields=["revision"])
        refusal = {"code": error.code, "message": error.message, "revision": found.revision}
        return JsonResponse(refusal, status=HTTPStatus.CONFLICT)
    return JsonResponse({"revision": saved.number, "missing": missing(content_of(saved.content))})


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
