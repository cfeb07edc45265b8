"""The runs that this process plays, by guid: an action on one of them reads nothing from the database.

The journal is the truth. When it refuses an entry, another process has played the run, or it has ended: the
run is read again and the action tried once more.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from channels.db import database_sync_to_async

from engine.errors import EngineError
from engine.play.actions import RESET, Action
from engine.play.frames import Frame, decode
from engine.play.turns import NOT_FINISHED, WIN, EncodedTurn
from playtest.arena.models import Play, Run, Scorecard
from playtest.arena.runs.cards import use_card
from playtest.arena.runs.sums import run_with_guid
from playtest.arena.scores.baselines import baseline_of
from playtest.play.attempt.loaded import AttemptFailed, LoadedAttempt
from playtest.play.attempt.runner import attempt_runner
from playtest.play.clock import now
from playtest.play.journal.entries import Provenance, recorded_turn
from playtest.play.models import AgentNote, Attempt, Entry
from playtest.play.sessions.reads import journal
from playtest.rules.adjustments import NO_ADJUSTMENTS
from playtest.rules.attempt import Outcome
from playtest.rules.custody import enforces_budget, hides_budget, stricter
from playtest.rules.score import BUDGET

SECONDS_WITHOUT_ACTION = 300.0
_BETWEEN_SWEEPS = 30.0
_NOTED_EVERY = timedelta(seconds=20)


@dataclass(frozen=True, slots=True)
class Progress:
    """`actions` on the current level, each RESET being one; `since` its start or its last reset."""

    actions: int = 0
    since: int = 0
    state: str = NOT_FINISHED

    def after(self, action: int, *, level_completed: bool, state: str) -> Progress:
        """After an action with this id that led to this state."""
        if level_completed and state != WIN:
            return Progress(0, 0, state)
        return Progress(self.actions + 1, 0 if action == RESET else self.since + 1, state)

    @property
    def restarts(self) -> bool:
        """Whether a RESET starts the whole environment again, as in arcengine (outside competition)."""
        return self.since == 0 or self.state == WIN

    def spent(self, baseline: int | None) -> bool:
        """Whether this level's budget is spent: exactly five times the baseline is allowed."""
        return baseline is not None and self.actions >= BUDGET * baseline


def progress_of(entries: Iterable[Entry]) -> Progress:
    """The progress after a journal's entries, in order."""
    progress = Progress()
    for entry in entries:
        if entry.seq:
            progress = progress.after(entry.action, level_completed=entry.level_completed, state=entry.state)
    return progress


@dataclass(eq=False)
class LiveRun:
    """A run, its newest play and where that stands. `live` is None once the play has ended.

    `baselines` are those at whose budget it ends, empty if it ends at none. `request_keys` are the places in
    the journal, attempt and seq, of what was sent with an Idempotency-Key.
    """

    run: Run
    card: Scorecard
    play: Play
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    live: LoadedAttempt | None = None
    frame: Frame | None = None
    available: tuple[int, ...] = ()
    progress: Progress = field(default_factory=Progress)
    baselines: tuple[int, ...] = ()
    request_keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    noted_at: datetime | None = None
    used: float = 0.0

    @property
    def level(self) -> int:
        """The current level, from 1."""
        return self.live.turn.level if self.live is not None and self.live.turn else 1

    @property
    def spent(self) -> bool:
        """Whether the budget of the current level is spent."""
        index = self.level - 1
        return self.progress.spent(self.baselines[index] if index < len(self.baselines) else None)

    @property
    def outcome(self) -> str:
        """How the newest play ended; empty while it is open."""
        return self.play.attempt.outcome

    async def carry_out(self, action: Action, provenance: Provenance) -> tuple[EncodedTurn, list[Frame]]:
        """Carry out the next action of the open play. Refusal, AttemptFailed: as `AttemptRunner.act`."""
        assert self.live is not None
        turn = await attempt_runner().act(self.live, self.live.seq + 1, action, provenance)
        frames = await decoded(turn, self.frame)
        self.frame, self.available = frames[-1], turn.available_actions
        self.progress = self.progress.after(action.id, level_completed=turn.level_completed, state=turn.state)
        if provenance.request_key:
            self.request_keys[provenance.request_key] = (self.play.attempt_id, turn.seq)
        return turn, frames

    async def note_use(self) -> None:
        """Note that the card is in use, at most every few seconds."""
        moment = now()
        self.card.used_at = moment
        if self.noted_at is None or moment - self.noted_at > _NOTED_EVERY:
            self.noted_at = moment
            await database_sync_to_async(use_card)(self.card.pk, moment)

    def leave(self) -> None:
        """The game may be dropped."""
        if self.live is not None:
            attempt_runner().leave(self.live)
            self.live = None


class LiveRuns:
    """The runs of one process."""

    def __init__(self) -> None:
        self._runs: dict[str, LiveRun] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._swept = 0.0

    async def find(self, guid: str, key_id: int) -> LiveRun | None:
        """The run of a key with this guid, read from the database if this process does not play it yet."""
        self._sweep()
        found = self._runs.get(guid) or await self._read(guid)
        if found is None or found.card.key_id != key_id:
            return None
        found.used = time.monotonic()
        return found

    async def refresh(self, found: LiveRun) -> None:
        """Read a run again from the database, and its game from the journal. AttemptFailed, Refusal."""
        found.leave()
        await database_sync_to_async(_fill)(found)
        attempt = found.play.attempt
        if attempt.ended_at is None:
            found.live = attempt_runner().join(attempt, NO_ADJUSTMENTS)
            try:
                turn = await attempt_runner().current_turn(found.live)
            except AttemptFailed as failure:
                await self.end_as_fault(found, failure)
                raise
            found.frame, found.available = decode(turn.frames.payload, None)[-1], turn.available_actions
            if found.live.seq:
                entries = await database_sync_to_async(journal)(attempt.pk)
                found.progress = progress_of(entries)

    async def end_as_fault(self, found: LiveRun, failure: AttemptFailed) -> None:
        """End the play of a run whose environment failed."""
        found.leave()
        await attempt_runner().end_as_fault(found.play.attempt, failure)
        await database_sync_to_async(found.play.attempt.refresh_from_db)()

    async def end(self, found: LiveRun, outcome: Outcome) -> None:
        """End the play of a run."""
        await attempt_runner().end(found.play.attempt, outcome)
        found.leave()
        await database_sync_to_async(found.play.attempt.refresh_from_db)()

    def forget_card(self, card_id: int) -> None:
        """Drop the runs of a card that was closed."""
        for guid, run in list(self._runs.items()):
            if run.card.pk == card_id:
                del self._runs[guid]
                run.leave()

    async def _read(self, guid: str) -> LiveRun | None:
        async with self._opening.setdefault(guid, asyncio.Lock()):
            try:
                if guid in self._runs:
                    return self._runs[guid]
                found = await database_sync_to_async(_run)(guid)
                if found is not None:
                    await self.refresh(found)
                    self._runs[guid] = found
                return found
            finally:
                self._opening.pop(guid, None)

    def _sweep(self) -> None:
        """Let go of the runs that nobody plays; the next action rebuilds them."""
        moment = time.monotonic()
        if moment - self._swept < _BETWEEN_SWEEPS:
            return
        self._swept = moment
        for guid, run in list(self._runs.items()):
            if moment - run.used > SECONDS_WITHOUT_ACTION and not run.lock.locked():
                del self._runs[guid]
                run.leave()


async def decoded(turn: EncodedTurn, previous: Frame | None) -> list[Frame]:
    """The frames of a turn; many are decoded beside the event loop."""
    if turn.frame_count > 32:
        return await asyncio.to_thread(decode, turn.frames.payload, previous)
    return decode(turn.frames.payload, previous)


class Recorded(NamedTuple):
    """An entry of the journal: its frames, its turn, and whether its action was unavailable."""

    entry: Entry
    frames: list[Frame]
    turn: EncodedTurn
    unavailable: bool


async def recorded(found: LiveRun, attempt_id: int, seq: int) -> Recorded:
    """An entry of the journal. AttemptFailed: there is none, because the environment failed to start."""
    return await database_sync_to_async(_recorded)(attempt_id, seq, found.run.version.levels)


def _recorded(attempt_id: int, seq: int, levels: int) -> Recorded:
    frames: list[Frame] = []
    turn = None
    available: tuple[int, ...] = ()
    for entry in Entry.objects.filter(attempt=attempt_id, seq__lte=seq).order_by("seq"):
        available = turn.available_actions if turn else ()
        turn = recorded_turn(entry, levels)
        frames = decode(turn.frames.payload, frames[-1] if frames else None)
    if turn is None:
        failed = Attempt.objects.get(pk=attempt_id)
        raise AttemptFailed(EngineError(failed.fault_code, failed.fault_message), 0, None)
    return Recorded(entry, frames, turn, entry.action != RESET and entry.action not in available)


def _run(guid: str) -> LiveRun | None:
    run = run_with_guid(guid)
    return None if run is None else LiveRun(run, run.card, Play())


def _fill(found: LiveRun) -> None:
    """Set what the database knows."""
    found.card.refresh_from_db()
    found.play = (
        found.run.plays.select_related("attempt__version", "attempt__environment")
        .order_by("-number")[:1]
        .get()
    )
    outcome = found.play.attempt.outcome
    found.progress = Progress(state=WIN) if outcome == Outcome.COMPLETED else Progress()
    notes = AgentNote.objects.filter(attempt__play__run=found.run).exclude(request_key="")
    found.request_keys = {
        key: (attempt, seq) for attempt, seq, key in notes.values_list("attempt", "seq", "request_key")
    }
    release_set = stricter(found.run.release_set, found.run.environment.release_set)
    if (found.card.competition or enforces_budget(release_set)) and not hides_budget(release_set):
        found.baselines = baseline_of(found.run.version).actions


live_runs = LiveRuns()
