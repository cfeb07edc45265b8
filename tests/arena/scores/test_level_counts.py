"""Counts of agents' plays are those that arc_agi's scorecards have for the same actions."""

from random import Random
from typing import Any

import pytest
from arc_agi.scorecard import Card, Scorecard
from arcengine import ActionInput, FrameDataRaw, GameAction, GameState

from playtest.arena.runs.sums import LevelCount, PlayCounts, play_counts
from tests.arena.scores import agents
from tests.rules.levels import journal

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
    texts = [random_text(chance) for _ in range(60)]
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


@pytest.mark.services
def test_many_plays_take_two_queries(django_assert_num_queries: Any) -> None:
    attempts = [agents.attempt("b+").pk for _ in range(20)]
    with django_assert_num_queries(2):
        play_counts(attempts)
