"""The answers of a participant about an environment."""

import json

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from playtest.people.access import declares
from playtest.people.rate_limits import allow
from playtest.people.roles import Audience
from playtest.play.debriefs import attempt_of
from playtest.play.errors import Refusal
from playtest.play.services.debriefs import answer_debrief
from playtest.rules.debrief import answers_of
from playtest.rules.errors import RuleError

SAVED = 120
WINDOW_SECONDS = 60


@declares(Audience.ANYONE)
@require_POST
@never_cache
def debrief(request: HttpRequest) -> JsonResponse:
    """Stores the answers that are in the body: {"token": text, "difficulty": 1 to 5 or null, "about": text}.

    Open to whoever has a token that a participant's page got (`play.debriefs`). Answers {"saved": true}, or
    {"code", "message"}: debrief_malformed (400), difficulty_unknown (400), about_too_long (400),
    debrief_unknown (403), debrief_over (409), too_many_answers (429).
    """
    try:
        _store(request.body if request.content_type == "application/json" else b"")
    except RuleError as error:
        return JsonResponse({"code": error.code, "message": error.message}, status=400)
    except Refusal as refusal:
        return JsonResponse({"code": refusal.code, "message": refusal.message}, status=refusal.status)
    return JsonResponse({"saved": True})


def _store(body: bytes) -> None:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):  # neither JSON nor, at times, text
        document = None
    answers = answers_of(document)
    attempt = attempt_of(str(document.get("token")))
    if not allow(f"debrief:{attempt}", SAVED, WINDOW_SECONDS):
        raise Refusal("too_many_answers", "Wait a minute, then change it again.", status=429)
    answer_debrief(attempt, answers)
