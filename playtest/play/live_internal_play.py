"""An internal play as one connection of its member of staff plays it: no session, no limit, no next one."""

from collections.abc import Awaitable, Callable
from typing import Any

from channels.db import database_sync_to_async

from playtest.play.internal_plays import internal_play
from playtest.play.live_play import LivePlay
from playtest.play.models import Event, EventKind
from playtest.play.notifications import group_of_internal_play
from playtest.play.queries import Stage
from playtest.play.session_status import PlayStatus


class LiveInternalPlay(LivePlay):
    """One internal play on one connection. Its events name no session, and always their attempt."""

    def __init__(self, attempt_id: int, on_rebuild: Callable[[], Awaitable[None]]) -> None:
        super().__init__(on_rebuild)
        self.attempt_id = attempt_id
        self.group = group_of_internal_play(attempt_id)
        self.about = {"attempt": attempt_id}

    async def refresh(self) -> None:
        """Read whether it is still open."""
        self.status = await database_sync_to_async(_status)(self.attempt_id)
        await self._follow(self.status.attempt)

    def _event(self, kind: EventKind, details: dict[str, Any] | None = None) -> Event:
        event = super()._event(kind, details)
        event.attempt_id = self.attempt_id
        return event


def _status(attempt_id: int) -> PlayStatus:
    attempt = internal_play(attempt_id)
    if attempt is None or attempt.ended_at is not None:
        return PlayStatus(Stage.OVER, None)
    return PlayStatus(Stage.PLAYING, attempt)
