"""Carries out what an agent sends for a run, however it was sent: by REST (`application`) or the socket.

The one home of what an action may do: open cards, budgets, full resets, repeated requests, faults.
"""

import uuid
from dataclasses import dataclass
from http import HTTPStatus

from channels.db import database_sync_to_async

from engine.play.actions import RESET, Action
from engine.play.frames import Frame
from engine.play.turns import WIN, EncodedTurn
from playtest.arena.api import http
from playtest.arena.api.http import BUDGET_SPENT, NOT_STARTED, SERVER, ApiError, busy, invalid
from playtest.arena.api.live_runs import LiveRun, live_runs, recorded
from playtest.arena.models import ApiKey, CloseReason, Scorecard
from playtest.arena.runs import cards
from playtest.play.attempt.loaded import AttemptFailed
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.journal.entries import Provenance
from playtest.play.journal.writer import JournalFailed
from playtest.play.models import Entry
from playtest.rules.attempt import Outcome

_TRIES = 2
_GO_ON = "play another environment, or close the card."


@dataclass(frozen=True, slots=True)
class Command:
    """What an agent wants done, checked as far as that needs no run.

    Without `guid` it begins a run of `game_id` on the card. With it, `game_id` and `card_id` must be the
    run's unless they are None. `reasoning` is JSON text; it and `request_key` are empty without.
    """

    action: Action
    game_id: str | None = None
    guid: str | None = None
    card_id: str | None = None
    reasoning: str = ""
    request_key: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a command: the turn, with its frames, of the play `attempt` of a run.

    `begun`: by a RESET that began the run. `full_reset`: the environment began from its first level.
    `unavailable`: the action was not available. `repeated`: the request was carried out before.
    """

    run: LiveRun
    attempt: int
    turn: EncodedTurn
    frames: list[Frame]
    begun: bool = False
    full_reset: bool = False
    unavailable: bool = False
    repeated: bool = False


async def carry_out(wanted: Command, key: ApiKey) -> Played:
    """Carry out a command, in a turn of the key (`turns`). ApiError."""
    try:
        if wanted.guid is None:
            return await _begin(wanted, key)
        run = await live_runs.find(wanted.guid, key.pk)
        if run is None or not _is_of(run, wanted.game_id):
            about = "" if wanted.game_id is None else f"game {wanted.game_id} with "
            raise invalid(f"{about}guid {wanted.guid} not found: RESET without a guid begins a run.", SERVER)
        if wanted.card_id not in (None, str(run.card.card_id)):
            raise invalid("This guid belongs to another card: send that card's id, or none.", SERVER)
        async with run.lock:
            return await _act(run, wanted)
    except AttemptFailed as failure:
        message = f"The environment failed ({failure.code}), so this play is over: RESET begins another."
        raise ApiError(HTTPStatus.INTERNAL_SERVER_ERROR, SERVER, message) from failure
    except Refusal as refusal:  # the game could not be rebuilt
        raise busy(refusal.message) from refusal


async def _begin(wanted: Command, key: ApiKey) -> Played:
    """A new run on a card."""
    assert wanted.card_id is not None
    assert wanted.game_id is not None
    card = await find_card(wanted.card_id, key)
    if card is None:
        raise invalid(card_unknown(wanted.card_id), SERVER)
    await require_open(card)
    version = await database_sync_to_async(cards.offered_by_id)(card.sets, wanted.game_id)
    if version is None:
        raise invalid(await database_sync_to_async(cards.not_offered)(card.sets, wanted.game_id), SERVER)
    guid = http.repeatable_id(f"{card.card_id}/{version.environment_id}", wanted.request_key)
    try:
        begun, is_new = await database_sync_to_async(cards.begin)(
            card, version, guid, wanted.reasoning, wanted.request_key
        )
    except Refusal as refusal:
        raise invalid(refusal.message, SERVER) from refusal
    run = await live_runs.find(str(begun.guid), key.pk)
    assert run is not None
    async with run.lock:
        return await _opening(run, begun=True) if is_new else await _repeated(run, wanted)


def _is_of(run: LiveRun, game_id: str | None) -> bool:
    """Whether a run is of this environment; None is not compared."""
    return game_id in (None, run.run.environment.code, cards.game_id_of(run.run.version))


async def _act(run: LiveRun, wanted: Command) -> Played:
    await require_open(run.card)
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


async def _act_once(run: LiveRun, wanted: Command) -> Played:
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
    provenance = Provenance(reasoning=wanted.reasoning, request_key=wanted.request_key)
    turn, frames = await run.carry_out(wanted.action, provenance)
    await run.note_use()
    if turn.state == WIN:
        await live_runs.end(run, Outcome.COMPLETED)
    return Played(run, run.play.attempt_id, turn, frames, unavailable=unavailable)


def _refused_anyway(run: LiveRun, action: Action) -> bool:
    """Whether the environment refuses this: it is over, and only a RESET goes on."""
    return action.id != RESET and run.progress.state != "NOT_FINISHED"


async def _restart(run: LiveRun, wanted: Command) -> Played:
    """A full reset: the same guid, another play."""
    seq = None if run.live is None else run.live.seq
    again = database_sync_to_async(cards.begin_again)
    await again(run.run, run.play.number, seq, wanted.reasoning, wanted.request_key)
    await live_runs.refresh(run)
    await run.note_use()
    return await _opening(run)


async def _opening(run: LiveRun, *, begun: bool = False) -> Played:
    found = await recorded(run, run.play.attempt_id, 0)
    return Played(run, run.play.attempt_id, found.turn, found.frames, begun=begun, full_reset=True)


async def _repeated(run: LiveRun, wanted: Command) -> Played:
    """What came of a request that was carried out before, told as it was then."""
    attempt, seq = run.request_keys[wanted.request_key]
    found = await recorded(run, attempt, seq)
    if not _is_same(found.entry, wanted.action):
        raise invalid("This Idempotency-Key was used for another request: send a new one.")
    return Played(
        run,
        attempt,
        found.turn,
        found.frames,
        begun=wanted.guid is None,
        full_reset=seq == 0,
        unavailable=found.unavailable,
        repeated=True,
    )


def _is_same(entry: Entry, action: Action) -> bool:
    return (entry.action, entry.x, entry.y) == (action.id, action.x, action.y)


async def _refreshed(run: LiveRun) -> None:
    try:
        await live_runs.refresh(run)
    except Refusal as refusal:
        raise busy(refusal.message) from refusal


def _over(run: LiveRun) -> ApiError:
    """Why no action is possible in a play that has ended."""
    match run.outcome:
        case Outcome.BUDGET_SPENT:
            message = f"The budget of this level, five times the human baseline, is spent: {_GO_ON}"
            return invalid(message, BUDGET_SPENT)
        case Outcome.CARD_CLOSED:
            return closed(run.card)
        case Outcome.COMPLETED if run.card.competition:
            message = f"This environment is completed. In competition mode it is played once: {_GO_ON}"
            return invalid(message, NOT_STARTED)
    return invalid("This play is over: send RESET to begin playing.", NOT_STARTED)


async def find_card(card_id: str, key: ApiKey) -> Scorecard | None:
    """A key's card; None if there is none with this id, or it is another key's."""
    try:
        value = uuid.UUID(card_id)
    except ValueError:
        return None
    return await Scorecard.objects.filter(card_id=value, key=key).afirst()


def card_unknown(card_id: str) -> str:
    """What the error says of a card that this key has not."""
    return f"card_id `{card_id}` not found: POST /api/scorecard/open opens one, for the key that opens it."


async def close_if_due(card: Scorecard) -> bool:
    """Close an open card that was idle or open for too long; whether it is closed now."""
    if card.closed_at is not None or cards.why_due(card, now()) is None:
        return False
    await card.arefresh_from_db()  # it may have been used in another process
    if not is_closed(card) and (reason := cards.why_due(card, now())):
        await close(card, reason)
    return is_closed(card)


async def require_open(card: Scorecard) -> None:
    """ApiError 400, if the card is closed or has to be."""
    if card.closed_at is not None or await close_if_due(card):
        raise closed(card)


def is_closed(card: Scorecard) -> bool:
    return card.closed_at is not None


def closed(card: Scorecard) -> ApiError:
    """The answer to an action on a closed card."""
    why = f" ({card.get_close_reason_display()})" if card.close_reason else ""
    return invalid(f"The card {card.card_id} is closed{why}: open another one.", SERVER)


async def close(card: Scorecard, reason: CloseReason) -> None:
    """Close a card, if it is open, and drop its runs."""
    if card.closed_at is None:
        await database_sync_to_async(cards.close_card)(card.pk, reason)
        await card.arefresh_from_db()
    live_runs.forget_card(card.pk)
