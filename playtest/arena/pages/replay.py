"""The parts of a run's replay page: its agent and card, what came with each action, and what it used."""

from typing import Any

from django.http import Http404, JsonResponse
from django.views.decorators.http import require_safe

from playtest.arena.models import Play
from playtest.arena.runs.sums import notes_of_block, sums
from playtest.arena.runs.usage import NO_USAGE, usage_in
from playtest.people.access import StaffRequest, requires
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.review.views.json_api import environment_of_attempt, find_attempt, refusals_as_json
from playtest.rules.text import whole_number
from playtest.studio.models import Environment, SightingKind
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
    attempt = find_attempt(request, pk)
    if not attempt.is_run:
        raise Http404("This is a person's attempt.")
    return JsonResponse(notes_document(attempt, request.GET.get("block", "0")))


def notes_document(attempt: Attempt, chosen: str) -> dict[str, Any]:
    """What came with the actions of a block, as `notes` says. Refusal 400: block_unknown."""
    block = whole_number(chosen)
    if block is None:
        raise Refusal("block_unknown", "Blocks of actions are numbered from 0.", status=400)
    found = [
        {"seq": seq, "reasoning": text, "usage": usage.as_json() if usage.actions else None}
        for seq, text in notes_of_block(attempt, block)
        for usage in [usage_in(text)]
    ]
    return {"notes": found}


def run_facts(_: Staff | None, attempt: Attempt) -> dict[str, Any]:
    """Its card and key; None where it was played without a card."""
    plays = Play.objects.select_related("run__card__key").filter(attempt=attempt)
    return {"attempt": attempt, "play": plays.first()}


def run_notes(_: Staff | None, attempt: Attempt) -> dict[str, Any]:
    """The panel that follows the playback."""
    return {"attempt": attempt}


def run_usage(_: Staff | None, attempt: Attempt) -> dict[str, Any]:
    """What each level and the whole run used: its number, its actions, and what they say."""
    levels = sums([attempt.pk])[attempt.pk].levels
    total = sum((one.usage for one in levels.values()), NO_USAGE)
    rows = [(str(level), one.counts.actions, one.usage) for level, one in levels.items()]
    rows.append(("Run", sum(actions for _, actions, _ in rows), total))
    return {"levels": rows, "total": total, "attempt": attempt}


def environment_link(staff: Staff | None, environment: Environment) -> dict[str, Any]:
    """The way from an environment to its agents, for staff who may read boards."""
    return {"environment": environment, "may_read": staff is not None and staff.may(Right.READ_BOARDS)}
