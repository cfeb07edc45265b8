"""One attempt in this process: its game, and where its journal stands; which games are evicted for others."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import is_not

from engine.errors import EngineError
from engine.play.actions import Action
from engine.play.turns import GAME_OVER, WIN, EncodedTurn
from engine.tasks.edits import Edit
from playtest.play import measures
from playtest.play.attempt.task_in_process import TaskInProcess
from playtest.play.errors import Refusal
from playtest.play.hosts.game import HostedGame
from playtest.play.hosts.process import HostLost, lost_twice
from playtest.play.journal.entries import NewEntry
from playtest.play.journal.writer import JournalFailed, writer
from playtest.play.models import AgentNote, Attempt
from playtest.play.sessions.reads import deadline_of
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.attempt import Outcome

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class AttemptFailed(Exception):
    """The environment failed, so the attempt has to end as a fault. `details` reproduce it."""

    def __init__(self, error: EngineError, seq: int, action: Action | Edit | None) -> None:
        super().__init__(error.message)
        self.code = error.code
        self.message = error.message
        self.details: dict[str, object] = {"code": error.code, "seq": seq}
        if action is not None:
            self.details |= {"action": action.id, "x": action.x, "y": action.y}


type AttemptGame = HostedGame | TaskInProcess
"""One attempt's game: an environment's takes actions, a static task's edits."""


@dataclass(eq=False)
class LoadedAttempt:
    """What `playtest.play.attempt.runner` knows of one attempt.

    `chain` is the last value of the journal's hash chain (`play.journal.entries`), set with the game.
    `adjustments` are its session's as they were read last: an action reads none. `lost_after`: the entry
    after which its host was lost while it worked for it. `overtaken`: another process has recorded an action
    that this one wanted to, since the game was made. `dropping` drops it after a minute without viewers.
    `rebuild` makes the game. It goes on when whoever began it is cancelled, and until it is done, the fields
    that it sets are not valid.
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
    dropping: asyncio.TimerHandle | None = None
    lost_after: int | None = None
    overtaken: bool = False
    used: float = 0.0
    adjustments: Adjustments = NO_ADJUSTMENTS
    paused: bool = False
    _ends_at: datetime | None = None
    _ends_by: tuple[object, ...] = ()

    def __post_init__(self) -> None:
        self.seconds = measures.ACTIONS[self.attempt.played_by]

    def adjust(self, adjustments: Adjustments) -> None:
        """Take over the adjustments of its session as they are now."""
        self.adjustments, self.paused = adjustments, adjustments.paused

    @property
    def is_rebuilding(self) -> bool:
        """Whether its game is being made."""
        return self.rebuild is not None and not self.rebuild.done()

    @property
    def busy(self) -> bool:
        """Whether something is under way with it, or waits for that."""
        return self.lock.locked() or self.is_rebuilding

    @property
    def ends_at(self) -> datetime | None:
        """When its time is over, as `deadline_of`; computed again once what it depends on was read again."""
        facts = (self.attempt, self.attempt.session, self.attempt.first_frame_at, self.adjustments)
        if len(self._ends_by) != len(facts) or any(map(is_not, facts, self._ends_by)):
            deadline = deadline_of(self.attempt, self.adjustments)
            self._ends_at, self._ends_by = deadline and deadline.at, facts
        return self._ends_at

    def ended_by(self, turn: EncodedTurn) -> Outcome | None:
        """How this turn ends the attempt; None if it goes on. Only a level that is lost can be reset."""
        if turn.state == WIN:
            return Outcome.COMPLETED
        lost = turn.state == GAME_OVER and not self.attempt.version.kind.has_levels
        return Outcome.TRIES_USED if lost else None

    async def append(self, entry: NewEntry, note: AgentNote | None = None) -> None:
        """Make the entry durable with its note, or drop the game that has run ahead of its journal.

        Refusal: resync_required.
        """
        try:
            appended = await writer.append(entry, note)
        except BaseException as error:
            await self.drop()
            if isinstance(error, JournalFailed):
                raise Refusal("resync_required", "The action could not be recorded.") from error
            raise
        if not appended:
            self.overtaken = True
            await self.drop()
            message = "Another window was faster, the attempt has ended, or the session is paused."
            raise Refusal("resync_required", message)

    async def drop(self) -> None:
        """Drop its game; the next use rebuilds it from the journal."""
        game, self.game = self.game, None
        if game is not None and game.alive:
            await game.stop()

    async def lose(self, loss: HostLost) -> None:
        """Drop the game because its host is gone. EnvironmentFault: it was lost there before."""
        await self.drop()
        if loss.at_work:
            before, self.lost_after = self.lost_after, self.seq
            if before == self.seq:
                raise lost_twice(loss)

    async def discard(self) -> None:
        """Drop the game of an attempt that is not played any more, also one that is being made."""
        if self.rebuild is not None:
            self.rebuild.cancel()
        await self.drop()


UNUSED_SECONDS = 5.0
"""A host is taken from people who have not acted for so long; sooner, they would take it from each other."""


def idle_beyond(most: int, attempts: Collection[LoadedAttempt]) -> list[LoadedAttempt]:
    """Those to let go, agents' first, so that `most` environments stay, as far as so many are not busy."""
    if len(attempts) <= most:
        return []
    running = [one for one in attempts if one.game is not None]
    idle = [one for one in running if not one.busy]
    idle.sort(key=lambda one: (not one.attempt.is_run, one.used))
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
