"""Trying out, for one version and level, what a search of its state graph relies on."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.actions import Action
from engine.contents import Irreversible
from engine.errors import EngineError
from engine.game import Game
from engine.graph import Graph, Player
from engine.identity import Identifier
from engine.snapshot import Album, Snapshot

SAMPLES = 5
LONGEST_WALK = 12
LONGEST_CONTINUATION = 10
TRIED_MERGES = 16
MOST_ROUNDS = 4

OTHERWISE = "equal states behave differently: something outside of the environment counts"

type Seen = tuple[bytes, tuple[Action, ...]]
"""How a state looks, and what can be done in it."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether snapshots come back as the states they were of; if not, why.

    `draws`: some action drew from the global generators. `outside`: what came back was equal, but went on
    otherwise.
    """

    holds: bool
    why: str
    draws: bool
    outside: bool = False


def prove_snapshots(
    player: Player, samples: int = SAMPLES, has_time: Callable[[], bool] = lambda: True
) -> Proof:
    """Random walks from the start: at some point a snapshot, on with the walk, back, and on the same way.

    What comes is compared with the first time, and with a new game that walked the whole way by itself. When
    there is no more time walks end where they are, and nothing is proven by less than one of them.
    """
    identifier = Identifier(player.source.text)
    game = player.start()
    identity = identifier.identify(game)
    if identity.opaque:
        return Proof(False, f"cannot see into {identity.opaque}", False)
    walks = _Walks(player, identifier, random.Random(player.seed), has_time)
    why = ""
    try:
        album = Album(game, identity.things)
        start = album.take(identity.things)
        for sample in range(samples):
            if sample and (why or not has_time()):
                break
            why = walks.difference(game, album, start)
    except Irreversible as problem:
        return Proof(False, str(problem), walks.draws)
    if not why and not walks.compared and not has_time():
        why = "there was no time to try it"
    return Proof(not why, why, walks.draws, why == OTHERWISE)


class _Walks:
    def __init__(
        self,
        player: Player,
        identifier: Identifier,
        generator: random.Random,
        has_time: Callable[[], bool],
    ) -> None:
        self.draws = False
        self.compared = 0
        self._has_time = has_time
        self._player = player
        self._identifier = identifier
        self._random = generator

    def difference(self, game: Game, album: Album, start: Snapshot) -> str:
        """One walk; what came out otherwise, "" when nothing did."""
        album.put_back(start)
        way = self._walk(game, self._random.randrange(LONGEST_WALK + 1))
        identity = self._identifier.identify(game)
        try:
            there = album.take(identity.things)
        except Irreversible:
            return ""  # such a state is reached by its path, from the last one that can come back
        onwards, first = self._continue(game)
        end = self._identifier.identify(game).digest
        album.put_back(there)
        if self._identifier.identify(game).digest != identity.digest:
            return "a snapshot does not come back as it was"
        if follow(self._player, game, onwards) != first or self._identifier.identify(game).digest != end:
            return OTHERWISE
        fresh = self._player.start()
        follow(self._player, fresh, way)
        if self._identifier.identify(fresh).digest != identity.digest:
            return "a snapshot differs from a game that was played there"
        if follow(self._player, fresh, onwards) != first:
            return OTHERWISE
        self.compared += bool(onwards)
        return ""

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
                break
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
                break
        return way, seen


def follow(player: Player, game: Game, way: Sequence[Action]) -> list[Seen | str]:
    """What is seen after each action; last the code of the error that ended it."""
    seen: list[Seen | str] = []
    for action in way:
        try:
            player.act(game, action)
            seen.append((game.turn.state_hash, tuple(player.actions(game))))
        except EngineError as error:
            return [*seen, error.code]
    return seen


def false_merge(
    player: Player,
    graph: Graph,
    sampled: Sequence[tuple[int, int, Action]],
    has_time: Callable[[], bool] = lambda: True,
) -> str:
    """Goes on alike from both ways into states that were merged; what differed, "" when nothing did.

    At least one merge is tried, others while there is time; few of them again and again. A merge that closes
    a loop is also tried after going round it more often, because something out of sight may count.
    """
    identifier = Identifier(player.source.text)
    generator = random.Random(player.seed)
    nearest = sorted(sampled, key=lambda merge: graph.nodes[merge[1]].depth)
    for trial in range(TRIED_MERGES if nearest else 0):
        if graph.merges_compared and not has_time():
            break
        graph.merges_compared += 1
        again, place = divmod(trial, len(nearest))
        target, source, action = nearest[place]
        way = [*graph.path(source), action]
        one = player.at(graph.path(target))
        try:
            other = player.at(_way_into(graph, target, way, (trial + again) % MOST_ROUNDS))
        except EngineError:
            return OTHERWISE
        for length in range(LONGEST_CONTINUATION):
            actions = player.possible(one)
            if not actions or (length and not has_time()):
                break
            moves = [generator.choice(actions)]
            seen = follow(player, one, moves)
            if follow(player, other, moves) != seen:
                return OTHERWISE
            if isinstance(seen[-1], str):
                break
        else:
            if identifier.identify(one).digest != identifier.identify(other).digest:
                return OTHERWISE
    return ""


def _way_into(graph: Graph, target: int, way: list[Action], rounds: int) -> list[Action]:
    """A way that leads into a node, and if it has passed it before as many more times round."""
    first = graph.path(target)
    return [*way, *(rounds * way[len(first) :] if way[: len(first)] == first else [])]
