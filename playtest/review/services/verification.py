"""The truth check: attempts are played again from their journal, and everything that is stored is compared.

The environments run in engine hosts of their own, so that nobody who plays waits for a check.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from asgiref.sync import sync_to_async
from django.conf import settings

from engine.actions import ACTION_NAMES, Action
from engine.errors import ActionError, EngineError, EnvironmentFault, PayloadError, SourceError
from engine.frames import Frame, decode
from engine.source import from_parts
from playtest.play.hosts import HostedGame, HostLost, HostPool, HostTurn
from playtest.play.journal import inflate
from playtest.play.models import Attempt, Entry

_TRIES = 3


@dataclass(frozen=True, eq=False)
class Difference:
    """The first entry that does not come out as it is stored.

    `facts` names what differs: columns of the journal, or "seq" for a gap. `frame` counts from 0 within the
    turn; `recorded` and `played` are that frame, None where there is none. `code` and `message` say why there
    is no turn to compare: the engine's own code, `gap`, `payload_malformed` or `host_lost`; else "differs".
    """

    seq: int
    facts: tuple[str, ...]
    recorded_hash: str = ""
    played_hash: str = ""
    frame: int = 0
    recorded: Frame | None = None
    played: Frame | None = None
    code: str = "differs"
    message: str = "The environment does something else than what is stored."

    @property
    def cells(self) -> int:
        """How many cells differ between the two frames; every one if a frame is missing."""
        if self.recorded is None or self.played is None:
            return 0 if self.recorded is self.played else 64 * 64
        return int(np.count_nonzero(self.recorded != self.played))


@dataclass(frozen=True, eq=False)
class Verification:
    """What one check found: `entries` agree, and then came the difference, if any."""

    attempt_id: int
    entries: int
    difference: Difference | None


async def verify(
    attempt_ids: Sequence[int], report: Callable[[Verification], None], hosts: int | None = None
) -> None:
    """Checks attempts and reports each as it is done; on `hosts` processes, by default one a core."""
    count = min(hosts or settings.ENGINE_HOSTS, max(len(attempt_ids), 1))
    pool = HostPool(
        count,
        deadline_seconds=settings.ENGINE_DEADLINE_SECONDS,
        memory_megabytes=settings.ENGINE_MEMORY_MEGABYTES,
    )
    waiting = iter(attempt_ids)

    async def work() -> None:
        for attempt_id in waiting:
            report(await _verify_one(pool, attempt_id))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(count):
                group.create_task(work())
    finally:
        await pool.close()


async def verify_one(attempt_id: int) -> Verification:
    """The check of one attempt, on one host."""
    found: list[Verification] = []
    await verify([attempt_id], found.append, hosts=1)
    return found[0]


async def _verify_one(pool: HostPool, attempt_id: int) -> Verification:
    attempt, entries = await sync_to_async(_load)(attempt_id)
    for _ in range(_TRIES):
        try:
            return await _Check(attempt, entries).run(pool)
        except HostLost:
            await asyncio.sleep(0)
    message = "The engine host ended again and again during this check: try it once more."
    lost = Difference(0, (), code="host_lost", message=message)
    return Verification(attempt_id, 0, lost)


def _load(attempt_id: int) -> tuple[Attempt, list[Entry]]:
    attempt = Attempt.objects.select_related("version").get(pk=attempt_id)
    return attempt, list(attempt.entries.order_by("seq"))


class _Check:
    """One attempt on its way through its entries."""

    def __init__(self, attempt: Attempt, entries: Iterable[Entry]) -> None:
        self._attempt = attempt
        self._entries = list(entries)
        self._recorded: Frame | None = None
        self._played: Frame | None = None
        self._level = 1

    async def run(self, pool: HostPool) -> Verification:
        """Raises HostLost when a host ended under it."""
        game: HostedGame | None = None
        try:
            for number, entry in enumerate(self._entries):
                if entry.seq != number:
                    message = f"Entry {number} is missing: the next one is {entry.seq}."
                    gap = Difference(number, ("seq",), code="gap", message=message)
                    return Verification(self._attempt.pk, number, gap)
                try:
                    game, turn = await self._perform(pool, game, entry)
                except (ActionError, EnvironmentFault, SourceError) as error:
                    return Verification(self._attempt.pk, number, self._refused(entry, error))
                if difference := self._compare(entry, turn):
                    return Verification(self._attempt.pk, number, difference)
        finally:
            if game is not None and game.alive:
                await game.stop()
        return Verification(self._attempt.pk, len(self._entries), None)

    async def _perform(
        self, pool: HostPool, game: HostedGame | None, entry: Entry
    ) -> tuple[HostedGame, HostTurn]:
        if game is not None:
            return game, await game.act(Action(entry.action, entry.x, entry.y))
        version = self._attempt.version
        source = from_parts(version.metadata, version.source, version.game_id)
        return await pool.start(source, self._attempt.seed)

    def _compare(self, entry: Entry, turn: HostTurn) -> Difference | None:
        played = decode(turn.payload, self._played)
        try:
            recorded = decode(inflate(entry.frames), self._recorded)
        except PayloadError as error:
            return self._refused(entry, error, played[-1])
        facts = [name for name, stored, now in self._facts(entry, turn) if stored != now]
        unlike = _first_unlike(recorded, played)
        if unlike is None and len(recorded) == entry.frame_count and not facts:
            self._recorded, self._played, self._level = recorded[-1], played[-1], turn.level
            return None
        if unlike is not None:
            facts.append("frames")
        elif len(recorded) != entry.frame_count:
            facts.append("frame_count")
        index = len(recorded) - 1 if unlike is None else unlike
        return Difference(
            entry.seq,
            tuple(facts),
            bytes(entry.state_hash).hex(),
            turn.state_hash.hex(),
            index,
            recorded[index] if index < len(recorded) else None,
            played[index] if index < len(played) else None,
        )

    def _facts(self, entry: Entry, turn: HostTurn) -> list[tuple[str, object, object]]:
        """Name, as stored, as played, of what an entry says beside its frames."""
        available = 1 | sum(1 << action for action in turn.available_actions)
        return [
            ("state_hash", bytes(entry.state_hash), turn.state_hash),
            ("level", entry.level, self._level),
            ("levels_completed", entry.levels_completed, turn.levels_completed),
            ("level_completed", entry.level_completed, turn.level_completed),
            ("state", entry.state, turn.state),
            ("available", entry.available, available),
            ("changed", entry.changed, turn.changed),
        ]

    def _refused(self, entry: Entry, error: EngineError, played: Frame | None = None) -> Difference:
        """There is no turn to compare: the last recorded frame is shown for orientation where it is known."""
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


def _first_unlike(recorded: Sequence[Frame], played: Sequence[Frame]) -> int | None:
    """The first frame of a turn that is not the same in both."""
    for index, (one, other) in enumerate(zip_longest(recorded, played)):
        if one is None or other is None or not np.array_equal(one, other):
            return index
    return None


def _named(entry: Entry) -> str:
    name = ACTION_NAMES[entry.action] if entry.action < len(ACTION_NAMES) else f"action {entry.action}"
    return f"Entry {entry.seq} ({name})"
