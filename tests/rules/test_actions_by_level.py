"""How the actions of an attempt fall to its levels.

Attempts are drawn one character an action: `.` a move, `R` a reset, `+` the move that completes the level.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.attempt import RESET, LevelActions, LevelEntry, level_actions
from playtest.rules.errors import RuleError

OPENING = LevelEntry(seq=0, action_id=RESET, level=1, level_completed=False)


def played(actions: str) -> list[LevelEntry]:
    entries, level = [OPENING], 1
    for seq, action in enumerate(actions, start=1):
        entries.append(LevelEntry(seq, RESET if action == "R" else 1, level, action == "+"))
        level += action == "+"
    return entries


def test_actions_are_counted_from_entering_a_level_to_completing_it() -> None:
    assert level_actions(played("...+.....+..")) == (
        LevelActions(level=1, actions=4, actions_since_reset=4, resets=0, completed=True),
        LevelActions(level=2, actions=6, actions_since_reset=6, resets=0, completed=True),
        LevelActions(level=3, actions=2, actions_since_reset=2, resets=0, completed=False),
    )


def test_resets_count_one_action_each_and_start_the_second_count_anew() -> None:
    assert level_actions(played(".....R..R.+")) == (
        LevelActions(level=1, actions=11, actions_since_reset=2, resets=2, completed=True),
    )


def test_a_reset_as_the_first_action_of_a_level_belongs_to_that_level() -> None:
    assert level_actions(played("+R+")) == (
        LevelActions(level=1, actions=1, actions_since_reset=1, resets=0, completed=True),
        LevelActions(level=2, actions=2, actions_since_reset=1, resets=1, completed=True),
    )


def test_the_opening_frame_is_no_action() -> None:
    assert level_actions([OPENING]) == ()
    assert level_actions([]) == ()


@given(st.text(".R+"))
def test_every_action_falls_to_exactly_one_level(actions: str) -> None:
    levels = level_actions(played(actions))
    assert sum(level.actions for level in levels) == len(actions)
    assert sum(level.resets for level in levels) == actions.count("R")
    assert [level.completed for level in levels].count(True) == actions.count("+")
    assert [level.level for level in levels] == list(range(1, len(levels) + 1))
    assert all(level.completed for level in levels[:-1])


@given(st.text(".R"))
def test_the_second_count_is_what_follows_the_last_reset(actions: str) -> None:
    (level,) = level_actions(played(actions + "+"))
    assert level.actions_since_reset == len((actions + "+").rpartition("R")[2])


@pytest.mark.parametrize(
    "entries",
    [
        [LevelEntry(1, 1, 1, True), LevelEntry(2, 1, 1, False)],
        [LevelEntry(1, 1, 2, True), LevelEntry(2, 1, 1, False)],
        [LevelEntry(1, 1, 1, False), LevelEntry(2, 1, 2, False)],
    ],
    ids=["a completed level is played on", "an earlier level is played again", "an open level is left"],
)
def test_a_course_nobody_can_play_is_refused(entries: list[LevelEntry]) -> None:
    with pytest.raises(RuleError) as refused:
        level_actions(entries)
    assert refused.value.code == "levels_out_of_order"


@pytest.mark.parametrize("second", [1, 2])
def test_entries_out_of_order_are_refused(second: int) -> None:
    with pytest.raises(RuleError) as refused:
        level_actions([LevelEntry(2, 1, 1, False), LevelEntry(second, 1, 1, False)])
    assert refused.value.code == "entries_out_of_order"
