"""What is known of a level's states: which actions were tried in each, and where they led."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

MOST_STATES = 50_000


class StateGraph[State: Hashable, Move: Hashable]:
    """States and moves of one level. A move that leads back to its state is a no-op and never walked.

    At most `most` states are stored. Beyond, new states are not: they count as states where nothing is left.
    """

    def __init__(self, most: int = MOST_STATES) -> None:
        self._most = most
        self._untried: dict[State, list[Move]] = {}
        self._edges: dict[State, dict[Move, State]] = {}

    def __len__(self) -> int:
        return len(self._untried)

    def __contains__(self, state: State) -> bool:
        return state in self._untried

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
                    return _moves(came, reached)
                queue.append(reached)
        return None


def _moves[State: Hashable, Move: Hashable](
    came: Mapping[State, tuple[State, Move]], end: State
) -> list[Move]:
    moves: list[Move] = []
    while end in came:
        end, move = came[end]
        moves.append(move)
    return moves[::-1]
