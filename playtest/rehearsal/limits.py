"""The limits of an environment, as the page of a simulated person meets them."""

import asyncio
from contextlib import suppress

from websockets.exceptions import ConnectionClosed

from playtest.rehearsal.scheduler import Scheduler, actor
from playtest.rehearsal.socket import Connection

_TIMEOUT_SECONDS = 10.0


async def watch_limits(connection: Connection, scheduler: Scheduler, began: float, number: int) -> None:
    """Reports the soft limit's prompt as shown; virtual time waits for the server at each limit."""
    attempt = connection.sitting["attempt"]
    speed = scheduler.speed
    session_ends = scheduler.now() + speed * connection.sitting["session_seconds_left"]
    asks = began + speed * attempt["soft_limit_seconds"]
    with actor(scheduler) as watching, suppress(TimeoutError, ConnectionClosed):
        if asks < session_ends:
            await watching.sleep_until(asks)
            await _wait_for(connection.prompted)
            await connection.send("prompt_shown", attempt=number)
        await watching.sleep_until(min(began + speed * attempt["hard_limit_seconds"], session_ends))
        await _wait_for(connection.over)


async def _wait_for(event: asyncio.Event) -> None:
    async with asyncio.timeout(_TIMEOUT_SECONDS):
        await event.wait()
