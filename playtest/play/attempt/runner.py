"""Live attempts of this process: a cache in front of the journal, which is the truth.

Order of one action: step, append, commit, then answer. If the append fails, the game is dropped, and the next
use rebuilds it from the journal. Every adapter, for people and for agents, plays through `AttemptRunner`.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from functools import cache, partial

from channels.db import database_sync_to_async
from django.conf import settings

from engine.actions import RESET, Action
from engine.errors import ActionError, EngineError, EnvironmentFault, SourceError
from engine.tasks.edits import Edit
from engine.turns import EncodedTurn
from playtest.play import measures
from playtest.play.attempt import loaded
from playtest.play.attempt.loaded import AttemptGame, LoadedAttempt, is_task
from playtest.play.attempt.rebuild import (
    RecordedPlay,
    RecordedSince,
    recorded_action,
    recorded_play,
    recorded_since,
)
from playtest.play.attempt.sources import Precompilation, source_of, task_of_version
from playtest.play.attempt.task_in_process import start_task
from playtest.play.clock import now
from playtest.play.errors import Refusal, paused
from playtest.play.hosts.pool import HostLost, HostPool, NoHostFree
from playtest.play.hosts.process import retrieve
from playtest.play.journal.entries import NewEntry, Provenance, new_entry, note_of, recorded_turn, start_of
from playtest.play.journal.writer import JournalFailed, writer
from playtest.play.models import AgentNote, Attempt, Entry
from playtest.play.sessions.attempts import end_attempt, set_first_frame
from playtest.play.sessions.reads import last_seq
from playtest.rules.adjustments import Adjustments
from playtest.rules.attempt import Outcome

logger = logging.getLogger(__name__)

_REBUILDS_BEFORE_GIVING_UP = 3
_SECONDS_WITHOUT_VIEWERS = 60.0
_ARRIVALS = 4
_BUSY_SECONDS = 0.5
_OPENING = Action(RESET)
_REFUSED = ("reset_required", "action_unavailable", "edit_impossible", "input_closed")
_UNKNOWN = Provenance()

type Waiting = Callable[[], Awaitable[None]]
"""Called before a game is rebuilt, which may take seconds."""


async def _nothing() -> None:
    pass


class AttemptFailed(Exception):
    """The environment failed, so the attempt has to end as a fault. `details` reproduce it."""

    def __init__(self, error: EngineError, seq: int, action: Action | Edit | None) -> None:
        super().__init__(error.message)
        self.code = error.code
        self.message = error.message
        self.details: dict[str, object] = {"code": error.code, "seq": seq}
        if action is not None:
            self.details |= {"action": action.id, "x": action.x, "y": action.y}


class AttemptRunner:
    """The live attempts of one process, on its engine hosts.

    `arrivals` is held while somebody who connects is looked up. If a thousand come at once, the first of them
    would otherwise wait until all have been asked for their cookies.
    """

    def __init__(self, pool: HostPool, most_games: int) -> None:
        self._most_games = most_games
        self._room: asyncio.Task[None] | None = None
        self.arrivals = asyncio.Semaphore(_ARRIVALS)
        self._pool = pool
        self._attempts: dict[int, LoadedAttempt] = {}
        self._ahead = Precompilation(pool)

    @property
    def games(self) -> int:
        """How many attempts have a game that runs."""
        return sum(1 for live in self._attempts.values() if live.game is not None and live.game.alive)

    @property
    def hosts(self) -> int:
        """How many engine hosts run."""
        return len(self._pool.processes)

    def start(self) -> None:
        """Start what those who come first would wait for."""
        self._pool.keep_spares()

    def expect(self, study_id: int) -> None:
        """Prepare what somebody who is in the pause of a study may open next."""
        self._ahead.expect(study_id)

    async def can_start(self) -> bool:
        """Whether an engine host can be started, which it tries unless one runs."""
        return await self._pool.can_start()

    def join(self, attempt: Attempt, adjustments: Adjustments) -> LoadedAttempt:
        """Add a viewer to an attempt; every `join` is matched by a `leave`."""
        live = self._attempts.setdefault(attempt.pk, LoadedAttempt(attempt))
        live.attempt, live.adjustments = attempt, adjustments
        live.viewers += 1
        return live

    def leave(self, live: LoadedAttempt) -> None:
        """Remove a viewer; a game without viewers is dropped after a minute."""
        live.viewers -= 1
        if live.viewers == 0:
            asyncio.get_running_loop().call_later(_SECONDS_WITHOUT_VIEWERS, self._drop_unviewed, live)

    async def forget(self, attempt_id: int) -> None:
        """Drop the game of an attempt that has ended."""
        if live := self._attempts.pop(attempt_id, None):
            await self._discard(live)

    async def current_turn(self, live: LoadedAttempt, rebuilding: Waiting = _nothing) -> EncodedTurn:
        """The turn to continue from: the last one, its last frame alone, as a keyframe.

        First rebuilds the attempt from its journal if needed. Raises AttemptFailed when its environment
        cannot be started or no longer follows its journal. Refusal: resync_required when its opening could
        not be recorded, or no host stays alive; the client tries again.
        """
        async with live.lock:
            if live.is_rebuilding:
                await self._catch_up(live, rebuilding)  # it may have begun before another process played
            if live.game is not None and live.game.alive:
                await self._follow(live, live.game)
            for _ in range(_REBUILDS_BEFORE_GIVING_UP):
                try:
                    return await (await self._catch_up(live, rebuilding)).keyframe()
                except HostLost:
                    await self._drop(live)
                except EnvironmentFault as fault:
                    raise AttemptFailed(fault, live.seq, None) from fault
            raise _no_host()

    async def last_keyframe(self, live: LoadedAttempt) -> EncodedTurn | None:
        """The last turn as a keyframe for somebody who watches; None if its game is not running.

        Rebuilds nothing and asks no database. It waits for the action under way.
        """
        async with live.lock:
            if live.is_rebuilding or live.game is None or not live.game.alive:
                return None
            try:
                return await live.game.keyframe()
            except (HostLost, EnvironmentFault):  # the next action meets the same, and handles it
                return None

    async def act(
        self,
        live: LoadedAttempt,
        sequence: int,
        action: Action | Edit,
        provenance: Provenance = _UNKNOWN,
        rebuilding: Waiting = _nothing,
    ) -> EncodedTurn:
        """Carry out one action, of a task one edit, and return its turn, which is durable by then.

        An action that was recorded under this sequence before gets its recorded turn. Refusal, with nothing
        recorded: wrong_sequence, attempt_over, paused, action_unavailable, reset_required, edit_impossible,
        input_closed. Refusal, when it is not certain whether the action was recorded: resync_required. Raises
        AttemptFailed.
        """
        began = time.perf_counter()
        async with live.lock:
            await self._catch_up(live, rebuilding)
            if sequence <= live.seq:
                return await self._repeated(live, sequence, action)
            if sequence != live.seq + 1:
                raise _wrong_sequence(live)
            received_at = max(now(), live.last_time)
            deadline = live.deadline
            if deadline is not None and received_at >= deadline.at:
                raise Refusal("attempt_over", "The time for this environment is over.")
            if live.adjustments.paused:
                raise paused()
            level = live.turn.level if live.turn else 1
            turn = await self._step(live, action, rebuilding)
            entry = new_entry(live.attempt.pk, action, level, turn, received_at, provenance, live.chain)
            await self._append(live, entry, note_of(entry, provenance))
            live.seq, live.turn, live.last_time, live.chain = turn.seq, turn, received_at, entry.chain
            measures.ACTIONS[live.attempt.played_by].observe(time.perf_counter() - began)
            return turn

    async def end(self, attempt: Attempt, outcome: Outcome) -> None:
        """End an attempt now. Refusal: paused, unless its last turn ended it."""
        by_participant = outcome not in (Outcome.COMPLETED, Outcome.TRIES_USED)
        await database_sync_to_async(end_attempt)(attempt.pk, outcome, now(), by_participant=by_participant)
        await self.forget(attempt.pk)

    async def end_as_fault(self, attempt: Attempt, failure: AttemptFailed) -> None:
        """End an attempt whose environment failed."""
        measures.FAULTS.labels(failure.code).inc()
        logger.error("environment fault in attempt %s: %s %s", attempt.pk, failure.code, failure.message)
        await database_sync_to_async(end_attempt)(
            attempt.pk,
            Outcome.FAULT,
            now(),
            fault_code=failure.code,
            fault_message=failure.message,
            details=failure.details,
        )
        await self.forget(attempt.pk)

    async def _step(self, live: LoadedAttempt, action: Action | Edit, rebuilding: Waiting) -> EncodedTurn:
        for _ in range(_REBUILDS_BEFORE_GIVING_UP):
            game = live.game
            if game is None or not game.alive:
                game = await self._catch_up(live, rebuilding)
            try:
                return await game.act(action)
            except HostLost:
                await self._drop(live)
            except ActionError as error:
                raise _refused(error) from error
            except EnvironmentFault as fault:
                raise AttemptFailed(fault, live.seq + 1, action) from fault
        raise _no_host()

    async def _append(self, live: LoadedAttempt, entry: NewEntry, note: AgentNote | None = None) -> None:
        """Make the entry durable with its note, or drop the game that has run ahead of its journal."""
        try:
            appended = await writer.append(entry, note)
        except BaseException as error:
            await self._drop(live)
            if isinstance(error, JournalFailed):
                raise Refusal("resync_required", "The action could not be recorded.") from error
            raise
        if not appended:
            await self._drop(live)
            message = "Another window was faster, the attempt has ended, or the session is paused."
            raise Refusal("resync_required", message)

    async def _catch_up(self, live: LoadedAttempt, rebuilding: Waiting) -> AttemptGame:
        """The attempt's game. Starts it, or rebuilds it from the journal, if none is alive.

        If the caller is cancelled, the rebuild goes on, and the next caller waits for the same: otherwise one
        that takes longer than a connection lasts would begin again with every connection, and never end.
        """
        live.used = asyncio.get_running_loop().time()
        if live.rebuild is not None and not live.rebuild.done():
            await rebuilding()
        elif live.game is not None and live.game.alive:
            return live.game
        else:
            await self._drop(live)
            recorded = await database_sync_to_async(recorded_play)(live.attempt.pk)
            if recorded is not None and recorded.actions:
                await rebuilding()
            live.rebuild = asyncio.create_task(self._rebuild(live, recorded))
            live.rebuild.add_done_callback(retrieve)
        await asyncio.wait([live.rebuild])
        if live.rebuild.cancelled():  # the attempt has ended, or nobody was there for long
            raise _no_host()
        return live.rebuild.result()

    async def _follow(self, live: LoadedAttempt, game: AttemptGame) -> None:
        """Begin to catch up with what another process has recorded of this attempt meanwhile."""
        since = await database_sync_to_async(recorded_since)(live.attempt.pk, live.seq, live.chain)
        if since is None:
            await self._drop(live)
        elif since.actions:
            live.rebuild = asyncio.create_task(self._play_on(live, game, since))
            live.rebuild.add_done_callback(retrieve)

    async def _play_on(self, live: LoadedAttempt, game: AttemptGame, since: RecordedSince) -> AttemptGame:
        """Carry out these actions alone; if that fails, a rebuild finds out whether the environment did."""
        try:
            live.turn = await self._pool.play_on(game, since.actions, since.hashes)
        except (HostLost, EnvironmentFault):
            await self._drop(live)
            return await self._rebuild(live, await database_sync_to_async(recorded_play)(live.attempt.pk))
        live.seq, live.last_time, live.chain = since.seq, since.last_time, since.chain
        return game

    async def _rebuild(self, live: LoadedAttempt, recorded: RecordedPlay | None) -> AttemptGame:
        """Make the game, and set what `live` says about it."""
        began = time.perf_counter()
        try:
            game, turn = await self._start(live.attempt, recorded)
        except (SourceError, EnvironmentFault) as error:
            raise AttemptFailed(error, live.seq, None) from error
        except HostLost as error:
            raise _no_host() from error
        live.game, live.turn = game, turn
        await self._make_room()
        if recorded is not None and recorded.actions:
            measures.REBUILDS.observe(time.perf_counter() - began)
        if recorded is not None:
            live.seq, live.last_time, live.chain = recorded.seq, recorded.last_time, recorded.chain
        elif not await self._record_opening(live, turn):
            return await self._rebuild(live, await database_sync_to_async(recorded_play)(live.attempt.pk))
        await self._start_clock(live, recorded.began if recorded else live.last_time)
        return game

    async def _start(
        self, attempt: Attempt, recorded: RecordedPlay | None
    ) -> tuple[AttemptGame, EncodedTurn]:
        """Its game: of a task in this process, else on a host. As `start_task` and `HostPool.start`."""
        if is_task(attempt):
            return await start_task(await task_of_version(attempt.version_id), attempt, recorded)
        return await self._start_on_host(attempt, recorded)

    async def _start_on_host(
        self, attempt: Attempt, recorded: RecordedPlay | None
    ) -> tuple[AttemptGame, EncodedTurn]:
        """A game on a host; if none is free, in place of people's who do not act."""
        start = partial(
            self._pool.start,
            await source_of(attempt.version_id),
            attempt.seed,
            recorded.actions if recorded else (),
            all_actions=attempt.is_run,
            level=attempt.first_level,
            expected_hashes=recorded.hashes if recorded else None,
        )
        try:
            return await start()
        except NoHostFree:
            unused = loaded.idle_on_one_host(self._attempts.values(), asyncio.get_running_loop().time())
            if not unused:
                raise
            await self._let_go(unused)
            return await start()

    async def _make_room(self) -> None:
        """Let go of those beyond the limit; where too many are busy, once they are not."""
        await self._let_go(loaded.idle_beyond(self._most_games, self._attempts.values()))
        if self._room is None and len(self._attempts) > self._most_games and self.games > self._most_games:
            self._room = asyncio.create_task(self._make_room_later())

    async def _make_room_later(self) -> None:
        await asyncio.sleep(_BUSY_SECONDS)
        self._room = None
        await self._make_room()

    async def _let_go(self, attempts: Iterable[LoadedAttempt]) -> None:
        """Drop games that nobody uses at the moment; their next action rebuilds them."""
        for live in attempts:
            if not live.busy:
                await self._drop(live)

    async def _record_opening(self, live: LoadedAttempt, turn: EncodedTurn) -> bool:
        """Records the opening frame; returns False if another process has recorded it."""
        live.last_time = max(now(), live.attempt.assigned_at)  # processes differ in their clocks
        before = start_of(live.attempt)
        level = live.attempt.first_level
        opening = new_entry(live.attempt.pk, _OPENING, level, turn, live.last_time, _UNKNOWN, before)
        try:
            await self._append(live, opening)
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

    async def _repeated(self, live: LoadedAttempt, sequence: int, action: Action | Edit) -> EncodedTurn:
        """The recorded turn of an action that was already carried out; nothing happens twice.

        An edit that was is answered with the task as it is now.
        """
        entry = await Entry.objects.filter(attempt=live.attempt.pk, seq=sequence).afirst()
        if (
            entry is None
            or entry.seq == 0
            or recorded_action(entry.action, entry.x, entry.y, entry.edit) != action
        ):
            raise _wrong_sequence(live)
        if isinstance(action, Edit) and live.game is not None:
            return await live.game.keyframe()
        return recorded_turn(entry, live.attempt.version.levels)

    async def _drop(self, live: LoadedAttempt) -> None:
        game, live.game = live.game, None
        if game is not None and game.alive:
            await game.stop()

    async def _discard(self, live: LoadedAttempt) -> None:
        """Drop the game of an attempt that is not played any more, also one that is being made."""
        if live.rebuild is not None:
            live.rebuild.cancel()
        await self._drop(live)

    def _drop_unviewed(self, live: LoadedAttempt) -> None:
        if live.viewers == 0 and self._attempts.get(live.attempt.pk) is live:
            del self._attempts[live.attempt.pk]
            self._dropping = asyncio.ensure_future(self._discard(live))


@cache
def attempt_runner() -> AttemptRunner:
    """The live attempts of this process; their hosts start on first use."""
    return AttemptRunner(
        HostPool(
            settings.ENGINE_HOSTS,
            most=settings.ENGINE_MOST_HOSTS,
            spare=settings.ENGINE_SPARE_HOSTS,
            deadline_seconds=settings.ENGINE_DEADLINE_SECONDS,
            memory_megabytes=settings.ENGINE_MEMORY_MEGABYTES,
        ),
        most_games=settings.ENGINE_MOST_GAMES,
    )


def _wrong_sequence(live: LoadedAttempt) -> Refusal:
    return Refusal("wrong_sequence", f"The next sequence is {live.seq + 1}.")


def _refused(error: ActionError) -> Refusal:
    return Refusal(error.code if error.code in _REFUSED else "attempt_over", error.message)


def _no_host() -> Refusal:
    """Hosts are lost through no fault of an environment: nothing ends, and the client tries again."""
    return Refusal("resync_required", "The environment cannot be played at the moment: try again.")
