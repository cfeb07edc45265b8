"""Trying out, for one version and level, what bringing states back by snapshots relies on."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.actions import Action
from engine.errors import EngineError
from engine.exploration.cursor import Restore
from engine.game import Game
from engine.player import LevelPlayer
from engine.state.contents import Irreversible
from engine.state.identity import Identifier
from engine.state.snapshots import Snapshot, SnapshotStore

SAMPLES = 5
LONGEST_WALK = 12
LONGEST_CONTINUATION = 10

OTHERWISE = "equal states behave differently: something outside of the environment counts"

type Seen = tuple[bytes, tuple[Action, ...]]
"""How a state looks, and what can be done in it."""


@dataclass(frozen=True, slots=True)
class Proof:
    """How states can be brought back; if not by snapshots, why.

    `draws`: some action drew from the global generators. `differs`: what came back was another state.
    `outside`: it was equal, but went on otherwise.
    """

    restore: Restore
    why: str
    draws: bool
    differs: bool = False
    outside: bool = False


def prove_snapshots(
    player: LevelPlayer, samples: int = SAMPLES, has_time: Callable[[], bool] = lambda: True
) -> Proof:
    """Snapshots of the level's objects if they hold, else of all objects, else none."""
    proof = _prove(player, samples, has_time, Restore.LEVEL)
    if proof.differs and has_time():
        return _prove(player, samples, has_time, Restore.EVERYTHING)
    return proof


def _prove(player: LevelPlayer, samples: int, has_time: Callable[[], bool], restore: Restore) -> Proof:
    """Random walks from the start: at some point a snapshot, on with the walk, back, and on the same way.

    What comes is compared with the first time, and with a new game that walked the whole way by itself. When
    there is no more time walks end where they are, and nothing is proven by less than one of them.
    """
    identifier = Identifier(player.source.text)
    game = player.start()
    walks = _Walks(player, identifier, random.Random(player.seed), has_time)
    why = ""
    try:
        store = SnapshotStore(game, identifier, everything=restore == Restore.EVERYTHING)
        start = store.take()
        for sample in range(samples):
            if sample and (why or not has_time()):
                break
            why = walks.difference(game, store, start)
    except Irreversible as problem:
        return Proof(Restore.PATH, str(problem), walks.draws)
    outside = why == OTHERWISE
    differs = bool(why) and not outside
    if not why and not walks.compared and not has_time():
        why = "there was no time to try it"
    return Proof(Restore.PATH if why else restore, why, walks.draws, differs, outside)


class _Walks:
    def __init__(
        self,
        player: LevelPlayer,
        identifier: Identifier,
        generator: random.Random,
        has_time: Callable[[], bool],
    ) -> None:
        self.draws = False
        self.compared = 0
        self._left_level = False
        self._has_time = has_time
        self._player = player
        self._identifier = identifier
        self._random = generator

    def difference(self, game: Game, store: SnapshotStore, start: Snapshot) -> str:
        """One walk; what came out otherwise, "" when nothing did."""
        store.put_back(start, everything=self._left_level)
        self._left_level = False
        way = self._walk(game, self._random.randrange(LONGEST_WALK + 1))
        identity = self._identifier.identify(game)
        try:
            there = store.take()
        except Irreversible:
            return ""  # such a state is reached by its path, from the last one that can come back
        onwards, first = self._continue(game)
        end = self._identifier.identify(game).digest
        store.put_back(there, everything=self._left_level)
        if self._identifier.identify(game).digest != identity.digest:
            return "a snapshot does not come back as it was"
        if follow(self._player, game, onwards) != first:
            return OTHERWISE
        ends = {end, self._identifier.identify(game).digest}
        played, digests = self._play(way, onwards)
        if played != first:
            return OTHERWISE
        if (digests[0] != identity.digest or ends != {digests[1]}) and self._repeats(way, onwards, digests):
            return "a snapshot differs from a game that was played there"
        self.compared += bool(onwards)
        return ""

    def _play(self, way: list[Action], onwards: list[Action]) -> tuple[list[Seen | str], list[bytes]]:
        """A new game: what it shows on the way on, and its digests before and after that."""
        game = self._player.start()
        follow(self._player, game, way)
        there = self._identifier.identify(game).digest
        seen = follow(self._player, game, onwards)
        return seen, [there, self._identifier.identify(game).digest]

    def _repeats(self, way: list[Action], onwards: list[Action], digests: list[bytes]) -> bool:
        """Whether new games have equal digests: not where one remembers the addresses of what is gone."""
        return self._play(way, onwards)[1] == digests

    def _walk(self, game: Game, length: int) -> list[Action]:
        """Random actions that neither end the level nor fail."""
        way: list[Action] = []
        level = game.turn.level
        for _ in range(length):
            actions = self._player.possible(game)
            if not actions or game.turn.level != level or not self._has_time():
                break
            action = self._random.choice(actions)
            way.append(action)
            try:
                self._player.act(game, action)
            except EngineError:
                self._left_level = True
                break
            self._left_level = self._left_level or game.turn.level_completed
            self.draws = self.draws or game.drew()
        return way

    def _continue(self, game: Game) -> tuple[list[Action], list[Seen | str]]:
        way: list[Action] = []
        seen: list[Seen | str] = []
        for _ in range(LONGEST_CONTINUATION):
            actions = self._player.possible(game)
            if not actions or not self._has_time():
                break
            way.append(self._random.choice(actions))
            seen.extend(follow(self._player, game, way[-1:]))
            if isinstance(seen[-1], str):
                self._left_level = True
                break
            self._left_level = self._left_level or game.turn.level_completed
        return way, seen


def follow(player: LevelPlayer, game: Game, way: Sequence[Action]) -> list[Seen | str]:
    """What is seen after each action; last the code of the error that ended it."""
    seen: list[Seen | str] = []
    for action in way:
        try:
            player.act(game, action)
            seen.append((game.turn.state_hash, tuple(player.actions(game))))
        except EngineError as error:
            return [*seen, error.code]
    return seen
