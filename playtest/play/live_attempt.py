"""One attempt in a process: its game, and where its journal stands."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import is_not

from engine.turns import EncodedTurn
from playtest.play.models import Attempt
from playtest.play.playable import Playable
from playtest.play.queries import deadline_of
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.limits import Deadline

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(eq=False)
class LiveAttempt:
    """What `playtest.play.live` knows of one attempt.

    `chain` is the last value of the journal's hash chain (`play.chain`), set with the game. `adjustments` are
    its session's as they were read last: an action reads none. `rebuild` makes the game. It goes on when
    whoever began it is cancelled, and until it is done, the fields that it sets are not valid.
    """

    attempt: Attempt
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    game: Playable | None = None
    rebuild: asyncio.Task[Playable] | None = None
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
