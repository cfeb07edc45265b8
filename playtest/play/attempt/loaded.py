"""One attempt in a process: its game, and where its journal stands."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import is_not
from typing import TYPE_CHECKING, Any, Protocol

from engine.turns import GAME_OVER, WIN, EncodedTurn
from playtest.play.models import Attempt
from playtest.play.sessions.reads import deadline_of
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.attempt import Outcome
from playtest.rules.limits import Deadline

if TYPE_CHECKING:  # the pool of hosts is also used without a database
    from playtest.play.models import Attempt
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass


class AttemptGame(Protocol):
    """One attempt's game. `process` is the number of the process that it runs on, None in this one.

    Actions are those of its kind: `engine.actions.Action`, or `engine.tasks.edits.Edit`.
    """

    @property
    def process(self) -> int | None: ...

    @property
    def alive(self) -> bool: ...

    async def act(self, action: Any) -> EncodedTurn: ...

    async def keyframe(self) -> EncodedTurn: ...

    async def replay(self, actions: Sequence[Any], expected: Sequence[bytes] | None) -> None: ...

    async def stop(self) -> None: ...


def is_task(attempt: Attempt) -> bool:
    """Whether what is played is a static task."""
    return attempt.version.is_task


def ended_by(attempt: Attempt, turn: EncodedTurn) -> Outcome | None:
    """How this turn ends the attempt; None if it goes on. A task that is lost cannot be reset."""
    if turn.state == WIN:
        return Outcome.COMPLETED
    return Outcome.TRIES_USED if turn.state == GAME_OVER and is_task(attempt) else None


_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(eq=False)
class LoadedAttempt:
    """What `playtest.play.attempt.runner` knows of one attempt.

    `chain` is the last value of the journal's hash chain (`play.journal.entries`), set with the game.
    `adjustments` are its session's as they were read last: an action reads none. `rebuild` makes the game.
    It goes on when whoever began it is cancelled, and until it is done, the fields that it sets are not
    valid.
    """

    attempt: Attempt
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    game: AttemptGame | None = None
    rebuild: asyncio.Task[AttemptGame] | None = None
    seq: int = -1
    turn: EncodedTurn | None = None
    last_time: datetime = _LONG_AGO
    chain: bytes = b""
    viewers: int = 0
    used: float = 0.0
    adjustments: Adjustments = NO_ADJUSTMENTS
    _deadline: Deadline | None = None
    _deadline_of: tuple[object, ...] = ()

    @property
    def is_rebuilding(self) -> bool:
        """Whether its game is being made."""
        return self.rebuild is not None and not self.rebuild.done()

    @property
    def busy(self) -> bool:
        """Whether something is under way with it, or waits for that."""
        return self.lock.locked() or self.is_rebuilding

    @property
    def deadline(self) -> Deadline | None:
        """When the attempt ends, as `deadline_of`; computed again once what it depends on was read again."""
        facts = (self.attempt, self.attempt.session, self.attempt.first_frame_at, self.adjustments)
        if len(self._deadline_of) != len(facts) or any(map(is_not, facts, self._deadline_of)):
            self._deadline, self._deadline_of = deadline_of(self.attempt, self.adjustments), facts
        return self._deadline


UNUSED_SECONDS = 5.0
"""A host is taken from people who have not acted for so long; sooner, they would take it from each other."""


def idle_beyond(most: int, attempts: Collection[LoadedAttempt]) -> list[LoadedAttempt]:
    """Those to let go so that `most` environments stay in memory, as far as that many are not busy."""
    if len(attempts) <= most:
        return []
    running = [one for one in attempts if one.game is not None]
    idle = sorted((one for one in running if not one.busy), key=lambda one: one.used)
    return idle[: max(0, len(running) - most)]


def idle_on_one_host(attempts: Iterable[LoadedAttempt], moment: float) -> list[LoadedAttempt]:
    """All on the host that nobody has used for longest; none if each host was used just now.

    `moment` is now, by the clock of `LoadedAttempt.used`.
    """
    hosts: defaultdict[int, list[LoadedAttempt]] = defaultdict(list)
    for one in attempts:
        if one.game is not None and one.game.process is not None:
            hosts[one.game.process].append(one)
    unused = [
        together
        for together in hosts.values()
        if all(not one.busy and moment - one.used >= UNUSED_SECONDS for one in together)
    ]
    return min(unused, key=lambda together: max(one.used for one in together), default=[])
