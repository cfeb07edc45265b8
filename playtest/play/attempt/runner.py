"""Live attempts of this process: a cache in front of the journal, which is the truth.

Order of one action: step, append, commit, then answer. If the append fails, the game is dropped, and the next
use rebuilds it from the journal. Every adapter, for people and for agents, plays through `AttemptRunner`.
"""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial

from channels.db import database_sync_to_async
from django.conf import settings

from engine.errors import ActionError, EnvironmentFault
from engine.play.actions import Action
from engine.play.turns import EncodedTurn
from engine.tasks.edits import Edit
from playtest.play import measures
from playtest.play.attempt.loaded import AttemptFailed, AttemptGame, LoadedAttempt
from playtest.play.attempt.rebuild import Rebuilds, Waiting, no_host, recorded_action
from playtest.play.attempt.sources import Precompilation
from playtest.play.attempt.task_in_process import TaskInProcess
from playtest.play.clock import now
from playtest.play.errors import Refusal, paused
from playtest.play.hosts.pool import HostPool, RebuildQueue
from playtest.play.hosts.process import HostLost
from playtest.play.journal.entries import Provenance, new_entry, note_of, recorded_turn
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.attempts import end_attempt
from playtest.rules.adjustments import Adjustments
from playtest.rules.attempt import Outcome
from playtest.rules.limits import is_over

HERE_SECONDS = 60.0


class PeopleFirst:
    """Counts what people wait for: what agents want is begun while nobody waits. For one event loop."""

    def __init__(self) -> None:
        self._under_way = 0
        self._entered = -math.inf
        self._quiet: list[asyncio.Future[None]] = []

    def enter(self) -> None:
        """A person waits from now on, until `leave`."""
        self._under_way += 1
        self._entered = time.monotonic()

    def leave(self) -> None:
        self._under_way -= 1
        if not self._under_way:
            waiting, self._quiet = self._quiet, []
            for one in waiting:
                one.set_result(None)

    @property
    def here(self) -> bool:
        """Whether somebody played in the last minute."""
        return time.monotonic() - self._entered < HERE_SECONDS

    async def quiet(self, seconds: float) -> None:
        """Returns when nobody waits, at the latest after so many seconds: agents are slow then, not stuck."""
        until = time.monotonic() + seconds
        while self._under_way and (left := until - time.monotonic()) > 0:
            quiet = asyncio.get_running_loop().create_future()
            self._quiet.append(quiet)
            await asyncio.wait([quiet], timeout=left)


people_first = PeopleFirst()
"""Of this process."""


logger = logging.getLogger(__name__)

_REBUILDS_BEFORE_GIVING_UP = 3
_SECONDS_WITHOUT_VIEWERS = 60.0
_ARRIVALS = 48
_SPARE_FOR_AGENTS = 2
_REFUSED = ("reset_required", "action_unavailable", "edit_impossible", "input_closed", "submission_repeated")
_UNKNOWN = Provenance()


async def _nothing() -> None:
    pass


class AttemptRunner:
    """The live attempts of one process, on its engine hosts; agents' are on hosts of their own.

    If a thousand come at once, the first of them would wait until all have been asked for their cookies: so
    they are looked up in turns (`arriving`).
    """

    def __init__(self, pool: HostPool, of_agents: HostPool, most_games: int) -> None:
        self._arrivals = RebuildQueue(_ARRIVALS)
        self._pool, self._of_agents = pool, of_agents
        self._attempts: dict[int, LoadedAttempt] = {}
        self._rebuilds = Rebuilds(pool, of_agents, self._attempts, most_games, self._arrivals)
        self._ahead = Precompilation(pool)

    @property
    def games(self) -> int:
        """How many attempts have a game that runs."""
        return self._rebuilds.games

    @property
    def hosts(self) -> int:
        """How many engine hosts run."""
        return len(self._pool.processes) + len(self._of_agents.processes)

    def launch(self) -> None:
        """Let people's hosts get ready to be forked, before there is a loop."""
        self._pool.launch()

    def start(self) -> None:
        """Start what those who come first would wait for."""
        self._pool.spares.keep()

    @asynccontextmanager
    async def arriving(self) -> AsyncIterator[None]:
        """Waits until somebody who connects may be looked up: few at once, while few wait for a game."""
        async with self._arrivals.turn(1):
            await self._pool.room()
            yield

    def expect(self, study_id: int) -> None:
        """Prepare what somebody who is in the pause of a study may open next."""
        self._ahead.expect(study_id)

    async def can_start(self) -> bool:
        """Whether an engine host can be started, which it tries unless one runs."""
        return await self._pool.can_start()

    def join(self, attempt: Attempt, adjustments: Adjustments) -> LoadedAttempt:
        """Add a viewer to an attempt; every `join` is matched by a `leave`."""
        live = self._attempts.setdefault(attempt.pk, LoadedAttempt(attempt))
        live.attempt = attempt
        live.adjust(adjustments)
        live.viewers += 1
        if live.dropping is not None:
            live.dropping.cancel()
        return live

    def leave(self, live: LoadedAttempt) -> None:
        """Remove a viewer; a game without viewers is dropped after a minute."""
        live.viewers -= 1
        if live.viewers == 0:
            loop = asyncio.get_running_loop()
            live.dropping = loop.call_later(_SECONDS_WITHOUT_VIEWERS, self._drop_unviewed, live)

    async def forget(self, attempt_id: int) -> None:
        """Drop the game of an attempt that has ended."""
        if live := self._attempts.pop(attempt_id, None):
            await live.discard()

    async def current_turn(self, live: LoadedAttempt, rebuilding: Waiting = _nothing) -> EncodedTurn:
        """The turn to continue from: the last one, its last frame alone, as a keyframe.

        First rebuilds the attempt from its journal if needed. Raises AttemptFailed when its environment
        cannot be started or no longer follows its journal. Refusal: resync_required when its opening could
        not be recorded, or no host stays alive; the client tries again.
        """
        async with live.lock:
            if live.is_rebuilding:
                await self._game(live, rebuilding)  # it may have begun before another process played
            if live.game is not None and live.game.alive:
                await self._rebuilds.follow(live, live.game)
            for _ in range(_REBUILDS_BEFORE_GIVING_UP):
                try:
                    before = live.game
                    try:
                        game = await self._game(live, rebuilding)
                        if game is not before and live.seq and live.turn is not None:
                            return live.turn  # that of a rebuild is a keyframe
                        return await game.keyframe()
                    except HostLost as loss:
                        await live.lose(loss)
                except EnvironmentFault as fault:
                    raise AttemptFailed(fault, live.seq, None) from fault
            raise no_host()

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
        input_closed, submission_repeated. Refusal, when it is not certain whether the action was recorded:
        resync_required. Raises AttemptFailed.
        """
        began = time.perf_counter()
        async with live.lock:
            await self._game(live, rebuilding)
            if sequence <= live.seq:
                return await self._repeated(live, sequence, action)
            if sequence != live.seq + 1:
                raise _wrong_sequence(live)
            received_at = max(now(), live.last_time)
            if is_over(live.ends_at, received_at):
                raise Refusal("attempt_over", "The time for this game is over.")
            if live.paused:
                raise paused()
            level = live.turn.level if live.turn else 1
            turn = await self._step(live, action, rebuilding)
            entry = new_entry(live.attempt.pk, action, level, turn, received_at, provenance, live.chain)
            await live.append(entry, note_of(entry, provenance))
            live.seq, live.turn, live.last_time, live.chain = turn.seq, turn, received_at, entry.chain
            live.seconds.observe(time.perf_counter() - began)
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

    async def _game(self, live: LoadedAttempt, rebuilding: Waiting) -> AttemptGame:
        """The attempt's game, rebuilt if none is alive. Errors: `Rebuilds.ready`."""
        live.used = asyncio.get_running_loop().time()
        game = live.game
        if game is not None and game.alive and not live.is_rebuilding:
            return game
        return await self._rebuilds.ready(live, rebuilding)

    async def _step(self, live: LoadedAttempt, action: Action | Edit, rebuilding: Waiting) -> EncodedTurn:
        for _ in range(_REBUILDS_BEFORE_GIVING_UP):
            game = live.game
            if game is None or not game.alive:
                game = await self._game(live, rebuilding)
            try:
                if isinstance(game, TaskInProcess):
                    game.refuse_repeated(action)
                try:
                    return await game.act(action)
                except HostLost as loss:
                    await live.lose(loss)
            except ActionError as error:
                raise _refused(error) from error
            except EnvironmentFault as fault:
                raise AttemptFailed(fault, live.seq + 1, action) from fault
        raise no_host()

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

    def _drop_unviewed(self, live: LoadedAttempt) -> None:
        if live.viewers == 0 and self._attempts.get(live.attempt.pk) is live:
            del self._attempts[live.attempt.pk]
            self._dropping = asyncio.ensure_future(live.discard())


@cache
def attempt_runner() -> AttemptRunner:
    """The live attempts of this process; their hosts start on first use."""
    pool = partial(
        HostPool,
        settings.ENGINE_HOSTS,
        most=settings.ENGINE_MOST_HOSTS,
        deadline_seconds=settings.ENGINE_DEADLINE_SECONDS,
        memory_megabytes=settings.ENGINE_MEMORY_MEGABYTES,
    )
    return AttemptRunner(
        pool(own=settings.ENGINE_OWN_HOSTS, spare=settings.ENGINE_SPARE_HOSTS),
        pool(spare=min(_SPARE_FOR_AGENTS, settings.ENGINE_SPARE_HOSTS), behind=True),
        settings.ENGINE_MOST_GAMES,
    )


def _wrong_sequence(live: LoadedAttempt) -> Refusal:
    return Refusal("wrong_sequence", f"The next sequence is {live.seq + 1}.")


def _refused(error: ActionError) -> Refusal:
    return Refusal(error.code if error.code in _REFUSED else "attempt_over", error.message)
