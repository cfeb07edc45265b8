"""A player whose every call of the environment is confined."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

from engine.confine.confinement import Confinement
from engine.errors import EnvironmentFault
from engine.play.actions import CLICK, Action
from engine.play.game import Game
from engine.play.source import Source
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
        self.seconds = watch.seconds(self._confinement.waits)
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
    """Measures processor time, or wall-clock time if the process gave up the processor (a sleep).

    Time that a busy machine takes from the process is therefore not counted.
    """

    def __init__(self) -> None:
        self._waits = resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
        self._computing, self._clock = time.thread_time(), time.monotonic()

    def seconds(self, waits: int) -> float:
        """Seconds since it was made; the process had given up the processor `waits` times by the end."""
        waited = waits > self._waits
        return time.monotonic() - self._clock if waited else time.thread_time() - self._computing


def _of_the_start(fault: EnvironmentFault) -> EnvironmentFault:
    if fault.code != "deadline_exceeded":
        return fault
    return EnvironmentFault(fault.code, "The environment took too long to start.")
