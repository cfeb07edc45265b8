"""Comments on a replay, as JSON for the replay page."""

from typing import Any

from django.http import JsonResponse
from django.views.decorators.http import require_http_methods

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.review.models import Comment
from playtest.review.queries.comments import comments_on
from playtest.review.services.comments import CommentContent, add_comment, change_comment, delete_comment
from playtest.review.views.find import find_attempt
from playtest.review.views.json_api import JsonBody, refusals_as_json


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
