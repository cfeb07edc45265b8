"""A pool of engine hosts: processes that each play games of one version, most of them one game alone.

A game stays on the host it was started on. What one environment does wrong ends its own game with an
EnvironmentFault; if that takes the host with it, the host's other games raise HostLost and are rebuilt from
their journals with `HostPool.start`, on another host. Games of different versions share no process, so that
nothing a version does to what its process shares can reach another version's games. As long as there are few
of them each attempt has a host of its own; further ones share those of their version.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
import os
import resource
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from enum import Enum, auto
from pathlib import Path

from engine.confine.process import ProcessLimits
from engine.play.actions import Action
from engine.play.source import Source
from engine.play.turns import EncodedTurn
from engine.tasks.edits import Edit
from playtest.play.attempt.loaded import AttemptGame
from playtest.play.hosts.ahead import CompiledSources, SpareHosts
from playtest.play.hosts.fork_server import ForkServer
from playtest.play.hosts.game import SLICE, Deadlines, HostedGame, Slot, compare
from playtest.play.hosts.process import HostChecks, HostLost, HostProcess, lost_twice

_SECONDS_AN_ACTION = 0.003
"""So long a rebuild is taken to last: who comes that much later may go first. None waits for ever."""


class RebuildQueue:
    """At most `at_once` rebuilds, or arrivals, run; the others wait, those of few actions less long.

    There is `room` for more to come while fewer than `most_waiting` wait.

    For one event loop.
    """

    def __init__(self, at_once: int, most_waiting: float = math.inf) -> None:
        self._free = at_once
        self._most_waiting = most_waiting
        self._numbers = itertools.count()
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._room: asyncio.Future[None] | None = None

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._waiting)

    @asynccontextmanager
    async def turn(self, actions: int) -> AsyncIterator[None]:
        """Waits for its turn to rebuild so many actions, and has it until the block ends."""
        if not actions:
            yield
            return
        await self._enter(actions)
        try:
            yield
        finally:
            self._leave()

    async def room(self) -> None:
        """Returns once there is room."""
        while len(self._waiting) >= self._most_waiting:
            if self._room is None or self._room.done():
                self._room = asyncio.get_running_loop().create_future()
            await asyncio.wait([self._room])  # whoever is cancelled takes it from nobody

    async def _enter(self, actions: int) -> None:
        if self._free:
            self._free -= 1
            return
        loop = asyncio.get_running_loop()
        mine: asyncio.Future[None] = loop.create_future()
        due = loop.time() + actions * _SECONDS_AN_ACTION
        heapq.heappush(self._waiting, (due, next(self._numbers), mine))
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self._leave()  # its turn came as its caller went
            raise

    def _leave(self) -> None:
        """Gives the turn to the next who still waits."""
        few = len(self._waiting) <= self._most_waiting  # with one less now
        if few and self._room is not None and not self._room.done():
            self._room.set_result(None)
        while self._waiting:
            _, _, waiting = heapq.heappop(self._waiting)
            if not waiting.done():
                waiting.set_result(None)
                return
        self._free += 1


class Wanted(Enum):
    """A game's host: its own while there are places, its own in any case, one that others share."""

    OWN = auto()
    ALONE = auto()
    SHARED = auto()


TRIES = 3
_MOST_WAITING = 64
"""For a short rebuild: beyond it nobody else is looked up, who would wait for one, too."""
GAMES_BEFORE_ANOTHER_HOST = 2
MOST_HOSTS = 256
FULL_SHARE = 0.5
"""Of a host's memory: beyond it, games that come go elsewhere, and those that are there have room to grow."""
IDLE_SECONDS = 60.0


class NoHostFree(HostLost):
    """All hosts that may run have games of other versions, or are full."""


class HostPool:
    """Hosts for games of many versions, forked when they are needed. For one event loop.

    The first `own` games have a host each, which ends with them; they take at most half of the places. Of
    the hosts that games share, a version has one, and up to `count` if it has many games. At most `most`
    hosts run, and `spare` that have loaded nothing yet (`spares`). A shared one that has had no game for a
    while ends, earlier if another version needs its place.
    """

    def __init__(
        self,
        count: int,
        *,
        own: int = 0,
        most: int = MOST_HOSTS,
        spare: int = 0,
        deadline_seconds: float = 1.0,
        start_deadline_seconds: float = 10.0,
        grace_seconds: float = 0.4,
        memory_megabytes: int = 512,
        host_memory_megabytes: int = 2048,
        behind: bool = False,
    ) -> None:
        """`behind`: others get processor time before its processes."""
        self._count = count
        self._full_bytes = host_memory_megabytes * 1024 * 1024 * FULL_SHARE
        self._most = max(most, 1)
        self._own = min(own, self._most // 2)
        self._deadlines = Deadlines(deadline_seconds, start_deadline_seconds, grace_seconds)
        self._forks = ForkServer(
            ProcessLimits(deadline_seconds, start_deadline_seconds, memory_megabytes, host_memory_megabytes),
            behind=behind,
        )
        self._checks = HostChecks()
        processors = os.cpu_count() or 1
        self._rebuilds = RebuildQueue(processors)
        self._short_rebuilds = RebuildQueue(4 * processors, _MOST_WAITING)
        self.spares = SpareHosts(lambda: HostProcess(self._forks, self._checks, self._ended), spare)
        self.codes = CompiledSources(self.spares.take, start_deadline_seconds)
        self._slots: list[Slot] = []
        self._retiring: set[asyncio.Task[None]] = set()
        self._sweep: asyncio.TimerHandle | None = None
        self._keys = itertools.count(1)
        self._closed = False

    @property
    def processes(self) -> tuple[int, ...]:
        """The numbers of the hosts' processes that run now."""
        pids = (slot.host.pid for slot in self._slots)
        return tuple(pid for pid in pids if pid is not None)

    @property
    def fork_server(self) -> int | None:
        """The number of the process that forks them, while it runs."""
        return self._forks.pid

    def launch(self) -> None:
        """Starts the process that forks hosts, as `ForkServer.launch`."""
        self._forks.launch()

    async def room(self) -> None:
        """Returns once few wait for a rebuild; those of many actions have turns of their own."""
        await self._short_rebuilds.room()

    async def can_start(self) -> bool:
        """Whether hosts can be had: one runs, or a further one starts, which ends again at once."""
        if any(slot.host.alive for slot in self._slots):
            return True
        mine, theirs = socket.socketpair()
        with mine, theirs:
            try:
                self._forks.kill(await self._forks.fork(theirs))
            except (OSError, TimeoutError):
                return False
        return True

    async def start(
        self,
        source: Source,
        seed: int,
        actions: Sequence[Action] = (),
        *,
        as_arcengine: bool = False,
        all_actions: bool = False,
        level: int = 1,
        expected_hashes: Sequence[bytes] | None = None,
        shares: bool = False,
        alone: bool = False,
        coming: int = 0,
    ) -> tuple[HostedGame, EncodedTurn]:
        """A game and its opening turn; after `actions`, its last turn with its last frame as a keyframe.

        A game with actions is rebuilt in its turn: of those with many not more at once than there are
        processors. Those with few wait for this process and the pipe for most of their time.
        `as_arcengine`, `all_actions`, `level`: as `engine.play.game.Game.start`. `expected_hashes`: the state
        hashes of the opening turn and of every action's. `shares`: it takes no host for itself that another
        may need; `alone`: it has one in any case, because it may have lost one. `coming`: so many
        more will be asked for soon. Raises SourceError; EnvironmentFault, with the code diverged and the
        first `seq` if a hash differs, host_died if it has lost every host that it was tried on at the same
        place; HostLost if no host stays alive long enough; NoHostFree.
        """
        if expected_hashes is not None and len(expected_hashes) != len(actions) + 1:
            raise ValueError(
                "expected_hashes must have one hash for the opening turn and one for each action"
            )
        rules = {"as_arcengine": as_arcengine, "all_actions": all_actions, "level": level}
        losses: list[HostLost] = []
        async with self._turn(len(actions)):
            while True:
                # A fork takes longer than most rebuilds: where more wait than can have a host, they share.
                waiting = coming + self._rebuilds.waiting + self._short_rebuilds.waiting
                shares = shares or waiting > self._own
                wanted = Wanted.ALONE if alone or losses else Wanted.SHARED if shares else Wanted.OWN
                try:
                    return await self._start_once(source, seed, actions, rules, expected_hashes, wanted)
                except NoHostFree:
                    raise
                except HostLost as loss:
                    losses.append(loss)
                    if _at_one_place(losses):
                        raise lost_twice(loss) from loss
                    if len(losses) == TRIES:
                        raise
                await asyncio.sleep(0)

    async def play_on(
        self, game: AttemptGame, actions: Sequence[Action | Edit], expected_hashes: Sequence[bytes]
    ) -> EncodedTurn:
        """Carries out more actions in a game, in its turn as a rebuild; its last turn as a keyframe.

        Raises EnvironmentFault, with the code diverged if a hash differs; HostLost.
        """
        async with self._turn(len(actions)):
            await game.replay(actions, expected_hashes)
            return await game.keyframe()

    async def close(self) -> None:
        """Ends every host; their games raise HostLost."""
        self._closed = True
        if self._sweep is not None:
            self._sweep.cancel()
        await self.codes.close()
        hosts = [slot.host.close() for slot in self._slots]
        await asyncio.gather(*hosts, *self._retiring, self.spares.close())
        await self._forks.close()

    def _turn(self, actions: int) -> AbstractAsyncContextManager[None]:
        queue = self._short_rebuilds if actions <= SLICE else self._rebuilds
        return queue.turn(actions)

    async def _start_once(
        self,
        source: Source,
        seed: int,
        actions: Sequence[Action],
        rules: dict[str, int],
        expected: Sequence[bytes] | None,
        wanted: Wanted,
    ) -> tuple[HostedGame, EncodedTurn]:
        if self._closed:
            raise HostLost("the hosts are closed")
        code = await self.codes.code_of(source)
        slot = self._slot(source.digest, wanted)
        game = HostedGame(slot, next(self._keys), self._deadlines)
        try:
            turn = await game.open(source, code, seed, rules)
            slot.full = slot.full or _resident_bytes(game.process) > self._full_bytes
            if expected is not None:
                compare(0, expected[:1], [turn.state_hash])
            if actions:
                await game.replay(actions, None if expected is None else expected[1:])
                turn = await game.keyframe()
        except BaseException:
            await game.stop()
            raise
        return game, turn

    def _slot(self, digest: str, wanted: Wanted) -> Slot:
        """A host for one game alone while there may be one; else the least loaded one that games share.

        Of the shared ones, a new one while there may be more and all have enough.
        """
        alone = sum(slot.retire is not None for slot in self._slots)
        has_own = wanted is Wanted.ALONE or (wanted is Wanted.OWN and alone < self._own)
        if has_own and (len(self._slots) < self._most or self._retire_the_longest_idle()):
            return self._add(digest, self._retire)
        shared = [
            slot
            for slot in self._slots
            if slot.digest == digest and slot.host.alive and not (slot.full or slot.retire)
        ]
        least = min(shared, key=lambda slot: slot.games, default=None)
        if least is not None and (least.games < GAMES_BEFORE_ANOTHER_HOST or len(shared) >= self._count):
            return least
        if len(self._slots) < self._most or self._retire_the_longest_idle():
            return self._add(digest)
        if least is None:
            raise NoHostFree("all hosts are busy with games of other versions")
        return least

    def _add(self, digest: str, retire: Callable[[Slot], None] | None = None) -> Slot:
        slot = Slot(self.spares.take(), digest, retire=retire)
        self._slots.append(slot)
        if self._sweep is None:
            self._sweep = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._retire_idle)
        return slot

    def _retire_idle(self) -> None:
        """Ends the hosts that have been idle for long, and runs again later while there are hosts."""
        loop = asyncio.get_running_loop()
        for slot in [slot for slot in self._slots if not slot.games]:
            if loop.time() - slot.idle_since >= IDLE_SECONDS:
                self._retire(slot)
        self._sweep = loop.call_later(IDLE_SECONDS, self._retire_idle) if self._slots else None

    def _retire_the_longest_idle(self) -> bool:
        idle = [slot for slot in self._slots if not slot.games]
        if idle:
            self._retire(min(idle, key=lambda slot: slot.idle_since))
        return bool(idle)

    def _retire(self, slot: Slot) -> None:
        if slot not in self._slots:  # it has ended
            return
        self._slots.remove(slot)
        closing = asyncio.ensure_future(slot.host.close())
        self._retiring.add(closing)
        closing.add_done_callback(self._retiring.discard)

    def _ended(self, host: HostProcess) -> None:
        self._slots = [slot for slot in self._slots if slot.host is not host]
        self.spares.discard(host)


def _at_one_place(losses: Sequence[HostLost]) -> bool:
    """Whether hosts were lost again and again by what one entry does, and not by chance.

    A rebuild is asked for in parts, so where it was lost is known within one of them.
    """
    places = [loss.seq for loss in losses if loss.at_work]
    known = len(places) >= 2 and places[-1] == places[-2]
    return known or (len(places) == TRIES and max(places) - min(places) < SLICE)


def _resident_bytes(process: int | None) -> int:
    """Memory of a process; 0 where the system does not show it."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0
