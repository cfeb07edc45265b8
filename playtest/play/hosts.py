"""The environments' processes: a pool of engine hosts, each holding many games.

A game stays on the host it was started on. What one environment does wrong ends its own game with an
EnvironmentFault; if that takes the host with it, the host's other games raise HostLost and are rebuilt from
their journals with `HostPool.start`, on another host.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.actions import Action
from engine.errors import ActionError, EnvironmentFault, HostError
from engine.frames import inflated
from engine.pipe import revived
from engine.source import Source
from playtest.play.host_process import HostLost, HostProcess

__all__ = ["HostLost", "HostPool", "HostTurn", "HostedGame"]

SLICE = 50
TRIES = 3


@dataclass(frozen=True, slots=True)
class HostTurn:
    """A turn as its host describes it: the facts of `engine.game.Turn`, the frames as in `engine.frames`.

    `frames` is a zlib stream if `deflated`; `payload` is what it holds.
    """

    seq: int
    state: str
    level: int
    levels: int
    levels_completed: int
    available_actions: tuple[int, ...]
    level_completed: bool
    changed: bool
    full_reset: bool
    state_hash: bytes
    frame_count: int
    frames: bytes = field(repr=False)
    deflated: bool = False

    @property
    def payload(self) -> bytes:
        return inflated(self.frames) if self.deflated else self.frames


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds: for an action and a start inside the host, and beyond these before the host is killed."""

    action: float
    start: float
    grace: float


class HostedGame:
    """A game on a host. A caller cancelled while waiting loses the game: it may be ahead of its journal."""

    def __init__(self, host: HostProcess, key: int, deadlines: Deadlines) -> None:
        self._host = host
        self._key = key
        self._deadlines = deadlines
        self._kept = True
        host.load += 1

    @property
    def alive(self) -> bool:
        """Whether this game can still be played; if not, it must be started anew."""
        return self._kept and self._host.alive

    async def act(self, action: Action) -> HostTurn:
        """Performs an action.

        Raises ActionError (the game is as before), EnvironmentFault (it is over), HostLost (rebuild it).
        """
        answer = await self._ask("act", self._deadlines.action, action=_listed(action))
        return _turn(answer)

    async def keyframe(self) -> HostTurn:
        """The last turn, with its last frame alone, as a keyframe. Raises HostLost."""
        return _turn(await self._ask("keyframe", self._deadlines.action))

    async def stop(self) -> None:
        """Gives the game up. Never fails; the host need not be alive."""
        if self._kept:
            self._forget()
            self._host.send({"op": "stop", "game": self._key}, self._deadlines.action + self._deadlines.grace)

    async def open(self, source: Source, seed: int, full_reset: bool) -> HostTurn:
        """Starts the game: for the pool."""
        if source.digest not in self._host.loaded:
            self._host.loaded.add(source.digest)
            self._host.send(_load(source), self._deadlines.action + self._deadlines.grace)
        fields = {"digest": source.digest, "seed": seed, "full_reset": full_reset}
        return _turn(await self._ask("start", self._deadlines.start, **fields))

    async def replay(self, actions: Sequence[Action], expected: Sequence[bytes] | None) -> None:
        """Performs many actions, for the pool; `expected` are their state hashes.

        Slices let other games of the host have their turns in between.
        """
        for done in range(0, len(actions), SLICE):
            part = [_listed(action) for action in actions[done : done + SLICE]]
            try:
                answer = await self._ask("replay", self._deadlines.action * len(part), actions=part)
            except ActionError as error:
                raise _diverged(error.details["seq"], None, None) from error
            if expected is not None:
                _compare(done + 1, expected[done : done + len(part)], answer["hashes"])

    async def _ask(self, operation: str, seconds: float, **fields: Any) -> dict[str, Any]:
        if not self.alive:
            raise HostLost("this game is no longer kept")
        request = {"op": operation, "game": self._key, **fields}
        try:
            answer = await self._host.send(
                request, seconds + self._deadlines.grace, foreign=operation != "keyframe"
            )
        except BaseException:
            await self.stop()
            raise
        if "error" not in answer:
            return answer
        error = revived(answer["error"])
        if not isinstance(error, ActionError):
            self._forget()
        if isinstance(error, HostError):
            raise HostLost(error.message) from error
        raise error

    def _forget(self) -> None:
        if self._kept:
            self._kept = False
            self._host.load -= 1


class HostPool:
    """At most `count` hosts, started on first use and again when one ends. For one event loop."""

    def __init__(
        self,
        count: int,
        *,
        deadline_seconds: float = 1.0,
        start_deadline_seconds: float = 10.0,
        grace_seconds: float = 1.0,
        memory_megabytes: int = 512,
        host_memory_megabytes: int = 2048,
    ) -> None:
        self._count = count
        self._deadlines = Deadlines(deadline_seconds, start_deadline_seconds, grace_seconds)
        self._arguments = (
            f"--deadline={deadline_seconds}",
            f"--start-deadline={start_deadline_seconds}",
            f"--memory={memory_megabytes}",
            f"--host-memory={host_memory_megabytes}",
        )
        self._hosts: list[HostProcess] = []
        self._keys = itertools.count(1)
        self._closed = False

    @property
    def processes(self) -> tuple[int, ...]:
        """The numbers of the processes that run now."""
        return tuple(host.pid for host in self._hosts if host.pid is not None)

    async def start(
        self,
        source: Source,
        seed: int,
        actions: Sequence[Action] = (),
        *,
        full_reset: bool = False,
        expected_hashes: Sequence[bytes] | None = None,
    ) -> tuple[HostedGame, HostTurn]:
        """A game and its opening turn; after `actions`, its last turn with its last frame as a keyframe.

        `expected_hashes`: the state hashes of the opening turn and of every action's. Raises SourceError;
        EnvironmentFault, with diverged naming the first `seq` that came out otherwise; HostLost when no host
        stays alive long enough.
        """
        if expected_hashes is not None and len(expected_hashes) != len(actions) + 1:
            raise ValueError(
                "expected_hashes must have one hash for the opening turn and one for each action"
            )
        for _ in range(TRIES - 1):
            try:
                return await self._start_once(source, seed, actions, full_reset, expected_hashes)
            except HostLost:
                await asyncio.sleep(0)
        return await self._start_once(source, seed, actions, full_reset, expected_hashes)

    async def close(self) -> None:
        """Ends every host; their games raise HostLost."""
        self._closed = True
        await asyncio.gather(*(host.close() for host in list(self._hosts)))

    async def _start_once(
        self,
        source: Source,
        seed: int,
        actions: Sequence[Action],
        full_reset: bool,
        expected: Sequence[bytes] | None,
    ) -> tuple[HostedGame, HostTurn]:
        game = HostedGame(self._host(), next(self._keys), self._deadlines)
        try:
            turn = await game.open(source, seed, full_reset)
            if expected is not None:
                _compare(0, expected[:1], [turn.state_hash])
            if actions:
                await game.replay(actions, None if expected is None else expected[1:])
                turn = await game.keyframe()
        except BaseException:
            await game.stop()
            raise
        return game, turn

    def _host(self) -> HostProcess:
        """The least loaded host, or a new one while there may be more and all have something to do."""
        if self._closed:
            raise HostLost("the hosts are closed")
        least = min(self._hosts, key=lambda host: host.load, default=None)
        if least is not None and (least.load == 0 or len(self._hosts) >= self._count):
            return least
        return self._add()

    def _add(self) -> HostProcess:
        host = HostProcess(self._arguments, self._ended)
        self._hosts.append(host)
        return host

    def _ended(self, host: HostProcess) -> None:
        self._hosts.remove(host)
        if host.was_ready and not self._closed:
            self._add()


def _load(source: Source) -> dict[str, Any]:
    return {
        "op": "load",
        "digest": source.digest,
        "metadata": source.metadata,
        "text": source.text,
        "path": source.path,
    }


def _listed(action: Action) -> list[int | None]:
    return [action.id, action.x, action.y]


def _turn(answer: dict[str, Any]) -> HostTurn:
    return HostTurn(**(answer | {"available_actions": tuple(answer["available_actions"])}))


def _compare(first_seq: int, expected: Sequence[bytes], actual: Sequence[bytes]) -> None:
    for seq, (recorded, found) in enumerate(zip(expected, actual, strict=True), start=first_seq):
        if recorded != found:
            raise _diverged(seq, recorded, found)


def _diverged(seq: int, expected: bytes | None, actual: bytes | None) -> EnvironmentFault:
    message = f"The environment no longer does what was recorded: entry {seq} came out otherwise."
    hashes = {"expected": expected and expected.hex(), "actual": actual and actual.hex()}
    return EnvironmentFault("diverged", message, seq=seq, **hashes)
