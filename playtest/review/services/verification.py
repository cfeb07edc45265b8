"""Verifies attempts: replays them from their journal and compares everything that is stored.

`review.record_check` does what needs no replay: the chain, the end, the times, the signed days. Damage ends
neither the check of an attempt nor that of the next one. Environments run in engine hosts of their own, so
that no player waits for a check; static tasks need none.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
from asgiref.sync import sync_to_async
from django.conf import settings

from engine.errors import (
    ActionError,
    EngineError,
    EnvironmentFault,
    PayloadError,
    SourceError,
    TaskError,
    describe_exception,
)
from engine.play.actions import ACTION_NAMES, Action
from engine.play.frames import Frame, decode
from engine.play.turns import EncodedTurn
from engine.tasks.edits import Edit, EditKind
from engine.tasks.task import Task
from playtest.play.attempt.loaded import AttemptGame
from playtest.play.attempt.rebuild import recorded_action, start_task
from playtest.play.hosts.pool import HostPool
from playtest.play.hosts.process import HostLost
from playtest.play.journal.entries import entry_value, stored_facts
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry, OutsideAttempt
from playtest.play.sessions.adjustments import adjustments_of
from playtest.review.queries.signed_days import check_days, listed_heads
from playtest.review.record_check import Difference, Listed, Verification, record_differences
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.studio.content import content_of


def unreadable(seq: int, error: Exception) -> Difference:
    """The difference where an entry, or what belongs to it, raises."""
    message = f"Entry {seq}, or what belongs to it, cannot be read: {describe_exception(error)}"
    return Difference(seq, (), code="unreadable", message=message)


class AttemptReplay:
    """The replay of one attempt, entry by entry.

    What was imported and does not play as recorded is replayed up to there: the entries from there on are
    what was recorded elsewhere.
    """

    def __init__(self, attempt: Attempt, entries: Iterable[Entry]) -> None:
        self._attempt = attempt
        self._entries = list(entries)
        self._recorded: Frame | None = None
        self._played: Frame | None = None
        self._level = attempt.first_level
        self._outside: OutsideAttempt | None = getattr(attempt, "outside", None)
        self._recorded_from = self._outside.differs_from if self._outside else None

    async def run(self, pool: HostPool) -> list[Difference]:
        """The first difference, if any; up to a gap. Raises HostLost when a host ended under it."""
        game: AttemptGame | None = None
        try:
            for number, entry in enumerate(self._entries):
                if entry.seq != number or entry.seq == self._recorded_from:
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
        attempt = self._attempt
        content = content_of(attempt.version)
        if isinstance(content, Task):
            return await start_task(content, attempt, None)
        return await pool.start(
            content,
            attempt.seed,
            as_arcengine=self._outside is not None and self._outside.as_arcengine,
            all_actions=attempt.is_run,
            level=attempt.first_level,
        )

    def _done(self, entry: Entry) -> Action | Edit:
        """The action or edit of an entry. Raises ActionError, TaskError where it is none."""
        made = recorded_action(entry.action, entry.x, entry.y, entry.edit)
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


logger = logging.getLogger(__name__)

_TRIES = 3


async def verify(
    attempt_ids: Sequence[int], report: Callable[[Verification], None], hosts: int | None = None
) -> None:
    """Verifies attempts and reports each; on `hosts` processes, by default one a core.

    Refusal: record_key_invalid, before any is checked.
    """
    count = min(hosts or settings.ENGINE_HOSTS, max(len(attempt_ids), 1))
    listed = await sync_to_async(lambda: listed_heads(check_days()))()
    pool = HostPool(
        count,
        most=count,
        deadline_seconds=settings.ENGINE_DEADLINE_SECONDS,
        memory_megabytes=settings.ENGINE_MEMORY_MEGABYTES,
    )
    waiting = iter(attempt_ids)

    async def work() -> None:
        for attempt_id in waiting:
            report(await _verify_one(pool, attempt_id, listed.get(attempt_id, ())))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(count):
                group.create_task(work())
    finally:
        await pool.close()


async def verify_one(attempt_id: int) -> Verification:
    """Verifies one attempt, on one host."""
    found: list[Verification] = []
    await verify([attempt_id], found.append, hosts=1)
    return found[0]


def check_record(attempt_ids: Iterable[int]) -> Iterator[Verification]:
    """Verifies attempts without a replay: only what `review.record_check` finds. Refusal: as `verify`."""
    listed = listed_heads(check_days())
    for attempt_id in attempt_ids:
        try:
            attempt, entries, adjustments = _load(attempt_id)
            found = [*record_differences(attempt, entries, listed.get(attempt_id, ()), adjustments)]
        except Exception as error:  # a damaged row may raise anything
            logger.warning("attempt %s cannot be checked", attempt_id, exc_info=True)
            seq = _first_unreadable(attempt_id)
            yield Verification(attempt_id, seq, (unreadable(seq, error),))
        else:
            yield Verification(attempt_id, len(entries), tuple(sorted(found, key=lambda one: one.seq)))


async def _verify_one(pool: HostPool, attempt_id: int, listed: Listed) -> Verification:
    try:
        attempt, entries, adjustments = await sync_to_async(_load)(attempt_id)
        in_record = await sync_to_async(
            lambda: [*record_differences(attempt, entries, listed, adjustments)]
        )()
        played = await _play(pool, attempt, entries)
    except Exception as error:  # a damaged row may raise anything
        logger.warning("attempt %s cannot be checked", attempt_id, exc_info=True)
        seq = await sync_to_async(_first_unreadable)(attempt_id)
        return Verification(attempt_id, seq, (unreadable(seq, error),))
    known = {(found.seq, found.code) for found in played}
    found = [*played, *(one for one in in_record if (one.seq, one.code) not in known)]
    differences = tuple(sorted(found, key=lambda one: one.seq))
    outside: OutsideAttempt | None = getattr(attempt, "outside", None)
    return Verification(attempt_id, len(entries), differences, outside.differs_from if outside else None)


async def _play(pool: HostPool, attempt: Attempt, entries: Sequence[Entry]) -> list[Difference]:
    """The first difference that the replay finds, if any."""
    for _ in range(_TRIES):
        try:
            return await AttemptReplay(attempt, entries).run(pool)
        except HostLost:
            await asyncio.sleep(0)
    message = "The engine host ended several times during this check: try again."
    return [Difference(0, (), code="host_lost", message=message)]


def _load(attempt_id: int) -> tuple[Attempt, list[Entry], Adjustments]:
    attempts = Attempt.objects.select_related(
        "version", "outside", "session__study__outside", "session__protocol", "session__participant"
    )
    attempt = attempts.get(pk=attempt_id)
    entries = list(Entry.objects.filter(attempt=attempt_id).order_by("seq"))
    changed = NO_ADJUSTMENTS if attempt.session_id is None else adjustments_of(attempt.session)
    return attempt, entries, changed


def _first_unreadable(attempt_id: int) -> int:
    """The first entry that cannot be read; 0 where all can, or where they cannot be listed."""
    try:
        seqs = list(Entry.objects.filter(attempt=attempt_id).order_by("seq").values_list("seq", flat=True))
    except Exception:  # see `_verify_one`
        return 0
    for seq in seqs:
        try:
            entry = Entry.objects.get(attempt=attempt_id, seq=seq)
            entry_value(b"", entry, b"")
            entry.server_time.isoformat()  # SQLite reads any other text as no time at all
        except Exception:  # see `_verify_one`
            return seq
    return 0
