"""Counts of agents' plays are those of arc-agi's scorecards, and say against which baseline."""

from random import Random
from typing import Any

import pytest
from arc_agi.scorecard import Card, Scorecard
from arcengine import ActionInput, FrameDataRaw, GameAction, GameState

from playtest.arena.runs.sums import LevelCount, PlayCounts, play_counts
from playtest.arena.scores.baselines import NO_BASELINE, Source, baseline_of, baselines_of
from playtest.insight.services.releases import release
from playtest.people.roles import Role
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version
from tests import make
from tests.arena.scores import agents
from tests.arena.scores.agents import version
from tests.live.games import WALK
from tests.rules.levels import journal
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def official(written: str) -> Card:
    """What arc_agi's scorecard keeps of these actions in one play."""
    card = Scorecard(card_id="card")
    for entry in journal(written):
        data = FrameDataRaw(
            game_id="wk01",
            state=GameState[entry.state],
            levels_completed=entry.levels_completed,
            action_input=ActionInput(id=GameAction.from_id(entry.action)),
        )
        card.update_scorecard("guid", data, full_reset=entry.seq == 0)
    return card.get_card("wk01")


def random_text(chance: Random) -> str:
    levels = chance.randint(0, 5)
    texts = ["".join(chance.choices("ab.R!", k=chance.randint(0, 6))) for _ in range(levels + 1)]
    return "+".join(texts) + chance.choice(["", "W"])


def test_random_plays_count_as_on_the_official_scorecard() -> None:
    chance = Random(20_261_122)
    texts = [random_text(chance) for _ in range(25)]
    attempts = [agents.attempt(text).pk for text in texts]
    found = play_counts(attempts)
    for text, attempt in zip(texts, attempts, strict=True):
        theirs, ours = official(text), found[attempt]
        assert ours.actions == theirs.actions[0], text
        assert ours.resets == theirs.resets[0], text
        assert ours.levels_completed == theirs.levels_completed[0], text
        assert ours.state == theirs.states[0].name, text
        assert list(ours.actions_by_level) == theirs.actions_by_level[0], text


def test_a_play_that_only_began_counts_nothing() -> None:
    attempt = agents.attempt("")
    assert play_counts([attempt.pk]) == {attempt.pk: PlayCounts()}
    assert play_counts([]) == {}


@pytest.mark.services
def test_levels_have_their_actions_with_resets() -> None:
    attempt = agents.attempt("bR+ .!Rb")
    counts = play_counts([attempt.pk])[attempt.pk]
    assert counts.levels == (LevelCount(1, 3, 1, True), LevelCount(2, 4, 1, False))
    assert counts.level(1).actions == 3
    assert counts.level(3) == LevelCount(3, 0, 0, False)


def test_undo_is_left_out_where_it_is_not_counted() -> None:
    attempt = agents.attempt("buR+ bu")
    assert play_counts([attempt.pk])[attempt.pk].actions_by_level == ((1, 4),)
    without = play_counts([attempt.pk], undo_counts=False)[attempt.pk]
    assert without.actions_by_level == ((1, 3),)
    assert (without.actions, without.level(2).actions) == (4, 1)


def test_many_plays_take_two_queries(django_assert_num_queries: Any) -> None:
    attempts = [agents.attempt("b+").pk for _ in range(20)]
    with django_assert_num_queries(2):
        play_counts(attempts)


def solve(study: Study, wasted: int) -> None:
    make.play(make.session(study), [*[2] * wasted, *WALK], Outcome.COMPLETED)


def released(of: Version) -> None:
    release(of, staff(Role.LEAD), "A first look.", provisional=True)


@pytest.mark.services
def test_the_newest_release_is_the_baseline() -> None:
    study = make.study()
    solve(study, 0)
    released(of := version())
    first = baseline_of(of)
    assert (first.source, first.release, first.provisional) == (Source.RELEASE, 1, True)
    assert first.name == "release 1 (provisional)"
    assert len(first.actions) == of.levels
    assert first.second_best == (None,) * of.levels
    solve(study, 5)
    solve(study, 9)
    assert baseline_of(of) == first
    released(of)
    second = baseline_of(of)
    assert second.release == 2
    assert second.actions[0] == first.actions[0] + 5
    assert second.second_best == (first.actions[0] + 5, *first.actions[1:])


@pytest.mark.parametrize("given", [None, [], [3], "3", [3, 0], [3, -1], [3, 2.5], [True, 4], {"1": 3}])
def test_metadata_without_a_number_for_every_level_is_no_baseline(given: Any) -> None:
    of = version()
    of.levels, of.metadata = 2, {"baseline_actions": given}
    assert baseline_of(of) is NO_BASELINE
    assert (NO_BASELINE.name, NO_BASELINE.of(1)) == ("none", None)


def test_metadata_are_the_baseline_where_nothing_is_released() -> None:
    of = version()
    of.levels, of.metadata = 2, {"baseline_actions": [3, 8]}
    found = baseline_of(of)
    assert (found.source, found.name, found.actions) == (Source.METADATA, "metadata", (3, 8))
    assert [found.of(level) for level in range(4)] == [None, 3, 8, None]


def test_many_versions_take_two_queries(django_assert_num_queries: Any) -> None:
    solve(make.study(), 0)
    released(of := version())
    versions = [of, version("ck01")]
    with django_assert_num_queries(2):
        found = baselines_of(versions)
    assert [found[each.pk].source for each in versions] == [Source.RELEASE, Source.NONE]
