"""A plain search of a level's state graph, for comparison with the explorer.

Breadth first; a state is its frame and the hidden state it declares (technical report 3.5.2). It uses nothing
of the explorer: arcengine's own objects, brought back by copying them or by playing from the level's start.
"""

import copy
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from arcengine import ActionInput, ARCBaseGame, GameAction, GameState

from engine.play.game import Game
from engine.play.source import Source

COPIES, REPLAYS = "copies", "replays"

type Key = tuple[bytes, bytes, str]


@dataclass
class Found:
    """What a search saw: how many states, the actions tried, the fewest actions that win."""

    states: int = 1
    actions: int = 0
    shortest_win: int | None = None
    open: int = 0
    keys: set[Key] = field(default_factory=set)


def search(source: Source, level: int, most: int, by: str) -> Found:
    """Searches until every state is done or `most` states are found."""
    rules = Game.start(source, 0, level=level)[0].state[0]
    found = Found()
    found.keys.add(_key(rules, _begin(rules, level)))
    waiting: deque[tuple[ARCBaseGame, list[ActionInput]]] = deque([(rules, [])])
    while waiting and found.states < most:
        at, path = waiting.popleft()
        if by == REPLAYS:
            _replay(at, level, path)
        for action in at._get_valid_actions():
            if by == REPLAYS:
                _replay(at, level, path)
            game = copy.deepcopy(at) if by == COPIES else at
            drawn = game.perform_action(action, raw=True)
            found.actions += 1
            key = _key(game, drawn)
            if key in found.keys:
                continue
            found.keys.add(key)
            found.states += 1
            if game._score >= level:
                found.shortest_win = found.shortest_win or len(path) + 1
            elif game._state == GameState.NOT_FINISHED:
                waiting.append((game, [*path, action]))
    found.open = len(waiting)
    return found


def _replay(rules: ARCBaseGame, level: int, path: list[ActionInput]) -> None:
    _begin(rules, level)
    for action in path:
        rules.perform_action(action, raw=True)


def _begin(rules: ARCBaseGame, level: int) -> Any:
    """Returns to the level's start and gives its frame."""
    rules._current_level_index = level - 1
    rules._score = level - 1
    rules._action_count = 1  # or RESET would restart the whole game
    return rules.perform_action(ActionInput(id=GameAction.RESET), raw=True)


def _key(rules: ARCBaseGame, drawn: Any) -> Key:
    return drawn.frame[-1].tobytes(), rules._get_hidden_state().tobytes(), rules._state.value
