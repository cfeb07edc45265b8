"""Collections of replays, and comments on a replay."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import tell_refusal
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.review.models import Collection, CollectionItem, Comment
from playtest.review.queries.decisions import sessions_asking
from playtest.review.services import collections as services
from playtest.review.services.collections import (
    CommentContent,
    add_comment,
    change_comment,
    comments_on,
    delete_comment,
)
from playtest.review.views.json_api import JsonBody, find_attempt, refusals_as_json


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.WATCH_ATTEMPTS)
def collections(request: StaffRequest) -> HttpResponse:
    """Every collection; POST creates one."""
    if request.method == "POST":
        try:
            made = services.create_collection(request.user, request.POST.get("name", ""))
        except Refusal as refusal:
            tell_refusal(request, refusal)
        else:
            return redirect("review:collection", made.pk)
    return render(request, "review/collections.html", {"collections": services.collections()})


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.WATCH_ATTEMPTS)
def collection(request: StaffRequest, pk: int) -> HttpResponse:
    """One collection in its order; POST changes name and note, or deletes it."""
    found = get_object_or_404(Collection, pk=pk)
    if request.method == "POST":
        try:
            if request.POST.get("command") == "delete":
                services.delete_collection(found, request.user)
                return redirect("review:collections")
            services.change_collection(found, request.POST.get("name", ""), request.POST.get("note", ""))
        except Refusal as refusal:
            tell_refusal(request, refusal)
        return redirect("review:collection", pk)
    context = {
        "collection": found,
        "items": services.items_of(found),
        "mine": found.author == request.user,
        "asking": sessions_asking(request.user),
    }
    return render(request, "review/collection.html", context)


_COMMANDS: dict[str, Callable[[CollectionItem, str], None]] = {
    "up": lambda item, _: services.move_item(item, -1),
    "down": lambda item, _: services.move_item(item, 1),
    "note": services.set_note,
    "remove": lambda item, _: services.remove_item(item),
}


@require_POST
@requires(Right.WATCH_ATTEMPTS)
def item(request: StaffRequest, pk: int) -> HttpResponse:
    """Moves a replay `up` or `down`, sets its `note`, or `remove`s it."""
    found = get_object_or_404(CollectionItem, pk=pk)
    try:
        command = _COMMANDS.get(request.POST.get("command", ""))
        if command is None:
            raise Refusal("malformed_request", "The request makes no sense: load the page again.", status=400)
        command(found, request.POST.get("note", ""))
    except Refusal as refusal:
        tell_refusal(request, refusal)
    return redirect("review:collection", found.collection_id)


@require_safe
@requires(Right.WATCH_ATTEMPTS)
def choices(request: StaffRequest) -> JsonResponse:
    """The collections a replay can be added to."""
    found = [{"id": one.pk, "name": one.name, "size": one.size} for one in services.collections()]  # type: ignore[attr-defined]
    return JsonResponse({"collections": found})


@require_POST
@requires(Right.WATCH_ATTEMPTS)
@refusals_as_json
def collect(request: StaffRequest, pk: int) -> JsonResponse:
    """Add this replay: POST `{collection, seq, note}`, or `{name, seq, note}` for a new collection."""
    attempt = find_attempt(request, pk)
    body = JsonBody(request)
    seq, note = body.whole("seq"), body.text("note", "")
    if known := body.whole("collection", 0):
        added = services.add_item(known, attempt, seq, note)
    else:
        added = services.create_with_item(request.user, body.text("name", ""), attempt, seq, note)
    return JsonResponse({"id": added.pk, "collection": added.collection_id}, status=201)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.WATCH_REPLAYS)
@refusals_as_json
def comments(request: StaffRequest, pk: int) -> JsonResponse:
    """GET: an attempt's comments. POST `{seq, seconds, text, tags}`: adds one, 201."""
    attempt = find_attempt(request, pk)
    if request.method == "POST":
        body = JsonBody(request)
        content = CommentContent.of(body.text("text", ""), body.texts("tags"))
        made = add_comment(attempt, request.user, body.whole("seq"), body.number("seconds"), content)
        return JsonResponse(_described(made, request), status=201)
    found = comments_on(attempt, request.user)
    return JsonResponse({"comments": [_described(comment, request) for comment in found]})


@require_http_methods(["PUT", "DELETE"])
@requires(Right.WATCH_REPLAYS)
@refusals_as_json
def comment(request: StaffRequest, pk: int) -> JsonResponse:
    """PUT `{text, tags}`: changes a comment. DELETE: deletes it."""
    if request.method == "DELETE":
        delete_comment(pk, request.user)
        return JsonResponse({})
    body = JsonBody(request)
    content = CommentContent.of(body.text("text", ""), body.texts("tags"))
    return JsonResponse(_described(change_comment(pk, request.user, content), request))


def _described(comment: Comment, request: StaffRequest) -> dict[str, Any]:
    return {
        "id": comment.pk,
        "seq": comment.seq,
        "seconds": comment.seconds,
        "text": comment.text,
        "tags": comment.tags,
        "author": comment.author.get_username(),
        "mine": comment.author_id == request.user.pk,
        "created_at": comment.created_at.isoformat(),
        "changed_at": comment.changed_at.isoformat() if comment.changed_at else None,
    }
