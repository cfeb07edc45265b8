"""Calls of one function of the database thread, made together when many come at once, as after a restart."""

import asyncio
from collections.abc import Callable, Sequence

from channels.db import database_sync_to_async
from django.db import InterfaceError, OperationalError

MOST = 32


class Together[A, R]:
    """Calls `function` with all that was asked while the call before went on; it answers in their order.

    A call that fails must have changed nothing: unless the database is away, all are then asked one by one,
    so that only who cannot be answered is told.
    """

    def __init__(self, function: Callable[[Sequence[A]], Sequence[R]]) -> None:
        self._function = database_sync_to_async(function)
        self._asked: list[tuple[A, asyncio.Future[R]]] = []
        self._calling: asyncio.Task[None] | None = None

    async def __call__(self, asked: A) -> R:
        """The answer to this. Raises what the call for it raised."""
        answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        if self._calling is not None and self._calling.get_loop() is not answer.get_loop():
            self._asked, self._calling = [], None  # of a loop that has ended
        self._asked.append((asked, answer))
        if self._calling is None or self._calling.done():
            self._calling = asyncio.create_task(self._call())
        return await answer

    async def _call(self) -> None:
        while self._asked:
            now, self._asked = self._asked[:MOST], self._asked[MOST:]
            await self._answer(now)

    async def _answer(self, now: list[tuple[A, asyncio.Future[R]]]) -> None:
        try:
            answers = await self._function([asked for asked, _ in now])
        except Exception as error:  # whoever asked is told
            if len(now) > 1 and not isinstance(error, OperationalError | InterfaceError):
                for one in now:
                    await self._answer([one])
                return
            for _, answer in now:
                if not answer.done():
                    answer.set_exception(error)
        else:
            for (_, answer), given in zip(now, answers, strict=True):
                if not answer.done():  # not one whose connection has ended
                    answer.set_result(given)
