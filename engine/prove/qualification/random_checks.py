"""The checks by random play: from the start, beyond the first level, and the fuzz.

The first two ask what is won by accident, so their player knows nothing. That of the fuzz also clicks places
that the environment declares, because it looks for faults.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from random import Random

from engine.errors import EngineError
from engine.play.actions import RESET, Action
from engine.play.game import Game
from engine.play.turns import NOT_FINISHED, WIN, Turn
from engine.prove.player import Player, RandomPolicy
from engine.prove.qualification import plan
from engine.prove.qualification.episodes import (
    BY_CHANCE,
    Episode,
    repeat,
    reset_leaves_traces,
    shortest_trajectory,
)
from engine.prove.qualification.findings import COSTLY, Finding

EPISODE_STEPS = 1_000
SAMPLED_ACTIONS = 100
REPLAYED_EPISODES = 5
"""One episode in so many is played again, beginning with another level in each part."""
RESET_CHANCE = 1 / 256
MOST_FAULTS = 20
MOST_COSTLY = 2

_RESET = Action(RESET)


@dataclass(frozen=True, slots=True)
class _Regime:
    """A regime: the most steps of an episode, and whether it also resets and replays episodes."""

    check: str
    episode_steps: int
    fuzzes: bool


_FROM_THE_START = _Regime(plan.FROM_THE_START, plan.LARGEST_SEED, fuzzes=False)
_BEYOND = _Regime(plan.BEYOND_THE_FIRST, EPISODE_STEPS, fuzzes=False)
_FUZZ = _Regime(plan.FUZZ, EPISODE_STEPS, fuzzes=True)


def play_part(player: Player, part: plan.Part, progress: plan.Progress) -> list[Finding]:
    """Plays one part of a random regime. Every fault of the environment becomes a finding."""
    try:
        levels = player.start(part.seed, 1).turn.levels
    except EngineError as error:
        return [Finding(part.regime, error.code, error.message)]
    regime, begin_on = {
        plan.FROM_THE_START: (_FROM_THE_START, [1]),
        plan.BEYOND_THE_FIRST: (_BEYOND, list(range(2, levels + 1))),
        plan.FUZZ: (_FUZZ, list(range(1, levels + 1))),
    }[part.regime]
    playing = _PartInProgress(player, regime, part, progress)
    for level, steps in plan.shares(part.steps, begin_on):
        playing.play(level, steps)
    return list(playing.findings.values())


class _PartInProgress:
    """One part in progress; all randomness comes from the part's seed."""

    def __init__(self, player: Player, regime: _Regime, part: plan.Part, progress: plan.Progress) -> None:
        self.findings: dict[tuple[str, int], Finding] = {}
        self._player = player
        self._regime = regime
        self._random = Random(part.seed)
        self._sampling = Random(~part.seed)
        self._progress = progress
        self._done = 0
        self._begun: Counter[int] = Counter()
        self._episodes = part.number
        self._faults = 0
        self._costly = 0

    def play(self, level: int, steps: int) -> None:
        """Plays episodes from the start of a level until `steps` are played or there are too many faults."""
        end = self._done + steps
        while self._done < end and self._faults < MOST_FAULTS and self._costly < MOST_COSTLY:
            self._episodes += 1
            episode = Episode(self._player, self._random.getrandbits(31), level)
            try:
                self._play_episode(episode, min(end, self._done + self._regime.episode_steps))
            except EngineError as error:
                self._fault(episode, error)
                continue
            finally:
                self._sample(episode)
            if self._regime.fuzzes and self._episodes % REPLAYED_EPISODES == 1:
                self._replay(episode)
        self._done = end

    def _play_episode(self, episode: Episode, end: int) -> None:
        policy = RandomPolicy(self._random.getrandbits(31), "both" if self._regime.fuzzes else "uniform")
        turn = episode.open()
        while self._done < end:
            before = turn
            turn = episode.act(self._choose(policy, episode.game))
            self._done += 1
            self._progress(self._done)
            if turn.level_completed:
                self._won(episode, before.level)
            if turn.state == WIN:
                self._check_win(episode, turn)
                return
            if turn.state == NOT_FINISHED and not turn.available_actions:
                self._stuck(episode, turn)
                return

    def _sample(self, episode: Episode) -> None:
        """Keeps the beginning of one episode of each level, any with equal chance."""
        self._begun[episode.level] += 1
        if self._sampling.random() * self._begun[episode.level] < 1:
            self._player.samples[episode.level] = episode.trajectory(SAMPLED_ACTIONS)

    def _choose(self, policy: RandomPolicy, game: Game) -> Action:
        if self._regime.fuzzes and self._random.random() < RESET_CHANCE:
            return _RESET
        return self._player.choose(policy, game)

    def _won(self, episode: Episode, level: int) -> None:
        if self._regime.fuzzes:
            return
        is_first = level == 1
        code = "first_level_won_by_chance" if is_first else "level_won_by_chance"
        message = f"Level {level} was won by random play from the start of level {episode.level}."
        if is_first:
            message = "The first level was won by random play."
        self._add(code, level, message, episode, note=is_first)

    def _check_win(self, episode: Episode, turn: Turn) -> None:
        if turn.levels_completed < turn.levels:
            message = f"It reports a win with {turn.levels_completed} of {turn.levels} levels completed."
            self._add("bad_state", turn.level, message, episode)

    def _stuck(self, episode: Episode, turn: Turn) -> None:
        self._faults += 1
        self._add("no_actions", turn.level, "The level is not over, but no action is available.", episode)

    def _fault(self, episode: Episode, error: EngineError) -> None:
        self._faults += 1
        self._costly += error.code in COSTLY
        self._done += 1
        self._progress(self._done)
        started = bool(episode.hashes)
        level = episode.game.turn.level if started else episode.level
        self._add(error.code, level, f"On level {level}: {error.message}", episode)

    def _replay(self, episode: Episode) -> None:
        """Plays a finished episode again in a new game, and compares every state."""
        again = Episode(self._player, episode.seed, episode.level)
        try:
            repeat(again, episode.actions)
        except EngineError as error:
            if error.code in COSTLY:  # which may happen on a busy machine
                return
            message = f"Played again, the same actions fail: {error.message}"
            self._add("inconsistent_state", episode.level, message, episode)
            return
        if again.hashes != episode.hashes:
            pairs = zip(again.hashes, episode.hashes, strict=True)
            at = next(number for number, (one, two) in enumerate(pairs) if one != two)
            when = f"after action {at}" if at else "at the start"
            message = f"Played again, the same actions lead to another state {when}."
            self._add("inconsistent_state", episode.level, message, episode)
        elif self._hidden_state_differs(again, episode):
            message = "Played again, the same actions lead to equal frames but to another hidden state."
            self._add("inconsistent_state", episode.level, message, episode)
        elif reset_leaves_traces(self._player, episode):
            level = episode.game.turn.level
            message = f"Level {level} behaves differently after a reset than at its start."
            self._add("reset_leaves_traces", level, message, episode, note=True)

    def _hidden_state_differs(self, again: Episode, episode: Episode) -> bool:
        identities = [self._player.identity(one.game) for one in (again, episode)]
        return None not in identities and identities[0] != identities[1]

    def _add(self, code: str, level: int, message: str, episode: Episode, *, note: bool = False) -> None:
        first = self.findings.get((code, level))
        if first is not None:
            self.findings[code, level] = replace(first, count=first.count + 1)
            return
        trajectory = shortest_trajectory(self._player, episode, code, level)
        if code.endswith(BY_CHANCE):
            message += f" The recording shows it in {len(trajectory.actions):,} actions."
        self.findings[code, level] = Finding(
            self._regime.check, code, message, level, note, recording=trajectory.as_json()
        )
