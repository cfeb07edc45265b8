"""Calls of one function of the database thread, made together when many come at once, as after a restart."""

import asyncio
from collections.abc import Callable, Sequence

from channels.db import database_sync_to_async

MOST = 32


class Together[A, R]:
    """Calls `function` with all that was asked while the call before went on; it answers in their order."""

    def __init__(self, function: Callable[[Sequence[A]], Sequence[R]]) -> None:
        self._function = database_sync_to_async(function)
        self._asked: list[tuple[A, asyncio.Future[R]]] = []
        self._calling: asyncio.Task[None] | None = None

    async def __call__(self, asked: A) -> R:
        """The answer to this. Raises what the call raised in which it was."""
        answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        if self._calling is not None and self._calling.get_loop() is not answer.get_loop():
            self._asked, self._calling = [], None  # of a loop that has ended
        self._asked.append((asked, answer))
        if self._calling is None:
            self._calling = asyncio.create_task(self._call())
        return await answer

    async def _call(self) -> None:
        while self._asked:
            now, self._asked = self._asked[:MOST], self._asked[MOST:]
            try:
                answers = await self._function([asked for asked, _ in now])
            except Exception as error:  # whoever asked is told
                for _, answer in now:
                    if not answer.done():
                        answer.set_exception(error)
            else:
                for (_, answer), given in zip(now, answers, strict=True):
                    if not answer.done():  # not one whose connection has ended
                        answer.set_result(given)
        self._calling = None
