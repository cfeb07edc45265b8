"""Trying whether states that a search takes for one go on alike.

The search has reached a state by one path, arrives by another at a state of the same name, and drops it. A
trial compares the complete identities of the two (`engine.state`): where they are equal nothing is left to
try. Else it plays on from both with the same actions; frames, declared hidden state and valid actions have to
agree after each of them. A merge that closes a loop is also tried after going round it more often, because
something out of sight may count; one into a state of the shortest win goes on with that win.

Trials find no difference that shows only after more actions than they play, or after actions that they do not
happen to choose. `PrefixSearch` therefore looks at all states near the start as well, action by action.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from engine.actions import Action
from engine.errors import EngineError
from engine.exploration.cursor import Cursor
from engine.exploration.graph import Graph, StateIdentity
from engine.player import LevelPlayer
from engine.turns import NOT_FINISHED, Turn

ALWAYS_TRIED = 32
TRIED_EVERY = 128
"""Merges are tried as they come; later on one for so many edges."""
DEPTHS = (8, 8, 32, 8, 8, 128)
"""How many actions the trials play on, in turn."""
MOST_ROUNDS = 4

type Look = tuple[bytes, bytes, tuple[Action, ...]] | str
"""How a state looks: its frame's hash, its declared hidden state, its valid actions; or an error's code."""


class Inconsistent(Exception):
    """States of one name go on differently; `args[0]` says what differs."""


class Merge(NamedTuple):
    """An action in the state of `source` that led to a state taken for that of `target`."""

    target: int
    source: int
    action: Action


class MergeTrials:
    """Tries the merges of one graph."""

    def __init__(
        self, player: LevelPlayer, graph: Graph, generator: random.Random, identity: StateIdentity
    ) -> None:
        self._player = player
        self._graph = graph
        self._random = generator
        self._complete = identity == StateIdentity.COMPLETE
        self._leading: dict[Action, None] = {}
        self._winning: dict[int, list[Action]] = {}

    def note(self, index: int, *, wins: bool = False) -> None:
        """Takes a new node into account: its action leads somewhere, and if it wins the path to it wins."""
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
        """Whether it is time for the next trial."""
        tried = self._graph.merges_tried
        return tried < ALWAYS_TRIED or (tried - ALWAYS_TRIED) * TRIED_EVERY < self._graph.edges

    def try_arrival(self, cursor: Cursor, merge: Merge) -> None:
        """Tries a merge that has just been made: the cursor is at the arrival. Raises Inconsistent."""
        arrival = cursor.identify()
        cursor.go_to(merge.target)
        if not arrival.opaque and arrival.digest == cursor.identify().digest:
            self._graph.merges_tried += 1
            self._graph.merges_identical += 1
            return
        self.play_on(cursor, merge)

    def play_on(self, cursor: Cursor, merge: Merge) -> None:
        """Plays on from the known state, and from the arrival with the same actions. Raises Inconsistent."""
        number = self._graph.merges_tried
        cursor.go_to(merge.target)
        actions, looks = self._choose(cursor, merge.target, number)
        end = cursor.identify() if self._complete else None
        cursor.go_to(merge.source)
        turn: Turn | None = cursor.step(merge.action)[0]
        for action in (number % MOST_ROUNDS) * self._loop(merge):
            turn = turn and cursor.step(action)[0]
        if self._look(cursor, turn) != looks[0]:
            raise Inconsistent("they differ at once")
        for count, (action, expected) in enumerate(zip(actions, looks[1:], strict=True), 1):
            turn, code = cursor.step(action)
            if (code or self._look(cursor, turn)) != expected:
                raise Inconsistent(f"they differ {count} action{'s' if count > 1 else ''} later")
        if end is not None and not end.opaque and cursor.identify().digest != end.digest:
            raise Inconsistent(f"their complete identities differ {len(actions)} actions later")
        self._graph.merges_tried += 1
        self._graph.merges_depth = max(self._graph.merges_depth, len(actions))

    def _choose(self, cursor: Cursor, target: int, number: int) -> tuple[list[Action], list[Look]]:
        """Plays on at random, or wins; the actions, and how the states look before and after each."""
        turn: Turn | None = cursor.game.turn
        looks = [self._look(cursor, turn)]
        planned = self._winning.get(target, []) if number % 2 else []
        actions: list[Action] = []
        while len(actions) < max(len(planned), DEPTHS[number % len(DEPTHS)]):
            last = looks[-1]
            if isinstance(last, str) or not last[2]:
                break
            action = planned[len(actions)] if len(actions) < len(planned) else self._draw(last[2])
            if action not in last[2]:
                break
            turn, code = cursor.step(action)
            actions.append(action)
            looks.append(code or self._look(cursor, turn))
        return actions, looks

    def _draw(self, valid: Sequence[Action]) -> Action:
        """Every other time one that led to a new state somewhere: most clicks lead nowhere."""
        if self._random.random() < 0.5:
            leading = [action for action in valid if action in self._leading]
            if leading:
                return self._random.choice(leading)
        return self._random.choice(valid)

    def _look(self, cursor: Cursor, turn: Turn | None) -> Look:
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
        """The actions of the loop that a merge closes, none if it closes none."""
        first = self._graph.path(merge.target)
        path = [*self._graph.path(merge.source), merge.action]
        return path[len(first) :] if path[: len(first)] == first else []
