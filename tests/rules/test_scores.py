"""The baseline of a level, and scores of levels, environments and cards beside the official ones."""

import statistics
from dataclasses import dataclass
from random import Random

import pytest
from arc_agi.models import EnvironmentInfo
from arc_agi.scorecard import Card, EnvironmentScorecard, Scorecard
from arcengine import GameState
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.baseline import LevelBaseline, level_baseline, upper_median
from playtest.rules.score import LevelRun, Variant, environment_score, level_score, total_score
from tests.refusals import rule_refused

positive = st.integers(1, 2_000)
completed_levels = st.builds(LevelRun, st.just(True), positive, positive)
other_levels = st.builds(LevelRun, st.just(False), st.integers(0, 2_000), positive)
level_runs = st.one_of(completed_levels, other_levels)
runs = st.lists(level_runs, min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("actions", "toolkit", "report"),
    [(100, 1, 1), (20, 25, 25), (10, 100, 100), (9, 115, 10_000 / 81), (2, 115, 132.25)],
)
def test_a_level_scores_its_squared_efficiency_up_to_the_cap(
    actions: int, toolkit: float, report: float
) -> None:
    run = LevelRun(completed=True, actions=actions, baseline=10)
    assert level_score(run, Variant.TOOLKIT) == pytest.approx(toolkit)
    assert level_score(run, Variant.REPORT) == pytest.approx(report)


@pytest.mark.parametrize(("completed", "most"), [(0, 0), (1, 100 / 15), (3, 40), (4, 1000 / 15), (5, 100)])
@pytest.mark.parametrize("variant", Variant)
def test_no_efficiency_lifts_an_environment_above_the_weighted_share_of_its_levels(
    completed: int, most: float, variant: Variant
) -> None:
    levels = [LevelRun(completed=level <= completed, actions=1, baseline=50) for level in range(1, 6)]
    assert environment_score(levels, variant) == pytest.approx(most)


@given(runs)
def test_the_report_variant_is_equations_one_and_two(levels: list[LevelRun]) -> None:
    weights = range(1, len(levels) + 1)
    level_scores = [min(1.15, run.baseline / run.actions) ** 2 if run.completed else 0 for run in levels]
    mean = sum(w * s for w, s in zip(weights, level_scores, strict=True)) / sum(weights)
    share = sum(w for w, run in zip(weights, levels, strict=True) if run.completed) / sum(weights)
    assert environment_score(levels, Variant.REPORT) == pytest.approx(100 * min(mean, share))


def test_the_total_is_the_mean_over_environments_and_absent_without_any() -> None:
    assert total_score([100, 0, 20]) == 40
    assert total_score([]) is None


@pytest.mark.parametrize(
    ("run", "code"),
    [
        (LevelRun(True, 10, 0), "baseline_not_positive"),
        (LevelRun(False, 0, 0), "baseline_not_positive"),
        (LevelRun(True, 0, 10), "action_count_not_positive"),
    ],
)
def test_a_level_that_cannot_be_scored_is_refused(run: LevelRun, code: str) -> None:
    with rule_refused(code):
        level_score(run)


def test_an_environment_without_levels_is_refused() -> None:
    with rule_refused("no_levels"):
        environment_score([])


counts = st.lists(st.integers(1, 5_000), min_size=1)


def test_a_level_nobody_completed_has_no_baseline() -> None:
    assert level_baseline([]) == LevelBaseline(completers=0, upper_median=None, best=None, actions=())


@given(counts)
def test_the_upper_median_is_the_high_median_of_the_standard_library(actions: list[int]) -> None:
    assert upper_median(actions) == statistics.median_high(actions)


@given(counts)
def test_at_least_half_needed_no_more_than_the_baseline(actions: list[int]) -> None:
    baseline = level_baseline(actions)
    assert baseline.upper_median is not None
    assert baseline.best == min(actions)
    assert baseline.upper_median in actions
    assert sum(count <= baseline.upper_median for count in actions) * 2 > len(actions)
    assert sum(count >= baseline.upper_median for count in actions) * 2 >= len(actions)


def test_the_median_of_no_values_is_refused() -> None:
    with rule_refused("no_values"):
        upper_median([])


def test_a_level_completed_without_an_action_is_refused() -> None:
    with rule_refused("action_count_not_positive"):
        level_baseline([12, 0])


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
