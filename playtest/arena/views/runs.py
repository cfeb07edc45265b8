"""What agents sent with their actions, as JSON for the replay page."""

from django.http import Http404, JsonResponse
from django.views.decorators.http import require_safe

from playtest.arena.queries.runs import notes_of_block
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.review.views.find import environment_of_attempt, find_attempt
from playtest.review.views.json_api import refusals_as_json
from playtest.rules.text import whole_number
from playtest.studio.models import SightingKind
from playtest.studio.shown import shows


@require_safe
@requires(Right.WATCH_REPLAYS)
@shows(SightingKind.REPLAY, environment_of_attempt)
@refusals_as_json
def notes(request: StaffRequest, pk: int) -> JsonResponse:
    """What came with the actions of a run.

    JSON `{notes: [{seq, reasoning, usage}]}` of one `?block=` of 64 actions, from 0; `reasoning` is the text
    as it was sent, `usage` null if it says none. Refusal 400: block_unknown.
    """
    block = whole_number(request.GET.get("block", "0"))
    if block is None:
        raise Refusal("block_unknown", "Blocks of actions are numbered from 0.", status=400)
    attempt = find_attempt(request, pk)
    if not attempt.is_run:
        raise Http404("This is a person's attempt.")
    found = notes_of_block(attempt, block)
    return JsonResponse(
        {
            "notes": [
                {
                    "seq": note.seq,
                    "reasoning": note.reasoning,
                    "usage": note.usage.as_json() if note.usage.actions else None,
                }
                for note in found
            ]
        }
    )
