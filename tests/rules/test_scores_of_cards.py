"""Scorecards have the same scores as arc_agi's, for 1,000 random cards."""

from dataclasses import dataclass
from random import Random

import pytest
from arc_agi.models import EnvironmentInfo
from arc_agi.scorecard import Card, EnvironmentScorecard, Scorecard
from arcengine import GameState

from playtest.rules.score import LevelRun, environment_score, level_score, total_score


@dataclass(frozen=True)
class Play:
    """A run of one environment: actions on each level it reached, and whether it went on from the last."""

    baselines: list[int]
    actions: list[int]
    completed: int

    def level_runs(self) -> list[LevelRun]:
        """All levels of the environment; those not reached have no actions."""
        padded = self.actions + [0] * (len(self.baselines) - len(self.actions))
        return [
            LevelRun(completed=level < self.completed, actions=actions, baseline=baseline)
            for level, (actions, baseline) in enumerate(zip(padded, self.baselines, strict=True))
        ]

    def card(self, name: str) -> Card:
        """As arc_agi keeps it: after each level completed, the actions so far."""
        return Card(
            game_id=name,
            total_plays=1,
            guids=[f"guid-{name}"],
            levels_completed=[self.completed],
            states=[GameState.WIN if self.completed == len(self.baselines) else GameState.NOT_FINISHED],
            actions=[sum(self.actions)],
            resets=[0],
            actions_by_level=[[(level, sum(self.actions[:level])) for level in range(1, self.completed + 1)]],
        )


def random_play(chance: Random) -> Play:
    """From one level to twelve, with every efficiency from hopeless to far beyond the cap."""
    levels = chance.randint(1, 12)
    completed = chance.choice([0, levels, chance.randint(0, levels)])
    reached = min(completed + 1, levels)
    baselines = [chance.randint(1, 300) for _ in range(levels)]
    actions = [max(1, round(baselines[level] * 2 ** chance.uniform(-3, 3))) for level in range(reached)]
    if completed < levels and chance.random() < 0.2:
        actions[-1] = 0
    return Play(baselines, actions, completed)


def official(plays: dict[str, Play]) -> EnvironmentScorecard:
    card = Scorecard(card_id="card", cards={name: play.card(name) for name, play in plays.items()})
    infos = [EnvironmentInfo(game_id=name, baseline_actions=play.baselines) for name, play in plays.items()]
    return EnvironmentScorecard.from_scorecard(card, infos)


def test_a_thousand_random_cards_score_as_the_official_package_scores_them() -> None:
    chance = Random(20_260_105)
    for number in range(1_000):
        plays = {f"g{number:03}-{index}": random_play(chance) for index in range(chance.randint(1, 4))}
        theirs = official(plays)
        ours = {name: play.level_runs() for name, play in plays.items()}
        for found in theirs.environments:
            [run] = found.runs
            assert run.level_scores == pytest.approx([level_score(level) for level in ours[found.id]])
            assert run.level_actions == [level.actions for level in ours[found.id]]
            assert run.score == pytest.approx(environment_score(ours[found.id]))
        assert theirs.score == pytest.approx(total_score(map(environment_score, ours.values())))
