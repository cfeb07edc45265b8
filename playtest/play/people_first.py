"""People come first: what agents want is begun while no action and no opening of a person is under way."""

import asyncio
import math
import time

HERE_SECONDS = 60.0


class PeopleFirst:
    """Counts what people wait for. For one event loop."""

    def __init__(self) -> None:
        self._under_way = 0
        self._entered = -math.inf
        self._quiet: list[asyncio.Future[None]] = []

    def enter(self) -> None:
        """A person waits from now on, until `leave`."""
        self._under_way += 1
        self._entered = time.monotonic()

    def leave(self) -> None:
        self._under_way -= 1
        if not self._under_way:
            waiting, self._quiet = self._quiet, []
            for one in waiting:
                one.set_result(None)

    @property
    def here(self) -> bool:
        """Whether somebody played in the last minute."""
        return time.monotonic() - self._entered < HERE_SECONDS

    async def quiet(self, seconds: float) -> None:
        """Returns when nobody waits, at the latest after so many seconds: agents are slow then, not stuck."""
        until = time.monotonic() + seconds
        while self._under_way and (left := until - time.monotonic()) > 0:
            quiet = asyncio.get_running_loop().create_future()
            self._quiet.append(quiet)
            await asyncio.wait([quiet], timeout=left)


people_first = PeopleFirst()
"""Of this process."""
