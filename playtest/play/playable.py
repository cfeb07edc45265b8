"""What is played, as `play.live` uses it: an environment on an engine host, or a static task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from engine.turns import GAME_OVER, WIN, EncodedTurn
from playtest.rules.attempt import Outcome

if TYPE_CHECKING:  # the pool of hosts is also used without a database
    from playtest.play.models import Attempt


class Playable(Protocol):
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
