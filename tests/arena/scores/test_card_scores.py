"""Scores of scorecards are the official ones, in every variant, and name what they are scored against."""

import json
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from arc_agi.models import EnvironmentInfo
from arc_agi.scorecard import Card, EnvironmentScorecard, Scorecard
from arcengine import GameState
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.play.actions import UNDO
from playtest.arena.runs.sums import play_counts
from playtest.arena.scores.baselines import Source, baseline_of, simulated_references
from playtest.arena.scores.card_scores import card_score, card_scores
from playtest.arena.scores.comparisons import difference_to_people, people_scores
from playtest.arena.scores.official_card import environment_scorecard, environments_of
from playtest.insight.services.releases import release
from playtest.people import release as product
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.rules.attempt import Outcome
from playtest.rules.score import Reading, Variant
from playtest.studio.models import Environment, ReleaseSet, Version
from tests import make
from tests.arena.scores import agents
from tests.insight.up_to_date import up_to_date
from tests.live.games import WALK
from tests.review.tampering import unprotect
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TOOLKIT = Reading(budget=False)


def with_baseline(code: str, *actions: int) -> Version:
    """A version whose metadata give this baseline."""
    found = agents.version(code)
    found.metadata = {**found.metadata, "baseline_actions": list(actions)}
    found.levels = len(actions)
    unprotect()
    found.save()
    return found


def member(code: str, release_set: str = ReleaseSet.PUBLIC) -> Version:
    found = with_baseline(code, 4, 6)
    Environment.objects.filter(code=code).update(release_set=release_set)
    return found


def official(plays: dict[str, list[str]], baselines: dict[str, list[int]]) -> EnvironmentScorecard:
    """What arc_agi makes of cards with the same counts."""
    cards = {}
    for code, texts in plays.items():
        attempts = [agents.attempt(text, code).pk for text in texts]
        counts = [play_counts(attempts)[attempt] for attempt in attempts]
        cards[code] = Card(
            game_id=code,
            total_plays=len(texts),
            guids=[f"{code}-{number}" for number in range(len(texts))],
            levels_completed=[each.levels_completed for each in counts],
            states=[GameState[each.state] for each in counts],
            actions=[each.actions for each in counts],
            resets=[each.resets for each in counts],
            actions_by_level=[list(each.actions_by_level) for each in counts],
        )
    infos = [EnvironmentInfo(game_id=code, baseline_actions=given) for code, given in baselines.items()]
    return EnvironmentScorecard.from_scorecard(Scorecard(card_id="card", cards=cards), infos)


def random_play(chance: Random, levels: int) -> str:
    completed = chance.randint(0, levels)
    parts = ["".join(chance.choices("ab.R", k=chance.randint(0, 9))) for _ in range(completed + 1)]
    if completed < levels:
        return "+".join(parts)
    return "+".join(parts[:-1]) + "W"


def test_random_cards_of_several_plays_score_as_on_the_official_server() -> None:
    chance = Random(20_261_123)
    baselines = {"wk01": [4, 9, 2], "ck01": [7, 3]}
    for code, given in baselines.items():
        with_baseline(code, *given)
    for _ in range(8):
        plays = {
            code: [random_play(chance, len(given)) for _ in range(chance.randint(1, 4))]
            for code, given in baselines.items()
        }
        card = agents.card()
        for code, texts in plays.items():
            agents.run(card, texts, code)
        theirs, ours = official(plays, baselines), card_score(card, TOOLKIT)
        assert ours.total == pytest.approx(theirs.score), plays
        for found in theirs.environments:
            [own] = [one for one in ours.environments if one.code == found.id]
            assert own.score == pytest.approx(found.score)
            assert [play.score for play in own.plays] == pytest.approx([run.score for run in found.runs])
            assert own.actions == found.actions


@pytest.mark.parametrize(("release_set", "completed"), [("public", 2), ("semi_private", 2), ("private", 0)])
def test_the_budget_of_a_private_set_cuts_scores_and_shows_in_no_count(
    release_set: str, completed: int
) -> None:
    """The baseline is 4 and 6: 21 actions on the first level are one too many, 20 are not."""
    member("wk01", release_set)
    for actions, levels in ((21, completed), (20, 2)):
        card = agents.closed(agents.card(sets=[release_set]))
        agents.run(card, ["a" * (actions - 1) + "+aaW"])
        told = environment_scorecard(card, environments_of(card), whole=False)
        assert told["total_levels_completed"] == levels
        assert (told["total_environments_completed"], told["total_actions"]) == (levels // 2, actions + 3)
        assert (told["score"] > 0) is bool(levels)
        assert card_score(card).total == pytest.approx(told["score"])


def test_many_baselines_are_told_by_their_sources() -> None:
    with_baseline("wk01", 4, 6)
    card = agents.card()
    for code in ("wk01", "ck01"):
        agents.run(card, ["a"], code)
    assert (card_score(card).sources, card_score(card).baselines) == (
        "none (1), metadata (1)",
        "ck01 none, wk01 metadata",
    )


def test_each_variant_reads_the_same_actions_in_its_way() -> None:
    study = make.study()
    for wasted in (0, 3, 10):
        make.play(make.session(study), [*[2] * wasted, *WALK], Outcome.COMPLETED)
    version = agents.version()
    release(version, staff(Role.LEAD), "A first look.", provisional=True)
    card = agents.card()
    agents.run(card, ["b" * 3 + "+"])
    found = {variant: card_score(card, Reading(variant)) for variant in Variant}
    levels = {variant: score.environments[0].best.levels[0] for variant, score in found.items()}  # type: ignore[union-attr]
    assert {level.actions for level in levels.values()} == {4}
    assert levels[Variant.TOOLKIT].baseline == levels[Variant.SECOND_BEST].baseline
    assert levels[Variant.TOOLKIT].score == 115
    assert levels[Variant.REPORT].score == pytest.approx(132.25)
    assert levels[Variant.SECOND_BEST].score == 100
    assert found[Variant.TOOLKIT].baselines == "wk01 release 1 (provisional)"
    assert found[Variant.REPORT].reading.name == "report, undo counted"


def test_the_second_best_needs_a_release() -> None:
    with_baseline("wk01", 4, 4)
    card = agents.card()
    agents.run(card, ["bbb+"])
    found = card_score(card, Reading(Variant.SECOND_BEST))
    assert found.total == 0
    assert found.without_baseline == {"no release, so the second best person is not known": ["wk01"]}


def test_a_simulated_reference_is_a_reading_of_its_own_and_no_baseline(settings: Any, tmp_path: Path) -> None:
    version = agents.version()
    reference = [{"environment": "wk01", "version": version.digest, "actions": [8] * version.levels}]
    (tmp_path / "simulated_reference.json").write_text(json.dumps(reference))
    settings.DEMONSTRATION_DIR = tmp_path
    simulated_references.cache_clear()
    card = agents.card()
    agents.run(card, ["bbb+" * (version.levels - 1) + "bbbW"])
    agents.run(card, ["bbb+"], "ck01")
    try:
        found = card_score(card, Reading(Variant.SIMULATED_REFERENCE))
    finally:
        simulated_references.cache_clear()
    assert found.baselines == "ck01 none, wk01 simulated reference"
    assert found.without_baseline == {"no simulated reference": ["ck01"]}
    assert found.reading.name == "simulated reference, undo counted"
    assert found.total == 50
    assert baseline_of(version).source == Source.METADATA
    assert card_score(card).baselines == "ck01 none, wk01 metadata"


def test_without_a_baseline_an_environment_counts_as_nothing_and_is_named() -> None:
    version = agents.version()
    version.metadata = {}
    version.save()
    card = agents.card()
    agents.run(card, ["bbb+"])
    found = card_score(card)
    assert (found.total, found.environments[0].problem) == (0, "no baseline")
    assert found.environments[0].best is not None
    assert found.environments[0].best.levels[0].score is None


def test_beyond_the_budget_nothing_scores() -> None:
    with_baseline("wk01", 2, 2, 2)
    card = agents.card(competition=True)
    agents.run(card, ["b+" + "b" * 10 + "+" + "b+"])
    [environment] = card_score(card).environments
    assert environment.best is not None
    assert [level.ended for level in environment.best.levels] == [False, True, True]
    assert [level.score for level in environment.best.levels] == [100, 0, 0]
    assert environment.score == pytest.approx(100 / 6)
    assert (card_score(card, TOOLKIT).total or 0) > environment.score


def test_undo_can_be_left_out() -> None:
    with_baseline("wk01", 2, 2)
    card = agents.card()
    agents.run(card, ["uuu+ uW"])
    counted, left_out = card_score(card), card_score(card, Reading(undo_counts=False))
    assert counted.total is not None
    assert left_out.total is not None
    assert counted.total < left_out.total == 100


def test_undo_is_left_out_of_runs_and_of_the_people_they_are_compared_with() -> None:
    """Who undoes as people do and needs as many moves has 100 %, whether undo counts or not."""
    study = make.study()
    unprotect()
    for waste in (8, 10, 12):
        played = make.play(make.session(study), [*[2, 2] * waste, *WALK], Outcome.COMPLETED)
        played.entries.filter(seq__in=range(2, 2 * waste + 1, 2)).update(action=UNDO)
    version = agents.version()
    release(version, staff(Role.LEAD), "A first look.", provisional=True)
    card = agents.card()
    agents.run(card, ["bu" * 10 + "bb+" + "bb+" * (version.levels - 2) + "bbW"])
    for counts, baseline, name in (
        (True, 23, "release 1 (provisional)"),
        (False, 13, "release 1 (provisional, undo not counted)"),
    ):
        found = card_score(card, Reading(undo_counts=counts))
        [one] = found.environments
        assert one.baseline.actions == (baseline, *[3] * (version.levels - 1))
        assert one.best is not None
        assert one.best.levels[0].actions == baseline
        assert found.total == pytest.approx(100)
        assert found.baselines == f"wk01 {name}"
        people = people_scores([version], {version.pk: one.baseline}, found.reading)[version.pk]
        assert 100 in [person.score for person in people]


def test_a_competition_card_counts_every_environment_of_its_sets() -> None:
    member("wk01")
    member("ck01")
    member("ez01", ReleaseSet.PRIVATE)
    card = agents.card(competition=True)
    agents.run(card, ["bbb+" + "b" * 5 + "W"], "wk01")
    found = card_score(card)
    assert [(one.code, one.score) for one in found.environments] == [("ck01", 0), ("wk01", 100)]
    assert (found.total, found.played) == (50, 1)
    early = agents.card("an earlier agent", competition=True, opened_at=now() - timedelta(days=1))
    assert card_score(early).environments == ()
    assert card_score(early).total is None
    assert card_score(agents.card("at ease")).environments == ()


def test_many_cards_are_scored_in_a_few_queries(django_assert_max_num_queries: Any) -> None:
    member("wk01")
    cards = [agents.card(f"agent {number}", competition=True) for number in range(8)]
    for card in cards:
        agents.run(card, ["b+"])
    with django_assert_max_num_queries(9):
        found = card_scores(cards)
    assert {score.played for score in found.values()} == {1}


def test_a_reset_right_after_the_toolkit_made_the_environment_hides_nothing() -> None:
    member("wk01")
    card = agents.card()
    agents.run(card, ["", "bb", "bbb"])
    best = card_score(card).environments[0].best
    assert best is not None
    assert (best.play.number, best.counts.actions) == (2, 2)


@pytest.mark.services
def test_plays_of_closed_cards_are_read_once_for_a_baseline(settings: Any, tmp_path: Path) -> None:
    member("wk01")
    opened, closed = (agents.card(name, competition=True) for name in ("open", "closed"))
    for card in (opened, closed):
        agents.run(card, ["bbb+" + "b" * 5 + "W"])
    cards = [opened, agents.closed(closed)]

    def totals() -> tuple[list[float | None], int]:
        with CaptureQueriesContext(connection) as queries:
            found = card_scores(cards)
        read = [one["sql"] for one in queries if 'FROM "arena_play"' in one["sql"]]
        return [one.total for one in found.values()], sum(str(one.pk) in sql for sql in read for one in cards)

    assert [totals(), totals()] == [([100, 100], 2), ([100, 100], 1)]
    with_baseline("wk01", 2, 6)
    changed = [card_score(card).total for card in cards]
    assert [totals(), totals()] == [(changed, 2), (changed, 1)]
    assert changed[0] == changed[1] == 75
    settings.BASE_DIR = tmp_path
    (tmp_path / "VERSION").write_text("9.9.9")
    for known in (product.version, product.release):
        known.cache_clear()
    try:
        assert [totals(), totals()] == [(changed, 2), (changed, 1)], "another version of the product"
    finally:
        for known in (product.version, product.release):
            known.cache_clear()


def test_people_are_scored_against_the_same_baseline() -> None:
    study = make.study()
    for wasted in (31, 40, 60):
        make.play(make.session(study), [*[2] * wasted, *WALK], Outcome.COMPLETED)
    make.play(make.session(study), WALK, Outcome.COMPLETED)  # too few actions to count
    version = agents.version()
    release(version, staff(Role.LEAD), "A first look.", provisional=True)
    card = agents.card()
    agents.run(card, ["b+"])
    up_to_date()
    score = card_score(card)
    people = people_scores([version], {version.pk: score.environments[0].baseline}, score.reading)[version.pk]
    assert len(people) == 3
    values = [person.score or 0 for person in people]
    assert values == sorted(values, reverse=True)
    found = difference_to_people(score)
    assert found is not None
    assert found.people == pytest.approx(sum(values) / 3)
    assert found.mean == pytest.approx((score.total or 0) - sum(values) / 3)
    assert (found.environments, found.interval) == (1, None)
    assert found.p is not None
    assert 0 < found.p <= 1
