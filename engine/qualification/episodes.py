"""Games played from their start, and what can be shown of them afterwards."""

from __future__ import annotations

from dataclasses import replace

from engine.actions import RESET, Action
from engine.errors import EngineError
from engine.game import Game
from engine.player import Player
from engine.qualification.plan import Finding, Tape
from engine.qualification.speed import Slow, finding, is_slow
from engine.turns import Turn

COSTLY = frozenset({"deadline_exceeded", "memory_exceeded"})
"""Faults that keep everyone waiting for seconds: after a few of them, others would show no more."""
BY_CHANCE = "won_by_chance"
"""How the codes of wins by random play end."""


class Episode:
    """One game from its start: what was done and what came of it; after how many its level was begun last.

    `as_arcengine`: it is played as arcengine plays, not as people do (`Game.start`).
    """

    def __init__(self, player: Player, seed: int, level: int, *, as_arcengine: bool = False) -> None:
        self.as_arcengine = as_arcengine
        self.seed = seed
        self.level = level
        self.actions: list[Action] = []
        self.hashes: list[bytes] = []
        self.level_begun = 0
        self._player = player
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        """The game, once `open` has started it."""
        assert self._game is not None
        return self._game

    def open(self) -> Turn:
        """Starts the game."""
        self._game = self._player.start(self.seed, self.level, as_arcengine=self.as_arcengine)
        self.hashes.append(self._game.turn.state_hash)
        return self._game.turn

    def act(self, action: Action) -> Turn:
        """One action, kept before it is done: what fails is the tape's last."""
        if self.game.turn.level_completed:
            self.level_begun = len(self.actions)
        self.actions.append(action)
        if action.id == RESET:
            self.level_begun = len(self.actions)
        level = self.game.turn.level
        turn = self._player.act(self.game, action)
        self.hashes.append(turn.state_hash)
        if is_slow(self._player.seconds):
            self._note_slow(level, self._player.seconds)
        return turn

    def _note_slow(self, level: int, seconds: float) -> None:
        known = self._player.slow.get(level)
        if known is None or seconds > known.seconds:
            count = 1 if known is None else 1 + known.count
            known = Slow(level, seconds, self.tape(), self.level_begun, count)
        else:
            known = replace(known, count=known.count + 1)
        self._player.slow[level] = known

    def tape(self) -> Tape:
        """All of it."""
        return Tape(self.seed, self.level, tuple(self.actions), tuple(self.hashes), self.as_arcengine)


def reset_leaves_traces(player: Player, episode: Episode) -> bool:
    """Whether what was played since the last reset comes out otherwise from the level's start.

    Not told of an environment that draws by chance, which another seed shows, nor of a completed level.
    """
    begun = episode.level_begun
    if not begun or episode.actions[begun - 1].id != RESET or episode.game.turn.level_completed:
        return False
    actions, hashes = episode.actions[begun:], episode.hashes[begun:]
    fresh, other = (
        Episode(player, seed, episode.game.turn.level) for seed in (episode.seed, episode.seed ^ 1)
    )
    try:
        repeat(fresh, actions)
        if fresh.hashes == hashes:
            return False
        repeat(other, actions)
    except EngineError:
        return False
    return fresh.hashes == other.hashes


def shortest_tape(player: Player, episode: Episode, code: str, level: int) -> Tape:
    """What follows the last reset, from the level's start, if that shows the same; else the whole episode."""
    if not episode.level_begun or code in ("inconsistent_state", "reset_leaves_traces"):
        return episode.tape()
    actions = episode.actions[episode.level_begun :]
    short = Episode(player, episode.seed, level)
    try:
        completed = repeat(short, actions)
    except EngineError as error:
        return short.tape() if error.code == code and len(short.actions) == len(actions) else episode.tape()
    wins = code.endswith(BY_CHANCE)
    return short.tape() if wins and completed and len(short.actions) == len(actions) else episode.tape()


def slow_findings(player: Player, deadline: float) -> list[Finding]:
    """What there is to say of actions that took long; live play waits for `deadline` seconds."""
    found = list(player.slow.values())
    return [finding(slow, _slow_tape(player, slow), deadline) for slow in found]


def _slow_tape(player: Player, slow: Slow) -> Tape:
    """From the level's start if its last action is slow there too; else the whole episode."""
    if not slow.level_begun:
        return slow.tape
    short = Episode(player, slow.tape.seed, slow.level)
    try:
        repeat(short, list(slow.since_begun))
    except EngineError:
        return slow.tape
    return short.tape() if is_slow(player.seconds) else slow.tape


def repeat(episode: Episode, actions: list[Action]) -> bool:
    """Plays them all; whether the last completed a level."""
    turn = episode.open()
    for action in actions:
        turn = episode.act(action)
    return turn.level_completed
