"""Checks, for one version and level, whether restored states behave like the original ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.errors import EngineError
from engine.play.actions import Action
from engine.play.game import Game
from engine.prove.player import LevelPlayer
from engine.prove.state import NotRestorable, Snapshot, SnapshotStore, identify, restore

SAMPLES = 5
LONGEST_WALK = 12
LONGEST_CONTINUATION = 10

OUTSIDE_STATE = "equal states behave differently: something outside of the environment counts"

type Observation = tuple[bytes, tuple[Action, ...]] | str
"""A state's hash and its valid actions, or the code of the error that ended the game."""


class RestoreMethod(StrEnum):
    """How states are restored: by snapshots of the level's objects, of all objects, or by replaying."""

    LEVEL = "level"
    WHOLE_GAME = "whole game"
    REPLAY = "replay"


@dataclass(frozen=True, slots=True)
class SnapshotCheck:
    """How states can be restored, and why not by snapshots if they cannot.

    `draws`: an action drew from the global generators. `differs`: a restored state was another one.
    `outside`: it was equal, but behaved differently.
    """

    method: RestoreMethod
    why_replay: str
    draws: bool
    differs: bool = False
    outside: bool = False


def check_snapshots(
    player: LevelPlayer, samples: int = SAMPLES, has_time: Callable[[], bool] = lambda: True
) -> SnapshotCheck:
    """Checks snapshots of the level's objects, then of all objects; if both fail, chooses replaying."""
    check = _check(player, samples, has_time, RestoreMethod.LEVEL)
    if check.differs and has_time():
        return _check(player, samples, has_time, RestoreMethod.WHOLE_GAME)
    return check


def _check(
    player: LevelPlayer, samples: int, has_time: Callable[[], bool], method: RestoreMethod
) -> SnapshotCheck:
    """Makes random walks from the level's start. On each: takes a snapshot, continues, restores, continues.

    The second continuation is compared with the first, and with that of a new game that replayed the whole
    walk. Without time walks end where they are; at least one has to be compared.
    """
    game = player.start()
    walks = _Walks(player, random.Random(player.seed), has_time)
    difference = ""
    try:
        store = SnapshotStore(game, whole_game=method == RestoreMethod.WHOLE_GAME)
        start = store.take()
        for sample in range(samples):
            if sample and (difference or not has_time()):
                break
            difference = walks.difference(game, store, start)
    except NotRestorable as problem:
        return SnapshotCheck(RestoreMethod.REPLAY, str(problem), walks.draws)
    outside = difference == OUTSIDE_STATE
    differs = bool(difference) and not outside
    if not difference and not walks.compared and not has_time():
        difference = "there was no time to check it"
    return SnapshotCheck(
        RestoreMethod.REPLAY if difference else method, difference, walks.draws, differs, outside
    )


class _Walks:
    def __init__(self, player: LevelPlayer, generator: random.Random, has_time: Callable[[], bool]) -> None:
        self.draws = False
        self.compared = 0
        self._left_level = False
        self._has_time = has_time
        self._player = player
        self._random = generator

    def difference(self, game: Game, store: SnapshotStore, start: Snapshot) -> str:
        """Makes one walk; returns what differed after restoring, "" if nothing did."""
        restore(game, start, left_level=self._left_level)
        self._left_level = False
        path = self._walk(game, self._random.randrange(LONGEST_WALK + 1))
        identity = identify(game)
        try:
            snapshot = store.take()
        except NotRestorable:
            return ""  # such a state is reached by replaying, from the last one that can be restored
        onwards, first = self._continue(game)
        end = identify(game).digest
        restore(game, snapshot, left_level=self._left_level)
        if identify(game).digest != identity.digest:
            return "a restored snapshot is another state"
        if follow(self._player, game, onwards) != first:
            return OUTSIDE_STATE
        ends = {end, identify(game).digest}
        replayed, digests = self._replay(path, onwards)
        if replayed != first:
            return OUTSIDE_STATE
        if (digests[0] != identity.digest or ends != {digests[1]}) and self._repeats(path, onwards, digests):
            return "a restored snapshot differs from a replayed game"
        self.compared += bool(onwards)
        return ""

    def _replay(self, path: list[Action], onwards: list[Action]) -> tuple[list[Observation], list[bytes]]:
        """Plays a new game: what it shows after `path`, and its digests before and after that."""
        game = self._player.start()
        follow(self._player, game, path)
        before = identify(game).digest
        observed = follow(self._player, game, onwards)
        return observed, [before, identify(game).digest]

    def _repeats(self, path: list[Action], onwards: list[Action], digests: list[bytes]) -> bool:
        """Whether new games have equal digests: not if the environment stores addresses of gone objects."""
        return self._replay(path, onwards)[1] == digests

    def _walk(self, game: Game, length: int) -> list[Action]:
        """Performs random actions until the level ends or the environment fails."""
        path: list[Action] = []
        level = game.turn.level
        for _ in range(length):
            actions = self._player.possible(game)
            if not actions or game.turn.level != level or not self._has_time():
                break
            action = self._random.choice(actions)
            path.append(action)
            try:
                self._player.act(game, action)
            except EngineError:
                self._left_level = True
                break
            self._left_level = self._left_level or game.turn.level_completed
            self.draws = self.draws or game.drew_random_numbers()
        return path

    def _continue(self, game: Game) -> tuple[list[Action], list[Observation]]:
        actions: list[Action] = []
        observed: list[Observation] = []
        for _ in range(LONGEST_CONTINUATION):
            possible = self._player.possible(game)
            if not possible or not self._has_time():
                break
            actions.append(self._random.choice(possible))
            observed.extend(follow(self._player, game, actions[-1:]))
            if isinstance(observed[-1], str):
                self._left_level = True
                break
            self._left_level = self._left_level or game.turn.level_completed
        return actions, observed


def follow(player: LevelPlayer, game: Game, path: Sequence[Action]) -> list[Observation]:
    """Performs the actions until one fails; returns the observation after each."""
    observed: list[Observation] = []
    for action in path:
        try:
            player.act(game, action)
            observed.append((game.turn.state_hash, tuple(player.actions(game))))
        except EngineError as error:
            return [*observed, error.code]
    return observed
