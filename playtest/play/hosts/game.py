"""A game on an engine host: sends its requests and checks its answers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine.confine.answers import REPLAY_SECONDS, hashes_of, nothing_of, turn_of
from engine.errors import ActionError, EngineError, EnvironmentFault, HostError
from engine.play.actions import Action
from engine.play.source import Source
from engine.play.turns import EncodedTurn
from engine.tasks.edits import Edit
from playtest.play import measures
from playtest.play.hosts.process import Check, HostLost, HostProcess, retrieve

logger = logging.getLogger(__name__)

SLICE = 200
"""Actions a request: a host seldom carries out all at once."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Limits in seconds for an action and for a start; after `grace` more, the host is killed."""

    action: float
    start: float
    grace: float


@dataclass(eq=False, slots=True)
class Slot:
    """A host of the pool: its version, how many games are on it, and since when it is idle.

    `full`: its games use so much memory that it takes no other. `retire`: what ends a host that one attempt
    has for itself, once its game is dropped; None for one that attempts share.
    """

    host: HostProcess
    digest: str
    games: int = 0
    loaded: bool = False
    idle_since: float = 0.0
    full: bool = False
    retire: Callable[[Slot], None] | None = None


class HostedGame:
    """A game on a host. It is dropped if a caller is cancelled: it may be ahead of its journal."""

    def __init__(self, slot: Slot, key: int, deadlines: Deadlines) -> None:
        self._slot = slot
        self._host = slot.host
        self._key = key
        self._deadlines = deadlines
        self._seq = 0
        self._is_open = True
        slot.games += 1

    @property
    def process(self) -> int | None:
        """The number of its host's process, once there is one."""
        return self._host.pid

    @property
    def alive(self) -> bool:
        """Whether this game can continue or raise its fault; if not, it must be started again."""
        return self._is_open and (self._host.alive or self._key in self._host.faults)

    async def act(self, action: Action | Edit) -> EncodedTurn:
        """Performs an action.

        Raises ActionError (the game is unchanged), EnvironmentFault (it is over), HostLost (rebuild it).
        """
        if not isinstance(action, Action):
            raise ActionError("action_unavailable", "This environment takes actions, not edits.")
        seq = self._seq + 1
        turn: EncodedTurn = await self._ask(
            "act", self._deadlines.action, lambda answer: turn_of(answer, seq), action=_listed(action)
        )
        self._seq = seq
        return turn

    async def keyframe(self) -> EncodedTurn:
        """The last turn, with its last frame alone, as a keyframe. Raises EnvironmentFault, HostLost."""
        turn: EncodedTurn = await self._ask(
            "keyframe", self._deadlines.action, lambda answer: turn_of(answer, self._seq)
        )
        return turn

    async def stop(self) -> None:
        """Drops the game. Never fails; the host need not be alive."""
        if self._is_open:
            self._forget()
            if self._slot.retire is None:
                answer = self._send({"op": "stop", "game": self._key})
                answer.add_done_callback(self._report_changes)

    async def open(self, source: Source, code: bytes, seed: int, rules: dict[str, int]) -> EncodedTurn:
        """Starts the game: for the pool. `code`: of the source (`play.hosts.ahead`)."""
        if not self._slot.loaded:
            self._slot.loaded = True
            self._send(_load(source, code))
        fields = {"digest": source.digest, "seed": seed, **rules}
        turn: EncodedTurn = await self._ask(
            "start", self._deadlines.start, lambda answer: turn_of(answer, 0), **fields
        )
        return turn

    async def replay(self, actions: Sequence[Any], expected: Sequence[bytes] | None) -> None:
        """Performs many actions, for the pool; `expected` are their state hashes.

        The host carries out as many at once as it can without keeping its other games waiting.
        """
        done = 0
        while done < len(actions):
            part = [_listed(action) for action in actions[done : done + SLICE]]
            try:
                hashes = await self._ask(
                    "replay",
                    self._deadlines.action + REPLAY_SECONDS,
                    partial(hashes_of, most=len(part)),
                    actions=part,
                )
            except ActionError as error:
                raise _diverged(error.details.get("seq", done + 1), None, None) from error
            self._seq += len(hashes)
            if expected is not None:
                compare(done + 1, expected[done : done + len(hashes)], hashes)
            done += len(hashes)

    async def _ask(self, operation: str, seconds: float, check: Check, **fields: Any) -> Any:
        if fault := self._host.faults.get(self._key):
            self._forget()
            raise fault
        if not self.alive:
            raise HostLost("this game was dropped")
        request = {"op": operation, "game": self._key, **fields}
        try:
            outcome = await self._host.send(
                request, seconds + self._deadlines.grace, check, foreign=operation != "keyframe"
            )
        except BaseException as error:
            if isinstance(error, HostLost):
                error.seq = self._seq
            await self.stop()
            raise
        if not isinstance(outcome, EngineError):
            return outcome
        if not isinstance(outcome, ActionError):
            self._forget()
        if isinstance(outcome, HostError):
            self._slot.full = self._slot.full or outcome.code == "host_full"
            raise HostLost(outcome.message) from outcome
        raise outcome

    def _send(self, message: dict[str, Any]) -> asyncio.Future[Any]:
        """Sends a request whose answer is not waited for."""
        answer = self._host.send(message, self._deadlines.action + self._deadlines.grace, nothing_of)
        answer.add_done_callback(retrieve)
        return answer

    def _report_changes(self, answer: asyncio.Future[Any]) -> None:
        """Says which environment changed what its games share; its host has been killed for it."""
        outcome = None if answer.cancelled() or answer.exception() else answer.result()
        if isinstance(outcome, EnvironmentFault):
            measures.FAULTS.labels(outcome.code).inc()
            logger.error("environment fault of version %s: %s", self._slot.digest, outcome.message)

    def _forget(self) -> None:
        if self._is_open:
            self._is_open = False
            self._slot.games -= 1
            self._slot.idle_since = asyncio.get_running_loop().time()
            if self._slot.retire is not None:
                self._slot.retire(self._slot)


def _load(source: Source, code: bytes) -> dict[str, Any]:
    return {
        "op": "load",
        "digest": source.digest,
        "metadata": source.metadata,
        "text": source.text,
        "path": source.path,
        "code": code,
    }


def _listed(action: Action) -> list[int | None]:
    return [action.id, action.x, action.y]


def compare(first_seq: int, expected: Sequence[bytes], actual: Sequence[bytes]) -> None:
    for seq, (recorded, found) in enumerate(zip(expected, actual, strict=True), start=first_seq):
        if recorded != found:
            raise _diverged(seq, recorded, found)


def _diverged(seq: int, expected: bytes | None, actual: bytes | None) -> EnvironmentFault:
    message = f"The environment no longer plays as recorded: entry {seq} differs."
    hashes = {"expected": expected and expected.hex(), "actual": actual and actual.hex()}
    return EnvironmentFault("diverged", message, seq=seq, **hashes)
