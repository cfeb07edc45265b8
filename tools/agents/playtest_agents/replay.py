"""An agent that replays known actions level by level: it proves that a harness scores as it says."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from playtest_agents.connection import AgentError
from playtest_agents.game import RESET, Action, Agent, Choice, Game, Stop, Turn

NO_RECORDING = "no_recording"

type LevelActions = Mapping[int, Sequence[Action]]
"""By level from 1: the actions that complete it, from its start."""


class ReplayPlayer:
    """Plays the actions of each level as they were recorded, and stops where they do not complete it.

    A RESET without any action since the level's start or since the last RESET is left out unless
    `keeps_resets`: for people it did nothing, but over the API it restarts the whole game.
    """

    def __init__(self, levels: LevelActions, *, keeps_resets: bool) -> None:
        self._levels = levels
        self._keeps_resets = keeps_resets
        self._completed = -1
        self._left: list[Action] = []

    def choose(self, turn: Turn) -> Choice | Stop:
        if turn.levels_completed != self._completed:
            if turn.levels_completed < self._completed or self._left:
                return Stop("replay_differs")
            self._completed = turn.levels_completed
            if self._completed + 1 not in self._levels:
                return Stop(NO_RECORDING)
            actions = self._levels[self._completed + 1]
            self._left = list(actions if self._keeps_resets else without_restarts(actions))[::-1]
        if not self._left:
            return Stop("replay_differs")
        return Choice(self._left.pop())


class ReplayAgent(Agent):
    """Replays the actions of a file, by environment. `check` raises AgentError nothing_to_replay.

    The file is what `manage.py level_actions` of Playtest prints: a list of
    `{"game_ids": [the ids of an environment], "levels": {"1": [[action, x, y] or [action], ...]}}`.
    """

    name = "replay"

    def __init__(self, path: Path) -> None:
        self.settings = {"file": path.name}
        self._levels = _read(path)

    def check(self, games: Sequence[Game]) -> None:
        if not any(self._levels.get(game.game_id) for game in games):
            ids = ", ".join(game.game_id for game in games)
            message = f"The file of actions has nothing about {ids}: export it where it was played."
            raise AgentError("nothing_to_replay", message)

    def begin(self, game: Game, *, competition: bool) -> ReplayPlayer | Stop:
        if not self._levels.get(game.game_id):
            return Stop(NO_RECORDING)
        return ReplayPlayer(self._levels[game.game_id], keeps_resets=competition)


def without_restarts(actions: Sequence[Action]) -> list[Action]:
    """A level's actions without each RESET at its start or right after another RESET."""
    used: list[Action] = []
    for action in actions:
        if action.id != RESET or (used and used[-1].id != RESET):
            used.append(action)
    return used


def _read(path: Path) -> dict[str, LevelActions]:
    """By each of its ids what is known of an environment. Raises AgentError file_unreadable."""
    try:
        return {
            name: {int(level): [Action(*one) for one in actions] for level, actions in row["levels"].items()}
            for row in json.loads(path.read_text())
            for name in row["game_ids"]
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        message = f"{path} is no file of level actions: {error}"
        raise AgentError("file_unreadable", message) from error
