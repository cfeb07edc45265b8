"""RESET and ACTION1 to ACTION7 over REST: JSON into a command, and what came of it into JSON."""

import asyncio
from typing import Any

from engine.actions import CLICK, RESET, Action
from playtest.arena.api import fields
from playtest.arena.api.acting import Command, Played, carry_out
from playtest.arena.api.errors import invalid
from playtest.arena.api.frames_json import frames_json
from playtest.arena.api.http import Reply, Request, compact_json
from playtest.arena.models import ApiKey

UNAVAILABLE = "X-Unavailable-Action"
FULL_RESET = "X-Full-Reset"
REPEATED = "X-Repeated-Request"
_SLOWER_THAN = 32  # frames of an action whose JSON is made beside the event loop


async def command(request: Request, key: ApiKey, name: str) -> Reply:
    """Carries out RESET or an action, even if the client goes away meanwhile."""
    wanted = read_command(request, name)
    played = await carry_out(wanted, key)
    many = len(played.frames) > _SLOWER_THAN
    shown = await asyncio.to_thread(frames_json, played.frames) if many else frames_json(played.frames)
    rest = compact_json(facts(request, wanted, played))
    return Reply(b'{"frame":' + shown + b"," + rest[1:], headers=headers_of(played))


def read_command(request: Request, name: str) -> Command:
    """The command in a request to `/api/cmd/` with this name. ApiError 400."""
    action, data = RESET if name == "RESET" else int(name[-1]), request.fields
    game_id = fields.required_text(data, "game_id")
    guid, card_id = fields.text(data, "guid"), fields.text(data, "card_id")
    x, y = fields.cell(data) if action == CLICK else (None, None)
    reasoning, dumped = fields.stored_json(data, "reasoning")
    if action == RESET and not guid and not card_id:
        raise invalid("missing `card_id`: RESET without a `guid` begins a run on a card.")
    if action != RESET and not guid:
        raise invalid("missing `guid` for any action other than RESET")
    return Command(
        Action(action, x, y),
        game_id,
        guid,
        card_id,
        fields.object_in_text(reasoning, dumped),
        fields.request_key(request.headers),
    )


def facts(request: Request, wanted: Command, played: Played) -> dict[str, Any]:
    """What is known beside the frames. `full_reset` is false, as in the original (docs/api.md)."""
    turn = played.turn
    return {
        "game_id": wanted.game_id,
        "state": turn.state,
        "levels_completed": turn.levels_completed,
        "win_levels": turn.levels,
        "action_input": _echo(request, wanted, played),
        "guid": str(played.run.run.guid),
        "full_reset": False,
        "available_actions": list(turn.available_actions),
    }


def headers_of(played: Played) -> dict[str, str]:
    """What the headers of a reply say."""
    told = {UNAVAILABLE: played.unavailable, FULL_RESET: played.full_reset, REPEATED: played.repeated}
    return {name: "true" for name, is_so in told.items() if is_so}


def _echo(request: Request, wanted: Command, played: Played) -> dict[str, Any]:
    if played.begun:
        return {"id": RESET, "data": {}, "reasoning": None}
    data = {"game_id": wanted.game_id, **wanted.action.data}
    return {"id": wanted.action.id, "data": data, "reasoning": request.fields.get("reasoning")}
