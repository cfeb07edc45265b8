"""Rebuilds games from the journal: what it holds of an attempt, and the games that are made from it."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from channels.db import database_sync_to_async

from engine.errors import EnvironmentFault, SourceError
from engine.play.actions import RESET, Action
from engine.play.turns import EncodedTurn
from engine.tasks.edits import Edit, edit_in
from engine.tasks.game import TaskGame
from engine.tasks.task import Task
from playtest.play import measures
from playtest.play.attempt.loaded import (
    AttemptFailed,
    AttemptGame,
    LoadedAttempt,
    idle_beyond,
    idle_on_one_host,
)
from playtest.play.attempt.sources import loaded
from playtest.play.attempt.task_in_process import TaskInProcess, rule_of, submissions_of
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.hosts.game import compare
from playtest.play.hosts.pool import HostPool, NoHostFree, RebuildQueue
from playtest.play.hosts.process import HostLost, retrieve
from playtest.play.journal.entries import Provenance, new_entry, start_of
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.attempts import set_first_frame
from playtest.play.sessions.reads import last_seq
from playtest.play.together import Together

_BUSY_SECONDS = 0.5
_ROUNDS = 3
_OPENING = Action(RESET)
_UNKNOWN = Provenance()

type Waiting = Callable[[], Awaitable[None]]
"""Called before a game is rebuilt, which may take seconds."""


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """What an attempt's journal says from one entry on: actions or edits after it, and the state hashes.

    The first hash is that entry's, the opening's in a whole play, as is `first_chain`; `began` is when it was
    recorded. `seq`, `last_time` and `chain` are those of the newest entry.
    """

    actions: list[Any]
    hashes: list[bytes]
    seq: int
    began: datetime
    last_time: datetime
    first_chain: bytes
    chain: bytes


def recorded_action(action: int, x: int | None, y: int | None, edit: str | None) -> Action | Edit:
    """The action of an entry, or the edit of a static task's. Raises TaskError if that cannot be read."""
    return Action(action, x, y) if edit is None else edit_in(edit)


def recorded_plays(attempts: Sequence[int], first: int = 0) -> list[RecordedPlay | None]:
    """Each attempt's journal from entry `first` on, in two reads for all; None before the opening frame."""
    entries = Entry.objects.filter(attempt__in=attempts, seq__gte=first).order_by("attempt", "seq")
    rows: defaultdict[int, list[Any]] = defaultdict(list)
    for attempt, *row in entries.values_list("attempt", "pk", "action", "x", "y", "edit", "state_hash"):
        rows[attempt].append(row)
    ends = [found[end][0] for found in rows.values() for end in (0, -1)]
    found = Entry.objects.filter(pk__in=ends).values_list("pk", "server_time", "chain")
    times = {pk: (server_time, bytes(chain)) for pk, server_time, chain in found}
    return [_play(first, rows[one], times) if one in rows else None for one in attempts]


def _play(first: int, rows: Sequence[Any], times: Mapping[int, tuple[datetime, bytes]]) -> RecordedPlay:
    (began, first_chain), (last_time, chain) = times[rows[0][0]], times[rows[-1][0]]
    return RecordedPlay(
        actions=[recorded_action(*row[1:5]) for row in rows[1:]],
        hashes=[bytes(row[5]) for row in rows],
        seq=first + len(rows) - 1,
        began=began,
        last_time=last_time,
        first_chain=first_chain,
        chain=chain,
    )


class Rebuilds:
    """Makes the games of the attempts that a process has loaded, and evicts games if they become too many."""

    def __init__(
        self,
        pool: HostPool,
        of_agents: HostPool,
        attempts: Mapping[int, LoadedAttempt],
        most_games: int,
        arrivals: RebuildQueue,
    ) -> None:
        self._pools = {False: pool, True: of_agents}
        # Agents call the database in a thread of their own: nobody of either kind reads for the other.
        self._recorded = {of_agent: Together(recorded_plays) for of_agent in self._pools}
        self._attempts = attempts
        self._most_games = most_games
        self._arrivals = arrivals
        self._room: asyncio.Task[None] | None = None

    @property
    def games(self) -> int:
        """How many attempts have a game that runs."""
        return sum(1 for live in self._attempts.values() if live.game is not None and live.game.alive)

    async def ready(self, live: LoadedAttempt, rebuilding: Waiting) -> AttemptGame:
        """The attempt's game. Starts it, or rebuilds it from the journal, if none is alive.

        If the caller is cancelled, the rebuild goes on, and the next caller waits for the same: otherwise one
        that takes longer than a connection lasts would begin again with every connection, and never end.
        """
        if live.rebuild is not None and not live.rebuild.done():
            await rebuilding()
        elif live.game is not None and live.game.alive:
            return live.game
        else:
            await live.drop()
            recorded = await self._read(live)
            if recorded is not None and recorded.actions:
                await rebuilding()
            self._begin(live, self._rebuild(live, recorded))
        assert live.rebuild is not None
        await asyncio.wait([live.rebuild])
        if live.rebuild.cancelled():  # the attempt has ended, or nobody was there for long
            raise no_host()
        return live.rebuild.result()

    async def follow(self, live: LoadedAttempt, game: AttemptGame) -> None:
        """Begin to catch up with what another process has recorded of this attempt meanwhile."""
        since = await self._read_on(live)
        if since is None:
            await live.drop()
        elif since.actions:
            self._begin(live, self._play_on(live, game, since))

    async def _read(self, live: LoadedAttempt) -> RecordedPlay | None:
        """Its whole journal, read together with those of others who come at the same time."""
        return await self._recorded[live.attempt.is_run](live.attempt.pk)

    async def _read_on(self, live: LoadedAttempt) -> RecordedPlay | None:
        """Its journal from where `live` stands; None if that has another chain there."""
        [since] = await database_sync_to_async(recorded_plays)([live.attempt.pk], live.seq)
        return since if since is not None and since.first_chain == live.chain else None

    def _begin(self, live: LoadedAttempt, making: Coroutine[Any, Any, AttemptGame]) -> None:
        live.rebuild = asyncio.create_task(making)
        live.rebuild.add_done_callback(retrieve)

    async def _play_on(self, live: LoadedAttempt, game: AttemptGame, since: RecordedPlay) -> AttemptGame:
        """Carry out these actions alone; if that fails, a rebuild finds out whether the environment did."""
        try:
            pool = self._pools[live.attempt.is_run]
            live.turn = await pool.play_on(game, since.actions, since.hashes[1:])
        except (HostLost, EnvironmentFault):
            await live.drop()
            return await self._rebuild(live, await self._read(live))
        live.seq, live.last_time, live.chain = since.seq, since.last_time, since.chain
        return game

    async def _rebuild(self, live: LoadedAttempt, recorded: RecordedPlay | None) -> AttemptGame:
        """Make the game, and set what `live` says about it."""
        began = time.perf_counter()
        try:
            alone = live.lost_after is not None
            game, turn = await self._start(live.attempt, recorded, alone=alone)
        except (SourceError, EnvironmentFault) as error:
            raise AttemptFailed(error, live.seq, None) from error
        except HostLost as error:
            raise no_host() from error
        live.game, live.turn = game, turn
        await self._make_room()
        if recorded is not None and recorded.actions:
            measures.REBUILDS.observe(time.perf_counter() - began)
        if recorded is not None:
            live.seq, live.last_time, live.chain = recorded.seq, recorded.last_time, recorded.chain
        elif not await self._record_opening(live, turn):
            return await self._rebuild(live, await self._read(live))
        await self._start_clock(live, recorded.began if recorded else live.last_time)
        return await self._caught_up(live, game) if live.overtaken else game

    async def _caught_up(self, live: LoadedAttempt, game: AttemptGame) -> AttemptGame:
        """Play also what was recorded while the game was made: else its next action came too late again."""
        live.overtaken = False
        for _ in range(_ROUNDS):  # each is shorter than the one before
            since = await self._read_on(live)
            if since is None or not since.actions:
                break
            game = await self._play_on(live, game, since)
        return game

    async def _start(
        self, attempt: Attempt, recorded: RecordedPlay | None, *, alone: bool
    ) -> tuple[AttemptGame, EncodedTurn]:
        """Its game: a task's in this process, else on a host; if none is free, in place of those who do not
        act. `alone`: it has lost a host that others may have used.
        """
        content = await loaded(attempt.version_id)
        if isinstance(content, Task):
            return await start_task(content, attempt, recorded)
        start = partial(
            self._pools[attempt.is_run].start,
            content,
            attempt.seed,
            recorded.actions if recorded else (),
            all_actions=attempt.is_run,
            level=attempt.first_level,
            expected_hashes=recorded.hashes if recorded else None,
            shares=attempt.is_run,
            alone=alone,
            coming=0 if attempt.is_run else self._arrivals.waiting,
        )
        try:
            return await start()
        except NoHostFree:
            others = [one for one in self._attempts.values() if one.attempt.is_run == attempt.is_run]
            unused = idle_on_one_host(others, asyncio.get_running_loop().time())
            if not unused:
                raise
            await self._evict(unused)
            return await start()

    async def _make_room(self) -> None:
        """Evict those beyond the limit; where too many are busy, once they are not."""
        await self._evict(idle_beyond(self._most_games, self._attempts.values()))
        too_many = len(self._attempts) > self._most_games and self.games > self._most_games
        if self._room is None and too_many:
            self._room = asyncio.create_task(self._make_room_later())

    async def _make_room_later(self) -> None:
        await asyncio.sleep(_BUSY_SECONDS)
        self._room = None
        await self._make_room()

    async def _evict(self, attempts: Iterable[LoadedAttempt]) -> None:
        """Drop games that nobody uses at the moment; their next action rebuilds them."""
        for live in attempts:
            if not live.busy:
                await live.drop()

    async def _record_opening(self, live: LoadedAttempt, turn: EncodedTurn) -> bool:
        """Records the opening frame; returns False if another process has recorded it."""
        live.last_time = max(now(), live.attempt.assigned_at)  # processes differ in their clocks
        before = start_of(live.attempt)
        level = live.attempt.first_level
        opening = new_entry(live.attempt.pk, _OPENING, level, turn, live.last_time, _UNKNOWN, before)
        try:
            await live.append(opening)
        except Refusal:
            if await database_sync_to_async(last_seq)(live.attempt.pk) < 0:
                raise
            return False
        live.seq, live.chain = 0, opening.chain
        return True

    async def _start_clock(self, live: LoadedAttempt, at: datetime) -> None:
        if live.attempt.first_frame_at is None:
            await database_sync_to_async(set_first_frame)(live.attempt.pk, at)
            live.attempt.first_frame_at = at


async def start_task(
    task: Task, attempt: Attempt, recorded: RecordedPlay | None
) -> tuple[TaskInProcess, EncodedTurn]:
    """A task's game and its opening turn; after what was recorded, its last turn as a keyframe.

    Raises EnvironmentFault diverged where the record says otherwise.
    """
    started = TaskInProcess(TaskGame(task, submissions_of(rule_of(attempt))))
    if recorded is None:
        return started, started.game.turn
    compare(0, recorded.hashes[:1], [started.game.turn.state_hash])
    await started.replay(recorded.actions, recorded.hashes[1:])
    return started, started.game.keyframe()


def no_host() -> Refusal:
    """Hosts are lost through no fault of an environment: nothing ends, and the client tries again."""
    return Refusal("resync_required", "The game cannot be played at the moment: try again.")
