"""The agent that explores over the states it has seen."""

from collections import deque
from collections.abc import Mapping
from hashlib import blake2b
from random import Random
from types import MappingProxyType
from typing import Any

from engine.actions import CLICK, RESET, Action
from engine.frames import pack
from playtest.arena.agents.agent import Choice, Stop
from playtest.arena.agents.client import Game, Turn
from playtest.arena.agents.frontier.components import component_clicks
from playtest.arena.agents.frontier.graph import StateGraph

NAME = "frontier"
ACTIONS = 1_000


class FrontierPlayer:
    """Tries untried actions in random order; else walks to the nearest state that has one.

    A state is the last frame of a turn. States of completed levels are forgotten. RESET leads to the level's
    start: it is used after a loss, and where that is nearer to an untried action, but never twice in a row
    nor at the level's start, where it would restart the whole game. If nothing is left to try within reach,
    it takes an action that is no known no-op, at random.
    """

    def __init__(self, draws: Random) -> None:
        self._draws = draws
        self._level = -1
        self._graph = StateGraph[bytes, Action]()
        self._start = b""
        self._since_start = 0
        self._last: tuple[bytes, Action] | None = None
        self._planned: deque[tuple[Action, bytes]] = deque()

    def choose(self, turn: Turn) -> Choice | Stop:
        state = self._observe(turn)
        action = self._next(turn, state)
        if action is None:
            return Stop("no_actions")
        self._last = (state, action)
        self._since_start = 0 if action.id == RESET else self._since_start + 1
        return Choice(action)

    def _observe(self, turn: Turn) -> bytes:
        """Adds what the last action has shown, and returns the state."""
        state = blake2b(pack(turn.frame) + turn.state.encode(), digest_size=16).digest()
        if turn.levels_completed != self._level:
            self._level = turn.levels_completed
            self._graph = StateGraph()
            self._start, self._since_start, self._last = state, 0, None
            self._planned.clear()
        elif self._last is not None:
            before, action = self._last
            if action.id != RESET:
                self._graph.record(before, action, state)
            else:
                self._start = state
        self._graph.add(state, () if turn.lost else _actions(turn))
        return state

    def _next(self, turn: Turn, state: bytes) -> Action | None:
        if turn.lost:
            self._planned.clear()
            return Action(RESET)
        if untried := self._graph.untried(state):
            self._planned.clear()
            return self._draws.choice(untried)
        if self._planned:
            action, expected = self._planned.popleft()
            if expected == state:
                return action
            self._planned.clear()
        return self._walk(state) or self._any(turn, state)

    def _walk(self, state: bytes) -> Action | None:
        """The first action to the nearest state with an untried one; the others are planned."""
        path = self._graph.path_to_untried(state)
        if self._since_start > 0:
            anew = self._graph.path_to_untried(self._start)
            if anew is not None and (path is None or len(anew) + 1 < len(path)):
                self._planned = self._steps(self._start, anew)
                return Action(RESET)
        if not path:
            return None
        self._planned = self._steps(state, path)
        return self._planned.popleft()[0]

    def _steps(self, state: bytes, path: list[Action]) -> deque[tuple[Action, bytes]]:
        """The path's actions, each with the state where it is expected to be taken."""
        steps: deque[tuple[Action, bytes]] = deque()
        for action in path:
            steps.append((action, state))
            state = self._graph.edges(state)[action]
        return steps

    def _any(self, turn: Turn, state: bytes) -> Action | None:
        actions = _actions(turn)
        edges = self._graph.edges(state)
        useful = [action for action in actions if edges.get(action) != state]
        return self._draws.choice(useful or actions) if actions else None


class FrontierAgent:
    """The same seed plays the same actions in an environment, whichever others are played."""

    name = NAME
    actions: int | None = ACTIONS
    cost: float | None = None
    counts: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, seed: int) -> None:
        self.settings: Mapping[str, Any] = {"seed": seed}
        self._seed = seed

    def begin(self, game: Game, *, competition: bool) -> FrontierPlayer:
        return FrontierPlayer(Random(f"{self._seed} {game.game_id}"))


def _actions(turn: Turn) -> list[Action]:
    """What can be tried: the available actions, ACTION6 once on every component."""
    plain = [Action(action) for action in turn.available if action != CLICK]
    return [*plain, *component_clicks(turn.frame)] if CLICK in turn.available else plain
