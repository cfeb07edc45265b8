"""Episodes: games played from their start, repeated and shortened to show a finding."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import EngineError
from engine.play.actions import RESET, Action
from engine.play.game import Game
from engine.play.turns import Turn
from engine.prove.player import Player
from engine.prove.qualification.findings import Finding, SlowAction, Trajectory, is_slow, slow_finding
from engine.prove.qualification.flashes import LONGEST_TURN_SECONDS, MOST_FLASHES, flashes_a_second
from engine.prove.qualification.plan import ANIMATIONS

JUDGED = 20
"""So many flashing turns of a level are counted; judging more would show nothing new."""
BY_CHANCE = "won_by_chance"
"""The codes of wins by random play end with this."""


class Episode:
    """One game from its start, with its actions and state hashes.

    `level_begun` is the number of actions before the present level last began. `as_arcengine`: the game
    follows arcengine's rules (`Game.start`).
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
        """Performs one action. It is recorded first, so a failing action is the last of the trajectory."""
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
        if len(turn.frames) > 2 * MOST_FLASHES:
            self._note_animation(level, turn)
        return turn

    def _note_animation(self, level: int, turn: Turn) -> None:
        pace = self._player.source.default_fps
        seconds, flashes = len(turn.frames) / pace, 0.0
        known = self._player.seen.get(("flashes", level))
        if known is None or known.count < JUDGED:
            flashes = flashes_a_second(turn.frames, pace)
        if flashes > MOST_FLASHES:
            said = f"On level {level} the whole screen flashes {flashes:g} times in a second."
            self._note_seen("flashes", level, said)
        if seconds > LONGEST_TURN_SECONDS:
            said = f"On level {level} the animation of an action takes {seconds:.1f} s."
            self._note_seen("long_turn", level, said)

    def _note_seen(self, code: str, level: int, message: str) -> None:
        known = self._player.seen.get((code, level))
        self._player.seen[code, level] = (
            replace(known, count=known.count + 1)
            if known
            else Finding(ANIMATIONS, code, message, level, note=True, recording=self.trajectory().as_json())
        )

    def _note_slow(self, level: int, seconds: float) -> None:
        known = self._player.slow.get(level)
        if known is None or seconds > known.seconds:
            count = 1 if known is None else 1 + known.count
            known = SlowAction(level, seconds, self.trajectory(), self.level_begun, count)
        else:
            known = replace(known, count=known.count + 1)
        self._player.slow[level] = known

    def trajectory(self, most: int | None = None) -> Trajectory:
        """The whole episode, or its first `most` actions."""
        actions = tuple(self.actions[:most])
        hashes = tuple(self.hashes[: len(actions) + 1])
        return Trajectory(self.seed, self.level, actions, hashes, self.as_arcengine)


def reset_leaves_traces(player: Player, episode: Episode) -> bool:
    """Whether the actions since the last reset lead to other states from the level's start.

    False if the environment draws at random, which another seed shows, or the level is completed.
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


def shortest_trajectory(player: Player, episode: Episode, code: str, level: int) -> Trajectory:
    """The actions since the level began, if they show the finding from its start; else all actions."""
    if not episode.level_begun or code in ("inconsistent_state", "reset_leaves_traces"):
        return episode.trajectory()
    actions = episode.actions[episode.level_begun :]
    short = Episode(player, episode.seed, level)
    try:
        completed = repeat(short, actions)
    except EngineError as error:
        return (
            short.trajectory()
            if error.code == code and len(short.actions) == len(actions)
            else episode.trajectory()
        )
    wins = code.endswith(BY_CHANCE)
    return (
        short.trajectory()
        if wins and completed and len(short.actions) == len(actions)
        else episode.trajectory()
    )


def slow_findings(player: Player, deadline: float) -> list[Finding]:
    """Findings of the slowest actions; live play allows `deadline` seconds for an action."""
    found = list(player.slow.values())
    return [slow_finding(slow, _slow_trajectory(player, slow), deadline) for slow in found]


def _slow_trajectory(player: Player, slow: SlowAction) -> Trajectory:
    """The actions since the level began, if the last is slow from its start too; else all actions."""
    if not slow.level_begun:
        return slow.trajectory
    short = Episode(player, slow.trajectory.seed, slow.level)
    try:
        repeat(short, list(slow.since_begun))
    except EngineError:
        return slow.trajectory
    return short.trajectory() if is_slow(player.seconds) else slow.trajectory


def repeat(episode: Episode, actions: list[Action]) -> bool:
    """Plays all actions in a new game; returns whether the last completed a level."""
    turn = episode.open()
    for action in actions:
        turn = episode.act(action)
    return turn.level_completed
