"""Runs a one-shot worker: reads its request, seals the process, sends messages, and ends.

The request is one message (framed as in `engine.confine.answers`) on standard input: what the worker's own
module documents, and the source that it plays. Messages on standard output have one field each:

    progress  counts by name, all 0 at first, then at most four messages a second
    call      {"episode": [seed, level]} or {"action": [id, x, y]}, before it is done, if asked for
    result    what was asked for: the last message
    error     {kind, code, message, details}, in place of a result

Foreign code runs as in `engine.confine.host`: limits on time, memory, files, processes; what it prints goes
nowhere. The worker ends when its output is closed. Who started it watches it from outside
(`engine.confine.client`).
"""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

from engine.confine.answers import LENGTH_BYTES, described, length_of, packed, unpacked
from engine.confine.confinement import Confinement
from engine.confine.process import ProcessLimits, take_pipe
from engine.errors import EngineError, EnvironmentFault
from engine.play.actions import CLICK, Action
from engine.play.game import Game
from engine.play.source import Source, from_parts
from engine.play.turns import Turn
from engine.prove.player import Player, RandomPolicy


class ConfinedPlayer(Player):
    """Plays within limits: `deadlines` are the seconds that a start may take, and an action.

    `before_call` receives {"episode": [seed, level]} before each start and {"action": [id, x, y]} before each
    action; `after_action` is called after each action. `adds_up_memory`: the limit on memory is for all calls
    of a game together and not for each; False where the caller's own memory grows between the calls.
    """

    def __init__(
        self,
        source: Source,
        confinement: Confinement,
        deadlines: tuple[float, float],
        *,
        before_call: Callable[[dict[str, Any]], None] = lambda call: None,
        after_action: Callable[[], None] = lambda: None,
        adds_up_memory: bool = True,
    ) -> None:
        super().__init__(source)
        self._confinement = confinement
        self._start_deadline, self._deadline = deadlines
        self._before_call = before_call
        self._after_action = after_action
        self._adds_up_memory = adds_up_memory
        self._memory: dict[int, int] = {}

    def start(self, seed: int, level: int, *, as_arcengine: bool = False) -> Game:
        self._before_call({"episode": [seed, level]})
        starting = super().start
        try:
            game, used = self._confinement.run(
                lambda: starting(seed, level, as_arcengine=as_arcengine), self._start_deadline, 0
            )
            self._confinement.inspect()
        except EnvironmentFault as fault:
            raise _of_the_start(fault) from fault
        self._memory = {id(game): used}
        return game

    def act(self, game: Game, action: Action) -> Turn:
        self._before_call({"action": [action.id, action.x, action.y]})
        watch = _Watch()
        turn, used = self._confinement.run(lambda: game.act(action), self._deadline, self._used(game))
        self.seconds = watch.seconds(self._confinement)
        self._memory[id(game)] = used
        self._after_action()
        return turn

    def choose(self, policy: RandomPolicy, game: Game) -> Action:
        return policy.choose(game, self._declared)

    def valid_actions(self, game: Game) -> list[Action]:
        listing = super().valid_actions
        return self._run(lambda: listing(game), game)

    def hidden_state(self, game: Game) -> bytes:
        return self._run(game.declared_hidden_state, game)

    def identity(self, game: Game) -> bytes | None:
        identify = super().identity
        try:
            return self._confinement.run(lambda: identify(game), self._start_deadline, self._used(game))[0]
        except EnvironmentFault:  # a state too large to be read is not a fault
            return None

    def _declared(self, game: Game) -> list[Action]:
        if CLICK not in game.turn.available_actions:  # nothing is asked of the environment
            return []
        try:
            return self._run(game.declared_clicks, game)
        except EnvironmentFault as fault:
            message = f"Asked for the places that can be clicked: {fault.message}"
            raise EnvironmentFault(fault.code, message) from fault

    def _run[T](self, call: Callable[[], T], game: Game) -> T:
        return self._confinement.run(call, self._deadline, self._used(game))[0]

    def _used(self, game: Game) -> int:
        return self._memory.get(id(game), 0) if self._adds_up_memory else 0


class _Watch:
    """Measures processor time, and also sleep, if the process gave up the processor, as its deadline does.

    Time that a busy machine takes from the process, or that it was stopped, is therefore not counted.
    """

    def __init__(self) -> None:
        self._waits = resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
        self._computing, self._clock = time.thread_time(), time.monotonic()

    def seconds(self, confinement: Confinement) -> float:
        """Seconds since it was made, of the call that just ended."""
        computed = time.thread_time() - self._computing
        if confinement.waits == self._waits:
            return computed
        return max(computed, min(time.monotonic() - self._clock, confinement.charged))


def _of_the_start(fault: EnvironmentFault) -> EnvironmentFault:
    if fault.code != "deadline_exceeded":
        return fault
    return EnvironmentFault(fault.code, "The environment took too long to start.")


PROGRESS_SECONDS = 0.25
"""Between two messages about progress."""


@dataclass(slots=True)
class Worker:
    """A sealed process with its request, and the pipe to the process that sent it."""

    request: dict[str, Any]
    _confinement: Confinement
    _limits: ProcessLimits
    _messages: BinaryIO
    _counts: dict[str, int]
    _next_progress: float = 0.0

    @classmethod
    def start(cls, module: str, description: str, counts: tuple[str, ...]) -> Worker:
        """Reads the request, seals the process and sends the first progress, of the counts so named."""
        limits = ProcessLimits.from_command_line(module, description)
        requests, messages = take_pipe()
        request = unpacked(requests.read(length_of(requests.read(LENGTH_BYTES))))
        confinement = Confinement(limits.memory, limits.process_memory)
        confinement.seal(messages.fileno())
        gc.freeze()
        worker = cls(request, confinement, limits, messages, dict.fromkeys(counts, 0))
        worker.alive()
        return worker

    def player(self, *, sends_calls: bool = False, adds_up_memory: bool = True) -> ConfinedPlayer:
        """Plays the request's source within the limits; `sends_calls` as a message before each is done."""
        return ConfinedPlayer(
            from_parts(self.request["metadata"], self.request["text"], self.request["path"]),
            self._confinement,
            (self._limits.start_deadline, self._limits.deadline),
            before_call=(lambda call: self._send("call", call)) if sends_calls else lambda call: None,
            after_action=self.alive,
            adds_up_memory=adds_up_memory,
        )

    def progress(self, **counts: int) -> None:
        """Sends how much is done, if the last message about it is long enough ago."""
        self._counts = counts
        self.alive()

    def alive(self) -> None:
        """Sends the same progress again, for work that counts for nothing, if it is time to."""
        if (moment := time.monotonic()) >= self._next_progress:
            self._next_progress = moment + PROGRESS_SECONDS
            self._send("progress", self._counts)

    def answer(self, work: Callable[[], dict[str, Any]]) -> None:
        """Does the work and sends its result, or the EngineError it raises."""
        try:
            self._send("result", work())
        except EngineError as error:
            self._send("error", described(error))

    def _send(self, field: str, content: dict[str, Any]) -> None:
        self._messages.write(packed({field: content}))
        self._messages.flush()
