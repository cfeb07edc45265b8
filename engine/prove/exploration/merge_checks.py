"""Checks whether two states that a search merged behave alike.

The search knows a state by one path, arrives by another path at a state with the same key, and merges the
two. A check first compares their complete identities (`engine.prove.state`): if these are equal, nothing is
left to check. Otherwise it continues from both with the same actions; frames, declared hidden states and
valid actions have to agree after each of them. A merge that closes a loop is also checked after more rounds
of the loop, because something hidden may count them. A merge into a state on the path of the shortest win
continues with that win.

Checks miss a difference that shows only after more actions than they perform, or after actions that they do
not choose. Therefore `StartRegionSearch` compares all states near the start as well, action by action.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from engine.errors import EngineError
from engine.play.actions import Action
from engine.play.turns import NOT_FINISHED, Turn
from engine.prove.exploration.cursor import Cursor
from engine.prove.exploration.graph import StateGraph, StateIdentity
from engine.prove.player import LevelPlayer

ALWAYS_CHECKED = 32
CHECK_EVERY = 128
"""The first merges are all checked, later ones once in so many edges."""
DEPTHS = (8, 8, 32, 8, 8, 128)
"""How many actions a check performs: each in turn."""
MOST_ROUNDS = 4

type Observation = tuple[bytes, bytes, tuple[Action, ...]] | str
"""The hash of a state's frame, its declared hidden state and valid actions; or the code of an error."""


class InconsistentStates(Exception):
    """States with equal keys behave differently; `args[0]` says what differs."""


class Merge(NamedTuple):
    """The action in the state of `source` that led to a state with the key of `target`."""

    target: int
    source: int
    action: Action


class MergeChecks:
    """Checks the merges of one graph."""

    def __init__(
        self, player: LevelPlayer, graph: StateGraph, generator: random.Random, identity: StateIdentity
    ) -> None:
        self._player = player
        self._graph = graph
        self._random = generator
        self._complete = identity == StateIdentity.COMPLETE
        self._leading: dict[Action, None] = {}
        self._winning: dict[int, list[Action]] = {}

    def note(self, index: int, *, wins: bool = False) -> None:
        """Remembers that the action of a new node leads to new states and, if `wins`, that its path wins."""
        nodes = self._graph.nodes
        action = nodes[index].action
        if action is not None:
            self._leading[action] = None
        if wins and not self._winning:
            path: list[Action] = []
            while (action := nodes[index].action) is not None:
                path.insert(0, action)
                index = nodes[index].parent
                self._winning[index] = path.copy()

    def is_due(self) -> bool:
        """Whether the next merge is to be checked."""
        checked = self._graph.merges_compared
        return checked < ALWAYS_CHECKED or (checked - ALWAYS_CHECKED) * CHECK_EVERY < self._graph.edges

    def check_arrival(self, cursor: Cursor, merge: Merge) -> None:
        """Checks a merge that has just been made: the game is in the arrival's state.

        Raises InconsistentStates.
        """
        arrival = cursor.identify()
        cursor.go_to(merge.target)
        if not arrival.opaque and arrival.digest == cursor.identify().digest:
            self._graph.merges_compared += 1
            self._graph.merges_identical += 1
            return
        self.compare_continuations(cursor, merge)

    def compare_continuations(self, cursor: Cursor, merge: Merge) -> None:
        """Performs the same actions from the known state and from the arrival. Raises InconsistentStates."""
        number = self._graph.merges_compared
        cursor.go_to(merge.target)
        actions, observed = self._continue(cursor, merge.target, number)
        end = cursor.identify() if self._complete else None
        cursor.go_to(merge.source)
        turn: Turn | None = cursor.step(merge.action)[0]
        for action in (number % MOST_ROUNDS) * self._loop(merge):
            turn = turn and cursor.step(action)[0]
        if self._observe(cursor, turn) != observed[0]:
            raise InconsistentStates("they differ at once")
        for count, (action, expected) in enumerate(zip(actions, observed[1:], strict=True), 1):
            turn, code = cursor.step(action)
            if (code or self._observe(cursor, turn)) != expected:
                raise InconsistentStates(f"they differ {count} action{'s' if count > 1 else ''} later")
        if end is not None and not end.opaque and cursor.identify().digest != end.digest:
            raise InconsistentStates(f"their complete identities differ {len(actions)} actions later")
        self._graph.merges_compared += 1
        self._graph.merges_depth = max(self._graph.merges_depth, len(actions))

    def _continue(self, cursor: Cursor, target: int, number: int) -> tuple[list[Action], list[Observation]]:
        """Performs random actions or a known win; returns them with the observations around each."""
        turn: Turn | None = cursor.game.turn
        observed = [self._observe(cursor, turn)]
        planned = self._winning.get(target, []) if number % 2 else []
        actions: list[Action] = []
        while len(actions) < max(len(planned), DEPTHS[number % len(DEPTHS)]):
            last = observed[-1]
            if isinstance(last, str) or not last[2]:
                break
            action = planned[len(actions)] if len(actions) < len(planned) else self._draw(last[2])
            if action not in last[2]:
                break
            turn, code = cursor.step(action)
            actions.append(action)
            observed.append(code or self._observe(cursor, turn))
        return actions, observed

    def _draw(self, valid: Sequence[Action]) -> Action:
        """A random action, every other time one that led to a new state somewhere: most clicks do not."""
        if self._random.random() < 0.5:
            leading = [action for action in valid if action in self._leading]
            if leading:
                return self._random.choice(leading)
        return self._random.choice(valid)

    def _observe(self, cursor: Cursor, turn: Turn | None) -> Observation:
        if turn is None:
            return "no turn"
        if turn.level_completed or turn.state != NOT_FINISHED:
            return turn.state_hash, b"", ()
        try:
            hidden = self._player.hidden(cursor.game)
            return turn.state_hash, hidden, tuple(self._player.actions(cursor.game))
        except EngineError as error:
            return error.code

    def _loop(self, merge: Merge) -> list[Action]:
        """The actions of the loop that a merge closes; empty if it closes none."""
        first = self._graph.path(merge.target)
        path = [*self._graph.path(merge.source), merge.action]
        return path[len(first) :] if path[: len(first)] == first else []
