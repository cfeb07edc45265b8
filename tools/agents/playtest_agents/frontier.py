"""An agent that explores: in each state it tries what it has not tried, and walks where something is left."""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from hashlib import blake2b
from random import Random
from typing import NamedTuple

import numpy as np
from scipy import ndimage

from playtest_agents.counters import Counters
from playtest_agents.game import (
    CLICK,
    COLOURS,
    NOT_FINISHED,
    RESET,
    UNDO,
    Action,
    Choice,
    Frame,
    Game,
    SeededAgent,
    Stop,
    Turn,
)

TRIES_WITHOUT_EFFECT = 4
MOST_CLICKS = 128
MOST_STATES = 50_000


class Move(NamedTuple):
    """An action and what kind it is: its id, and of a click the colour and size of what is clicked."""

    action: Action
    kind: Hashable


class FrontierPlayer:
    """Tries untried actions in random order; else walks to the nearest state that has one.

    A state is the last frame of a turn without the cells that count actions (`Counters`). States of completed
    levels are forgotten. Kinds of moves that never had an effect are tried when nothing else is left, as is
    undo, which leads back. RESET leads to the level's start: it is used after a loss, and where that is
    nearer to an untried action, but never twice in a row nor at the level's start, where it would restart the
    whole game. If nothing is left to try within reach, it takes an action that is no known no-op, at random.
    """

    def __init__(self, draws: Random) -> None:
        self._draws = draws
        self._level = -1
        self._graph = StateGraph[bytes, Move]()
        self._counters = Counters()
        self._tries, self._effects = Counter[Hashable](), Counter[Hashable]()
        self._start: Frame | None = None
        self._since_start = 0
        self._last: tuple[Frame, Move] | None = None
        self._planned: deque[tuple[Move, bytes]] = deque()

    def choose(self, turn: Turn) -> Choice | Stop:
        state = self._observe(turn)
        move = self._next(turn, state)
        if move is None:
            return Stop("no_actions")
        self._last = (turn.frame, move)
        self._since_start = 0 if move.action.id == RESET else self._since_start + 1
        return Choice(move.action)

    def _observe(self, turn: Turn) -> bytes:
        """Adds what the last action has shown, and returns the state."""
        moves = () if turn.lost else _moves(turn)
        if turn.levels_completed != self._level:
            self._level, self._start, self._since_start = turn.levels_completed, turn.frame, 0
            self._forget()
            self._counters.start()
        elif self._last is not None:
            self._learn(*self._last, turn, len(moves))
        state = self._state(turn.frame, turn.state)
        self._graph.add(state, moves)
        return state

    def _learn(self, before: Frame, move: Move, turn: Turn, offered: int) -> None:
        """Adds what a move has led to, unless the level was lost because a counter was used up."""
        if move.action.id == RESET:
            self._start = turn.frame
            self._counters.start()
        elif self._counters.observe(before, move.kind, turn.frame, offered):
            self._forget()  # states were told apart by what only counts
        elif not (turn.lost and self._counters.spent(before)):
            was, reached = self._state(before), self._state(turn.frame, turn.state)
            self._graph.record(was, move, reached)
            self._tries[move.kind] += 1
            self._effects[move.kind] += was != reached

    def _forget(self) -> None:
        self._graph = StateGraph()
        self._planned.clear()

    def _state(self, frame: Frame, state: str = NOT_FINISHED) -> bytes:
        return blake2b(self._counters.masked(frame).tobytes() + state.encode(), digest_size=16).digest()

    def _hopeful(self, move: Move) -> bool:
        """Whether moves of this kind have had an effect, or too few of them were tried to say."""
        if move.action.id == UNDO:
            return False
        return self._effects[move.kind] > 0 or self._tries[move.kind] < TRIES_WITHOUT_EFFECT

    def _next(self, turn: Turn, state: bytes) -> Move | None:
        if turn.lost:
            self._planned.clear()
            return _RESET
        for wanted in (self._hopeful, _every):
            if untried := [move for move in self._graph.untried(state) if wanted(move)]:
                self._planned.clear()
                return self._draws.choice(untried)
            if self._planned:
                move, expected = self._planned.popleft()
                if expected == state:
                    return move
                self._planned.clear()
            if found := self._walk(state, wanted):
                return found
        return self._any(turn, state)

    def _walk(self, state: bytes, wanted: Callable[[Move], bool]) -> Move | None:
        """The first move to the nearest state with such an untried one; the others are planned."""
        path = self._graph.path_to_untried(state, wanted)
        if self._since_start > 0 and self._start is not None:
            start = self._state(self._start)
            anew = self._graph.path_to_untried(start, wanted)
            if anew is not None and (path is None or len(anew) + 1 < len(path)):
                self._planned = self._steps(start, anew)
                return _RESET
        if not path:
            return None
        self._planned = self._steps(state, path)
        return self._planned.popleft()[0]

    def _steps(self, state: bytes, path: list[Move]) -> deque[tuple[Move, bytes]]:
        """The path's moves, each with the state where it is expected to be made."""
        steps: deque[tuple[Move, bytes]] = deque()
        for move in path:
            steps.append((move, state))
            state = self._graph.edges(state)[move]
        return steps

    def _any(self, turn: Turn, state: bytes) -> Move | None:
        moves = _moves(turn)
        edges = self._graph.edges(state)
        useful = [move for move in moves if edges.get(move) != state]
        return self._draws.choice(useful or moves) if moves else None


class FrontierAgent(SeededAgent):
    name = "frontier"

    def begin(self, game: Game, *, competition: bool) -> FrontierPlayer:
        return FrontierPlayer(self.draws(game))


_RESET = Move(Action(RESET), RESET)


def _every(_: Move) -> bool:
    return True


def _moves(turn: Turn) -> list[Move]:
    """What can be tried: the available actions, ACTION6 once on every component."""
    found = [Move(Action(action), action) for action in turn.available if action != CLICK]
    if CLICK in turn.available:
        found += [Move(one.click, (CLICK, one.colour, one.size)) for one in clickable_components(turn.frame)]
    return found


class StateGraph[State: Hashable, Move: Hashable]:
    """States and moves of one level. A move that leads back to its state is a no-op and never walked.

    At most `most` states are stored. Beyond, new states are not: they count as states where nothing is left.
    """

    def __init__(self, most: int = MOST_STATES) -> None:
        self._most = most
        self._untried: dict[State, list[Move]] = {}
        self._edges: dict[State, dict[Move, State]] = {}

    def add(self, state: State, moves: Iterable[Move]) -> None:
        """Stores a state with its moves, untried. One that is known, or too many, changes nothing."""
        if state not in self._untried and len(self._untried) < self._most:
            self._untried[state] = list(dict.fromkeys(moves))
            self._edges[state] = {}

    def record(self, state: State, move: Move, reached: State) -> None:
        """The move was made in the state and led to another. The latest such observation holds."""
        if state not in self._untried:
            return
        if move in self._untried[state]:
            self._untried[state].remove(move)
        self._edges[state][move] = reached

    def untried(self, state: State) -> Sequence[Move]:
        return self._untried.get(state, ())

    def edges(self, state: State) -> Mapping[Move, State]:
        return self._edges.get(state, {})

    def path_to_untried(
        self, origin: State, wanted: Callable[[Move], bool] = lambda _: True
    ) -> list[Move] | None:
        """The fewest moves to a state with a wanted untried move, [] if `origin` is one; None without any."""
        if any(map(wanted, self.untried(origin))):
            return []
        came: dict[State, tuple[State, Move]] = {}
        queue, seen = deque([origin]), {origin}
        while queue:
            state = queue.popleft()
            for move, reached in self.edges(state).items():
                if reached in seen:
                    continue
                seen.add(reached)
                came[reached] = (state, move)
                if any(map(wanted, self.untried(reached))):
                    return _path(came, reached)
                queue.append(reached)
        return None


def _path[State: Hashable, Move: Hashable](
    came: Mapping[State, tuple[State, Move]], end: State
) -> list[Move]:
    moves: list[Move] = []
    while end in came:
        end, move = came[end]
        moves.append(move)
    return moves[::-1]


class Component(NamedTuple):
    """What can be clicked, and the click on it."""

    click: Action
    colour: int
    size: int


def clickable_components(frame: Frame, most: int = MOST_CLICKS) -> list[Component]:
    """Every component with a click on it, the largest first, at most `most`.

    A component is a set of cells of one colour that touch at their sides. Its cell is the one nearest to its
    middle; of several as near, the first in reading order.
    """
    found: list[tuple[int, int, int, int]] = []
    for colour in range(COLOURS):
        labels, count = ndimage.label(frame == colour)
        for part in range(1, count + 1):
            rows, columns = np.nonzero(labels == part)
            distances = (rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2
            nearest = int(distances.argmin())
            found.append((-len(rows), int(rows[nearest]), int(columns[nearest]), colour))
    found.sort()
    return [Component(Action(CLICK, x, y), colour, -size) for size, y, x, colour in found[:most]]
