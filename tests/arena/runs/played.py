"""Plays runs of agents: through the runner as the API does, or without a host as `tests.make` does."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async

from engine.play.actions import CLICK, Action
from playtest.arena.models import ApiKey, Play, Run, Scorecard
from playtest.play.attempt.runner import AttemptRunner
from playtest.play.clock import now
from playtest.play.hosts.pool import HostPool
from playtest.play.journal.entries import NewEntry, Provenance
from playtest.play.journal.writer import JournalWriter
from playtest.play.models import AgentNote, Attempt, Event
from playtest.play.sessions.attempts import begin_run, set_first_frame
from playtest.rules.adjustments import NO_ADJUSTMENTS
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version
from tests.make import Act, record

UNAVAILABLE = 7
"""An action that wk01 does not offer: it changes nothing, and counts."""
PIT = 1
"""Loses the first level of wk01 at once."""


def action_of(act: Act) -> Action:
    return Action(CLICK, *act) if isinstance(act, tuple) else Action(act)


class WriterOfTheTest(JournalWriter):
    """A writer that writes in the transaction of the test, which knows of no silence before it."""

    def __init__(self) -> None:
        super().__init__()
        self._has_begun = True

    async def append(self, row: NewEntry | Event, note: AgentNote | None = None) -> bool:  # type: ignore[override]
        future = self._enqueue(row, note)
        await database_sync_to_async(lambda: self._commit(self._next()))()
        appended: bool = await future
        return appended

    def start(self) -> None:
        pass


def play_live(
    version: Version, acts: Sequence[Act], outcome: Outcome | None, notes: Mapping[int, str] | None = None
) -> Attempt:
    """A run on an engine host; `notes` is the reasoning sent with some actions, by seq."""
    attempt = begin_run(version)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("playtest.play.attempt.loaded.writer", WriterOfTheTest())
        async_to_sync(_play)(attempt, acts, outcome, notes or {})
    attempt.refresh_from_db()
    return attempt


async def _play(
    attempt: Attempt, acts: Sequence[Act], outcome: Outcome | None, notes: Mapping[int, str]
) -> None:
    pool = HostPool(1, deadline_seconds=10)
    player = AttemptRunner(pool, pool, most_games=10)
    try:
        live = player.join(attempt, NO_ADJUSTMENTS)
        await player.current_turn(live)
        for seq, act in enumerate(acts, start=1):
            provenance = Provenance(reasoning=notes.get(seq, ""), request_key=f"r{seq}")
            await player.act(live, seq, action_of(act), provenance)
        if outcome is not None:
            await player.end(attempt, outcome)
    finally:
        await pool.close()


def write_run(
    version: Version,
    acts: Sequence[Act],
    outcome: Outcome | None = Outcome.CARD_CLOSED,
    notes: Mapping[int, str] | None = None,
    *,
    seconds_an_action: float = 0.5,
    **ending: Any,
) -> Attempt:
    """The same without a host."""
    attempt = begin_run(version)
    set_first_frame(attempt.pk, attempt.assigned_at)
    attempt = record(attempt, acts, outcome, attempt.assigned_at, seconds_an_action, **ending)
    AgentNote.objects.bulk_create(
        AgentNote(attempt=attempt, seq=seq, reasoning=text) for seq, text in (notes or {}).items()
    )
    return attempt


def on_a_card(attempt: Attempt, card: Scorecard | None = None, name: str = "Nimble") -> Scorecard:
    """Puts the run on a card, a new one by default, of the key with this name."""
    moment = now()
    if card is None:
        key, _ = ApiKey.objects.get_or_create(
            name=name, defaults={"key_hash": name, "hint": "abcd", "created_at": moment}
        )
        card = Scorecard.objects.create(key=key, opened_at=moment, used_at=moment)
    run = Run.objects.create(
        card=card, environment=attempt.environment, version=attempt.version, started_at=moment
    )
    Play.objects.create(run=run, number=1, attempt=attempt)
    return card
