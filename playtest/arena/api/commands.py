"""RESET and ACTION1 to ACTION7."""

import asyncio
import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from channels.db import database_sync_to_async

from engine.actions import CLICK, RESET, Action
from engine.frames import Frame
from engine.turns import WIN, EncodedTurn
from playtest.arena.api import fields
from playtest.arena.api.cards import close_if_due, closed, find_card
from playtest.arena.api.errors import BUDGET_SPENT, NOT_STARTED, SERVER, ApiError, busy, invalid
from playtest.arena.api.frames_json import frames_json
from playtest.arena.api.http import Reply, Request
from playtest.arena.api.live_runs import LiveRun, live_runs, recorded
from playtest.arena.models import ApiKey
from playtest.arena.queries.environments import game_id_of, offered_by_id
from playtest.arena.services.runs import Sent, begin, begin_again
from playtest.play.entries import Provenance
from playtest.play.errors import Refusal
from playtest.play.journal import JournalFailed
from playtest.play.live import AttemptFailed
from playtest.play.models import Entry
from playtest.rules.attempt import Outcome

UNAVAILABLE = "X-Unavailable-Action"
FULL_RESET = "X-Full-Reset"
REPEATED = "X-Repeated-Request"
_TRIES = 2
_SLOWER_THAN = 32  # frames of an action whose JSON is made beside the event loop


@dataclass(frozen=True, slots=True)
class Command:
    """A request to act, checked as far as that needs no run."""

    action: Action
    game_id: str
    guid: str | None
    card_id: str | None
    reasoning: Any
    stored_reasoning: str
    request_key: str

    @property
    def sent(self) -> Sent:
        """What is stored beside an opening."""
        return Sent(self.stored_reasoning, self.request_key)

    @property
    def echo(self) -> dict[str, Any]:
        """The reply's `action_input`."""
        return {
            "id": self.action.id,
            "data": {"game_id": self.game_id, **self.action.data},
            "reasoning": self.reasoning,
        }


async def command(request: Request, key: ApiKey, name: str) -> Reply:
    """Carries out RESET or an action, even if the client goes away meanwhile."""
    wanted = _read(request, RESET if name == "RESET" else int(name[-1]))
    task = asyncio.ensure_future(_carry_out(wanted, key))
    _running.add(task)
    task.add_done_callback(_running.discard)
    return await asyncio.shield(task)


_running: set[asyncio.Task[Reply]] = set()


def _read(request: Request, action: int) -> Command:
    data = request.fields
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
        reasoning,
        fields.object_in_text(reasoning, dumped),
        fields.request_key(request.headers),
    )


async def _carry_out(wanted: Command, key: ApiKey) -> Reply:
    try:
        if wanted.guid is None:
            return await _begin(wanted, key)
        run = await live_runs.find(wanted.guid, key.pk)
        if run is None or wanted.game_id not in (run.run.environment.code, game_id_of(run.run.version)):
            message = f"game {wanted.game_id} with guid {wanted.guid} not found"
            raise invalid(message, SERVER)
        if wanted.card_id not in (None, str(run.card.card_id)):
            raise invalid("This guid belongs to another card.", SERVER)
        async with run.lock:
            return await _act(run, wanted)
    except AttemptFailed as failure:
        message = f"The environment failed ({failure.code}), so this run of it is over."
        raise ApiError(HTTPStatus.INTERNAL_SERVER_ERROR, SERVER, message) from failure
    except Refusal as refusal:  # the game could not be rebuilt
        raise busy(refusal.message) from refusal


async def _begin(wanted: Command, key: ApiKey) -> Reply:
    """A new run on a card."""
    assert wanted.card_id is not None
    card = await find_card(wanted.card_id, key)
    if card is None:
        raise invalid(f"card_id `{wanted.card_id}` not found", SERVER)
    version = await database_sync_to_async(offered_by_id)(card.sets, wanted.game_id)
    if version is None:
        raise invalid(f"game {wanted.game_id} not found", SERVER)
    guid = fields.repeatable_id(f"{card.card_id}/{version.environment_id}", wanted.request_key)
    try:
        begun = await database_sync_to_async(begin)(card, version, guid, wanted.sent)
    except Refusal as refusal:
        raise invalid(refusal.message, SERVER) from refusal
    run = await live_runs.find(str(begun.guid), key.pk)
    assert run is not None
    async with run.lock:
        return await _opening(run, wanted, {"id": RESET, "data": {}, "reasoning": None})


async def _act(run: LiveRun, wanted: Command) -> Reply:
    await _check_card(run)
    for tries_left in reversed(range(_TRIES)):
        if wanted.request_key and wanted.request_key in run.request_keys:
            return await _repeated(run, wanted)
        try:
            return await _act_once(run, wanted)
        except AttemptFailed as failure:
            await live_runs.end_as_fault(run, failure)
            raise
        except Refusal as refusal:
            if refusal.code != "resync_required":
                raise invalid(refusal.message, NOT_STARTED) from refusal
            uncertain = isinstance(refusal.__cause__, JournalFailed)  # it may have been recorded
            await _refreshed(run)
            if uncertain or not tries_left:
                raise busy("The action could not be recorded. Try again.") from refusal
    raise AssertionError


async def _act_once(run: LiveRun, wanted: Command) -> Reply:
    """Act on the run as this process knows it. Refusal resync_required: it knows too little."""
    if run.card.closed_at is not None:
        raise closed(run.card)
    if wanted.action.id == RESET and not run.card.competition and (run.live is None or run.progress.restarts):
        return await _restart(run, wanted)
    if run.live is None:
        raise _over(run)
    if run.spent and not _refused_anyway(run, wanted.action):
        await live_runs.end(run, Outcome.BUDGET_SPENT)
        raise _over(run)
    unavailable = wanted.action.id != RESET and wanted.action.id not in run.available
    if unavailable and run.card.strict and not _refused_anyway(run, wanted.action):
        names = ", ".join(f"ACTION{one}" for one in run.available) or "none"
        raise invalid(
            f"{wanted.action.name} is not available now, and the card is strict. Available: {names}."
        )
    provenance = Provenance(reasoning=wanted.stored_reasoning, request_key=wanted.request_key)
    turn, frames = await run.carry_out(wanted.action, provenance)
    await run.note_use()
    if turn.state == WIN:
        await live_runs.end(run, Outcome.COMPLETED)
    return await _reply(run, wanted, turn, frames, {UNAVAILABLE: "true"} if unavailable else {})


def _refused_anyway(run: LiveRun, action: Action) -> bool:
    """Whether the environment refuses this: it is over, and only a RESET goes on."""
    return action.id != RESET and run.progress.state != "NOT_FINISHED"


async def _restart(run: LiveRun, wanted: Command) -> Reply:
    """A full reset: the same guid, another play."""
    seq = None if run.live is None else run.live.seq
    await database_sync_to_async(begin_again)(run.run, run.play.number, seq, wanted.sent)
    await live_runs.refresh(run)
    await run.note_use()
    return await _opening(run, wanted, wanted.echo)


async def _opening(run: LiveRun, wanted: Command, echo: dict[str, Any]) -> Reply:
    frames = await live_runs.opening(run)
    turn = run.live.turn if run.live is not None and run.live.seq == 0 else None
    if turn is None:  # a repeated request: the run has gone on since
        turn = (await recorded(run, run.play.attempt_id, 0))[2]
    return await _reply(run, wanted, turn, frames, {FULL_RESET: "true"}, echo)


async def _repeated(run: LiveRun, wanted: Command) -> Reply:
    """The reply to a request that was carried out before."""
    attempt, seq = run.request_keys[wanted.request_key]
    entry, frames, turn = await recorded(run, attempt, seq)
    if not _is_same(entry, wanted.action):
        raise invalid("This Idempotency-Key was used for another request.")
    return await _reply(run, wanted, turn, frames, {REPEATED: "true"})


def _is_same(entry: Entry, action: Action) -> bool:
    return (entry.action, entry.x, entry.y) == (action.id, action.x, action.y)


async def _check_card(run: LiveRun) -> None:
    """ApiError, if the card is closed or has to be."""
    if run.card.closed_at is not None or await close_if_due(run.card):
        raise closed(run.card)


async def _refreshed(run: LiveRun) -> None:
    try:
        await live_runs.refresh(run)
    except Refusal as refusal:
        raise busy(refusal.message) from refusal


def _over(run: LiveRun) -> ApiError:
    """Why no action is possible in a play that has ended."""
    match run.outcome:
        case Outcome.BUDGET_SPENT:
            return invalid("The budget of this level, five times the human baseline, is spent.", BUDGET_SPENT)
        case Outcome.CARD_CLOSED:
            return closed(run.card)
        case Outcome.COMPLETED if run.card.competition:
            message = "This environment is completed. In competition mode it is played once."
            return invalid(message, NOT_STARTED)
    return invalid("This play is over: send RESET to begin playing.", NOT_STARTED)


async def _reply(
    run: LiveRun,
    wanted: Command,
    turn: EncodedTurn,
    frames: list[Frame],
    headers: dict[str, str],
    echo: dict[str, Any] | None = None,
) -> Reply:
    """The frames and what is known of them. `full_reset` is false, as in the original (docs/api.md)."""
    facts = {
        "game_id": wanted.game_id,
        "state": turn.state,
        "levels_completed": turn.levels_completed,
        "win_levels": turn.levels,
        "action_input": echo or wanted.echo,
        "guid": str(run.run.guid),
        "full_reset": False,
        "available_actions": list(turn.available_actions),
    }
    shown = (
        await asyncio.to_thread(frames_json, frames) if len(frames) > _SLOWER_THAN else frames_json(frames)
    )
    rest = json.dumps(facts, separators=(",", ":")).encode()
    return Reply(b'{"frame":' + shown + b"," + rest[1:], headers=headers)
