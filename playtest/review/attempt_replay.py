"""Replays one attempt, entry by entry, and compares what is stored; for `services.verification`."""

import logging
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from engine.actions import ACTION_NAMES, Action
from engine.errors import (
    ActionError,
    EngineError,
    EnvironmentFault,
    PayloadError,
    SourceError,
    TaskError,
    describe_exception,
)
from engine.frames import Frame, decode
from engine.source import from_parts
from engine.tasks.edits import Edit, EditKind
from engine.turns import EncodedTurn
from playtest.play.attempt.loaded import AttemptGame
from playtest.play.attempt.rebuild import recorded_action, start_task
from playtest.play.attempt.task_in_process import task_in
from playtest.play.hosts.pool import HostLost, HostPool
from playtest.play.journal.entries import stored_facts
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry
from playtest.review.verification_result import Difference

logger = logging.getLogger(__name__)


def unreadable(seq: int, error: Exception) -> Difference:
    """The difference where an entry, or what belongs to it, raises."""
    message = f"Entry {seq}, or what belongs to it, cannot be read: {describe_exception(error)}"
    return Difference(seq, (), code="unreadable", message=message)


class AttemptReplay:
    """The replay of one attempt, entry by entry."""

    def __init__(self, attempt: Attempt, entries: Iterable[Entry]) -> None:
        self._attempt = attempt
        self._entries = list(entries)
        self._recorded: Frame | None = None
        self._played: Frame | None = None
        self._level = attempt.first_level

    async def run(self, pool: HostPool) -> list[Difference]:
        """The first difference, if any; up to a gap. Raises HostLost when a host ended under it."""
        game: AttemptGame | None = None
        try:
            for number, entry in enumerate(self._entries):
                if entry.seq != number:
                    break
                try:
                    game, turn = await self._perform(pool, game, entry)
                    difference = self._compare(entry, turn)
                except (ActionError, EnvironmentFault, SourceError, TaskError) as error:
                    difference = self._refused(entry, error)
                except HostLost:
                    raise
                except Exception as error:  # a damaged row may raise anything
                    logger.warning("attempt %s cannot be played", self._attempt.pk, exc_info=True)
                    difference = unreadable(entry.seq, error)
                if difference is not None:
                    return [difference]
        finally:
            if game is not None and game.alive:
                await game.stop()
        return []

    async def _perform(
        self, pool: HostPool, game: AttemptGame | None, entry: Entry
    ) -> tuple[AttemptGame, EncodedTurn]:
        if game is not None:
            return game, await game.act(self._done(entry))
        version, attempt = self._attempt.version, self._attempt
        if version.is_task:
            return await start_task(task_in(version.source, version.game_id), attempt, None)
        source = from_parts(version.metadata, version.source, version.game_id)
        return await pool.start(source, attempt.seed, all_actions=attempt.is_run, level=attempt.first_level)

    def _done(self, entry: Entry) -> Action | Edit:
        """The action or edit of an entry. Raises ActionError, TaskError where it is none of its kind."""
        made = recorded_action(entry.action, entry.x, entry.y, entry.edit)
        if isinstance(made, Edit) != self._attempt.version.is_task:
            kind = "edit" if self._attempt.version.is_task else "action of an environment"
            raise ActionError("action_unavailable", f"This is no {kind}.")
        if isinstance(made, Edit) and (made.id, made.text) != (entry.action, entry.edit):
            message = "The kind of edit, or the way its JSON is written, is not what is stored with an edit."
            raise TaskError("edit_malformed", message)
        return made

    def _compare(self, entry: Entry, turn: EncodedTurn) -> Difference | None:
        played = decode(turn.frames.payload, self._played)
        try:
            recorded = decode(inflate(entry.frames), self._recorded)
        except PayloadError as error:
            return self._refused(entry, error, played[-1])
        facts = [name for name, now in self._facts(turn).items() if getattr(entry, name) != now]
        different = _first_different_frame(recorded, played)
        if different is None and not facts:
            self._recorded, self._played, self._level = recorded[-1], played[-1], turn.level
            return None
        if different is not None:
            facts.append("frames")
        index = len(recorded) - 1 if different is None else different
        return Difference(
            entry.seq,
            tuple(facts),
            bytes(entry.state_hash).hex(),
            turn.state_hash.hex(),
            index,
            recorded[index] if index < len(recorded) else None,
            played[index] if index < len(played) else None,
        )

    def _facts(self, turn: EncodedTurn) -> dict[str, Any]:
        """The values that an entry of this turn must have, by column, without its frames."""
        return {"level": self._level} | stored_facts(turn)

    def _refused(self, entry: Entry, error: EngineError, played: Frame | None = None) -> Difference:
        """The difference where there is no turn to compare, with the last recorded frame if it is known."""
        recorded = None
        if not isinstance(error, PayloadError):
            try:
                recorded = decode(inflate(entry.frames), self._recorded)[-1]
            except PayloadError:
                recorded = self._recorded
        return Difference(
            entry.seq,
            (),
            bytes(entry.state_hash).hex(),
            recorded=recorded,
            played=played,
            code=error.code,
            message=f"{_named(entry)}: {error.message}",
        )


def _first_different_frame(recorded: Sequence[Frame], played: Sequence[Frame]) -> int | None:
    """The first frame of a turn that is not the same in both."""
    for index, (one, other) in enumerate(zip_longest(recorded, played)):
        if one is None or other is None or not np.array_equal(one, other):
            return index
    return None


def _named(entry: Entry) -> str:
    if entry.edit is not None and entry.action in list(EditKind):
        return f"Entry {entry.seq} ({EditKind(entry.action).op})"
    name = ACTION_NAMES[entry.action] if entry.action < len(ACTION_NAMES) else f"action {entry.action}"
    return f"Entry {entry.seq} ({name})"
