"""One engine host as its parent sees it: a process that answers in order, and is killed if it does not."""

from __future__ import annotations

import asyncio
import itertools
import logging
import signal
import socket
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.confine.answers import GarbledAnswer, complete, outcome_of, packed, unpacked
from engine.confine.client import ended_by, overdue
from engine.confine.deadline import Usage, charged, usage_of
from engine.errors import EnvironmentFault
from playtest.play import measures
from playtest.play.hosts.fork_server import Fork, ForkServer

CHECK_SECONDS = 0.1
STOPPED_SECONDS = 0.5
"""A host that a signal has stopped for so long, by the checks that took place, is ended."""
LONGEST_WAIT_SECONDS = 30.0
"""Beyond what the request may take, by the clock of the checks that took place."""


class HostWatch:
    """How much one host has used for the request that it works on.

    The account of a request begins at the first check that finds it, so that it is never charged too much.
    """

    def __init__(self, host: HostProcess) -> None:
        self._host = host
        self._request: Request | None = None
        self._seen: Usage | None = None
        self._charged = 0.0
        self._waited = 0.0
        self._stopped = 0.0
        self._suspected = False

    def check(self) -> bool:
        """Account for the time since the last check; False when the host has no request."""
        request = self._host.in_hand
        if request is None:
            self._request = None
            return False
        seen = self._usage()
        if request is not self._request or self._seen is None:
            self._request, self._charged, self._waited, self._suspected = request, 0.0, 0.0, False
            self._stopped = 0.0
        else:
            self._charged += charged(self._seen, seen, CHECK_SECONDS)
            passed = min(seen.clock - self._seen.clock, 2 * CHECK_SECONDS)
            self._waited += passed
            self._stopped = self._stopped + passed if seen.stopped else 0.0
        self._seen = seen
        if self._stopped > STOPPED_SECONDS or self._waited > request.seconds + LONGEST_WAIT_SECONDS:
            self._host.end_stuck()
        elif self._charged > request.seconds:
            # This check may be late and the answer wait in the socket: it is read before the next check.
            if self._suspected:
                self._host.end_overdue()
            self._suspected = True
        return True

    def _usage(self) -> Usage:
        """The usage of the process; only the clock if the system does not show processor time."""
        process = self._host.pid
        seen = None if process is None else usage_of(process)
        return seen or Usage(time.monotonic(), 0.0, 0.0, asleep=process is not None)


class HostChecks:
    """Checks every host that works on a request, a few times a second, all at once."""

    def __init__(self) -> None:
        self._watches: set[HostWatch] = set()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, watch: HostWatch) -> None:
        """Check this host from now on, until it has no request."""
        self._watches.add(watch)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(CHECK_SECONDS, self._check_all)

    def end(self, watch: HostWatch) -> None:
        """Stop checking this host."""
        self._watches.discard(watch)

    def _check_all(self) -> None:
        self._timer = None
        watches = [watch for watch in list(self._watches) if watch.check()]
        self._watches.intersection_update(watches)
        for watch in watches:
            self.begin(watch)


CLOSE_SECONDS = 1.0
LONGEST_ANSWER_BYTES = 4 * 1024 * 1024
REMEMBERED_ANSWERS = 64

# The kernel keeps a game from sending these where it filters system calls (`engine.confine.system_calls`), so
# the first time no environment is to blame.
_SENT_FROM_OUTSIDE = {-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP}

type Check = Callable[[dict[str, Any]], Any]
"""Turns an answer into the result for the caller; raises ValueError if it is not an answer of a host."""

logger = logging.getLogger(__name__)


class HostLost(Exception):
    """The host of this game is gone through no known fault of the game: rebuild it from its journal.

    `at_work`: the host was lost while it carried out this very request, after entry `seq`. Who loses two
    hosts so at the same entry is to blame, however they were lost.
    """

    def __init__(self, message: str, *, at_work: bool = False) -> None:
        super().__init__(message)
        self.at_work = at_work
        self.seq = 0


def lost_twice(loss: HostLost) -> EnvironmentFault:
    """The fault of an environment that lost its host, and then another one at the same entry."""
    return EnvironmentFault(
        "host_died", f"The environment lost its process again at the same action: {loss}."
    )


@dataclass(eq=False, slots=True)
class Request:
    """A request to a host, which may take `seconds`; `foreign` if it runs the environment's code."""

    number: int
    game: int
    answer: asyncio.Future[Any]
    check: Check
    seconds: float
    foreign: bool


class HostProcess(asyncio.Protocol):
    """A host from start to end, for the games of one version. Requests wait until it runs.

    `faults` are the games whose faults were found after their request had been answered.
    """

    def __init__(self, forks: ForkServer, checks: HostChecks, ended: Callable[[HostProcess], None]) -> None:
        self.alive = True
        self.faults: dict[int, EnvironmentFault] = {}
        self._forks = forks
        self._ended = ended
        self._numbers = itertools.count(1)
        self._pending: deque[Request] = deque()
        self._answered_games: dict[int, int] = {}
        self._unsent: list[bytes] = []
        self._received = bytearray()
        self._fork: Fork | None = None
        self._transport: asyncio.Transport | None = None
        self._disconnected = asyncio.Event()
        self._closing = False
        self._fault: EnvironmentFault | None = None
        self._killed = self._stuck = False
        self._loop = asyncio.get_running_loop()
        self._checks = checks
        self._watch = HostWatch(self)
        self._task = self._loop.create_task(self._run())

    @property
    def pid(self) -> int | None:
        """The process's number, once there is one."""
        return None if self._fork is None else self._fork.pid.result()

    @property
    def in_hand(self) -> Request | None:
        """The request that the host must answer next."""
        return self._pending[0] if self._pending else None

    def send(
        self, message: dict[str, Any], seconds: float, check: Check, *, foreign: bool = False
    ) -> asyncio.Future[Any]:
        """The answer to come: what `check` makes of it, or an EngineError that the host answered with.

        Raises HostLost, or EnvironmentFault if this very request ended the host; a caller that does not wait
        for the answer takes it with `retrieve`.
        """
        number, game = next(self._numbers), message.get("game", 0)
        request = Request(number, game, self._loop.create_future(), check, seconds, foreign)
        if not self.alive:
            request.answer.set_exception(HostLost("the host has ended"))
            return request.answer
        self._pending.append(request)
        self._write(packed({"number": number, **message}))
        self._checks.begin(self._watch)
        return request.answer

    async def close(self) -> None:
        """Ends the process, by force if it does not follow the closing of its socket."""
        self.alive, self._closing = False, True
        if self._transport is not None:
            self._transport.close()
        done, _ = await asyncio.wait([self._task], timeout=CLOSE_SECONDS)
        if not done and self._fork is None:
            self._task.cancel()
        elif not done:
            self._kill()
        await asyncio.wait([self._task])

    # What asyncio tells

    def data_received(self, data: bytes) -> None:
        if self._killed:
            return
        self._received += data
        try:
            for body in complete(self._received, LONGEST_ANSWER_BYTES):
                self._answered(unpacked(body))
                if self._killed:  # what follows comes from a host that nobody believes any more
                    return
        except ValueError as error:
            self._garbled(str(error))

    def connection_lost(self, exception: Exception | None) -> None:
        self._disconnected.set()

    # The life of the process

    async def _run(self) -> None:
        code: int | None = None
        try:
            mine, theirs = socket.socketpair()
            with theirs:
                mine.setblocking(False)
                try:
                    self._fork = await self._forks.fork(theirs)
                except BaseException:
                    mine.close()
                    raise
            self._transport, _ = await self._loop.create_unix_connection(lambda: self, sock=mine)
            self._begin()
            code = await self._outcome(self._fork)
        except (OSError, TimeoutError):
            logger.exception("An engine host did not start")
        finally:
            if self._transport is not None:
                self._transport.close()
            self._end(code)

    def _begin(self) -> None:
        for message in self._unsent:
            self._write(message)
        self._unsent.clear()
        if self._closing and self._transport is not None:
            self._transport.close()
        if self._killed:
            self._kill()

    async def _outcome(self, fork: Fork) -> int | None:
        """The exit code, once everything that the host sent was read."""
        hung_up = self._loop.create_task(self._disconnected.wait())
        both: list[asyncio.Future[Any]] = [fork.ended, hung_up]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait(both, timeout=CLOSE_SECONDS)
        if self._closing:
            self._kill()
        elif not fork.ended.done():
            self._garbled("it closed its socket and goes on")
        hung_up.cancel()
        return await fork.ended

    def _write(self, message: bytes) -> None:
        if self._transport is None:
            self._unsent.append(message)
        else:
            self._transport.write(message)

    # Answers

    def _answered(self, answer: dict[str, Any]) -> None:
        """Raises ValueError if it is not the answer to the request in hand."""
        number, request = answer.pop("number", None), self.in_hand
        if request is None or number != request.number:
            self._find_guilty(number)
            raise GarbledAnswer(f"it answered request {number!r:.20}, which it does not have in hand")
        outcome: object = outcome_of(answer, request.check)
        self._pending.popleft()
        self._answered_games[request.number] = request.game
        if len(self._answered_games) > REMEMBERED_ANSWERS:
            del self._answered_games[next(iter(self._answered_games))]
        if not request.answer.done():
            request.answer.set_result(outcome)
        if isinstance(outcome, EnvironmentFault) and outcome.code == "code_replaced":
            self._kill()  # its other games run the same replaced code

    def _find_guilty(self, number: object) -> None:
        """Blames a game whose request is answered twice: its own call wrote one of the answers."""
        game = self._answered_games.get(number) if isinstance(number, int) else None
        if game is not None:
            message = "The environment wrote an answer in place of its host."
            self.faults[game] = EnvironmentFault("host_died", message)

    def _garbled(self, reason: str) -> None:
        """Kills a host that sent no valid answer; its request fails unless another game is to blame."""
        logger.warning("Killing an engine host: %s", reason)
        message = "The environment broke the connection of its host."
        self._fault = EnvironmentFault("host_died", message)
        self._kill()

    # The end

    def end_overdue(self) -> None:
        """Ends the host because its environment took too long."""
        self._fault = overdue()
        self._kill()

    def end_stuck(self) -> None:
        """Ends the host because it makes no progress: it is stopped, or worse."""
        self._stuck = True
        self._kill()

    def _kill(self) -> None:
        self.alive, self._killed = False, True
        if self._fork is not None:
            self._forks.kill(self._fork)

    def _end(self, code: int | None) -> None:
        self.alive = False
        self._checks.end(self._watch)
        fault = self._blame(code)
        if not self._closing:
            measures.LOST_HOSTS.inc()
            logger.warning("An engine host ended with %s (%d requests pending)", code, len(self._pending))
        how = "it made no progress" if self._stuck else f"it ended with {code}"
        may_be_guilty = code is not None and not self.faults and not self._closing
        may_be_guilty = may_be_guilty and (self._stuck or not self._killed)
        for request in self._pending:
            if not request.answer.done():
                at_work = request is self._pending[0]
                guilty = self.faults.get(request.game) or (fault if at_work else None)
                lost = HostLost(how, at_work=at_work and may_be_guilty)
                request.answer.set_exception(guilty or lost)
        self._pending.clear()
        self._ended(self)

    def _blame(self, code: int | None) -> EnvironmentFault | None:
        """The fault of the request in hand, if it is what ended the host."""
        if self._closing or self.faults or not (self.in_hand and self.in_hand.foreign):
            return None
        if self._fault is not None:
            return self._fault
        if self._killed or code is None or code in _SENT_FROM_OUTSIDE:
            return None
        return ended_by(code)


def retrieve(answer: asyncio.Future[Any]) -> None:
    """Marks the outcome of a request as seen, for requests that nobody waits for."""
    if not answer.cancelled():
        answer.exception()
