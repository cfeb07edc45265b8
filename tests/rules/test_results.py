"""Level results of a journal; tests/rules/levels.py explains the notation."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.adjustments import Adjustments, Pause
from playtest.rules.results import ACTIVE_GAP_SECONDS, ResultEntry, level_results
from tests.refusals import rule_refused
from tests.rules.levels import BEGAN, journal, journals, results, seconds_between


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", [{"level": 1, "actions": 0, "last_seq": 0, "unique_states": 1, "completed": False}]),
        ("bc+", [
            {"actions": 3, "completed": True, "first_score_change": 3, "first_change": 1, "unique_states": 3},
            {"level": 2, "entered_seq": 3, "last_seq": 3, "actions": 0, "completed": False, "seconds": 0.0},
        ]),
        ("bcR bcd", [{"actions": 6, "resets": 1, "actions_since_reset": 3, "first_score_change": None}]),
        ("bcd R", [{"actions": 4, "resets": 1, "actions_since_reset": 0, "repeated_states": 0}]),
        ("R R +", [{"actions": 3, "resets": 2, "actions_since_reset": 1, "first_change": 3}, {}]),
        ("..b", [{"no_ops": 2, "first_change": 3, "repeated_states": 2, "unique_states": 2}]),
        ("R.b", [{"no_ops": 1, "first_change": 3, "resets": 1}]),
        ("..R", [{"no_ops": 2, "first_change": None, "completed": False}]),
        ("bcbab", [{"repeated_states": 3, "unique_states": 3, "no_ops": 0}]),
        ("bcR bcd", [{"repeated_states": 2, "unique_states": 4}]),
        ("b!R b!R +", [{"game_overs": 2, "actions": 7, "unique_states": 3, "repeated_states": 2}, {}]),
        ("b+ b+", [{"unique_states": 2}, {"repeated_states": 0, "unique_states": 2}, {"level": 3}]),
        ("buR cu+", [{"actions": 6, "undos": 2, "undos_since_reset": 1}, {"undos": 0}]),
        ("W", [{"level": 1, "completed": True, "actions": 1, "unique_states": 1}]),
        ("+ bW", [{"completed": True}, {"level": 2, "entered_seq": 1, "last_seq": 3, "completed": True}]),
    ],
    ids=[
        "nothing was done", "a level, and one without an action yet", "after the last reset", "ends with one",
        "resets first", "no-ops first", "a reset is no first change", "nothing changed", "to and fro",
        "the same way again after a reset", "lost twice", "states are a level's own", "undone",
        "one level and won", "won",
    ],
)  # fmt: skip
def test_a_level_result_counts_the_actions_of_its_level(written: str, expected: list[dict[str, Any]]) -> None:
    found = results(written)
    assert len(found) == len(expected)
    for result, facts in zip(found, expected, strict=True):
        assert {name: getattr(result, name) for name in facts} == facts


def test_a_pause_counts_as_active_up_to_a_minute() -> None:
    [first, second] = results("bc+bc", [1.5, 300.0, 60.0, 0.25, 61.0])
    assert (first.seconds, first.active_seconds) == (361.5, 121.5)
    assert (second.seconds, second.active_seconds) == (61.25, 60.25)
    assert second.entered_at == first.last_at
    assert (first.last_at - BEGAN).total_seconds() == 361.5


def test_a_clock_set_back_never_reduces_times() -> None:
    [result] = results("bcb", [10.0, -5.0, 1.0])
    assert (result.seconds, result.active_seconds) == (11.0, 11.0)


def test_a_skipped_level_has_no_result() -> None:
    entries = journal("b+b")
    jumped = [entry._replace(levels_completed=2) if entry.seq >= 2 else entry for entry in entries]
    assert [result.level for result in level_results(jumped)] == [1, 3]


def test_undo_is_counted_or_not() -> None:
    [level, _] = results("buR cu+")
    assert level.counting(undo_counts=True) == level
    left_out = level.counting(undo_counts=False)
    assert (left_out.actions, left_out.actions_since_reset, left_out.first_score_change) == (4, 2, 6)


def test_rates_are_of_all_actions_but_resets() -> None:
    [some, none] = results("b..R bc+")[0], results("RR")[0]
    assert (some.no_op_rate, some.repeated_state_rate) == (2 / 6, 3 / 6)
    assert (none.no_op_rate, none.repeated_state_rate) == (None, None)


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([journal("bc")[0], journal("bc")[2]], "entries_out_of_order"),
        ([journal("b")[1], journal("b")[1]], "entries_out_of_order"),
        ([*journal("+")[:2], journal("bc")[2]], "levels_out_of_order"),
    ],
    ids=["one is missing", "twice the same", "back on a level completed before"],
)
def test_an_impossible_journal_is_refused(entries: list[ResultEntry], code: str) -> None:
    with rule_refused(code):
        list(level_results(entries))


@given(journals, st.data())
def test_reading_from_the_start_of_the_last_level_gives_the_same_results(
    entries: list[ResultEntry], data: st.DataObject
) -> None:
    read = data.draw(st.integers(1, len(entries)))
    *earlier, last = level_results(entries[:read])
    assert [*earlier, *level_results(entries[last.entered_seq :])] == list(level_results(entries))


@given(journals)
def test_every_action_belongs_to_one_level(entries: list[ResultEntry]) -> None:
    found = list(level_results(entries))
    acts = entries[1:]
    assert [result.level for result in found] == list(range(1, len(found) + 1))
    assert [result.completed for result in found[:-1]] == [True] * (len(found) - 1)
    assert sum(result.actions for result in found) == len(acts)
    assert sum(result.resets for result in found) == sum(act.action == 0 for act in acts)
    assert sum(result.game_overs for result in found) == sum(act.state == "GAME_OVER" for act in acts)
    assert sum(result.completed for result in found) == sum(act.level_completed for act in acts)
    assert sum(result.no_ops for result in found) == sum(not act.changed for act in acts if act.action != 0)
    forward = sum(max(pause, 0) for pause in seconds_between(entries))
    assert sum(result.seconds for result in found) == pytest.approx(forward)


@given(journals)
def test_no_number_exceeds_its_total(entries: list[ResultEntry]) -> None:
    for result in level_results(entries):
        moves = result.actions - result.resets
        assert result.last_seq == result.entered_seq + result.actions
        assert result.no_ops <= result.repeated_states <= moves - result.completed
        assert 1 <= result.unique_states <= moves + 1 + result.resets
        assert result.actions_since_reset <= result.actions
        assert (result.actions_since_reset == result.actions) == (result.resets == 0)
        assert 0 <= result.active_seconds <= result.seconds
        assert result.active_seconds <= ACTIVE_GAP_SECONDS * result.actions
        assert result.first_score_change == (result.actions if result.completed else None)
        assert result.first_change is None or 1 <= result.first_change <= result.actions


@given(journals, st.data())
def test_pauses_by_staff_take_no_time(entries: list[ResultEntry], data: st.DataObject) -> None:
    """An attempt that was paused between two actions has the durations of the same attempt without it."""
    after = data.draw(st.integers(0, len(entries) - 1))
    length = timedelta(seconds=data.draw(st.integers(0, 10_000)))
    start = entries[after].at
    later = [entry._replace(at=entry.at + length) for entry in entries[after + 1 :]]
    clock = Adjustments((Pause(start, start + length),))
    paused = level_results([*entries[: after + 1], *later], clock)
    found = [(result.seconds, result.active_seconds, result.actions) for result in paused]
    if all(wait >= 0 for wait in seconds_between(entries)):
        expected = [(one.seconds, one.active_seconds, one.actions) for one in level_results(entries)]
        assert found == expected


def test_a_pause_may_be_open_and_may_surround_a_whole_level() -> None:
    entries = journal("bc+ d")
    began = entries[0].at
    open_now = Adjustments((Pause(entries[-1].at),))
    assert [level.seconds for level in level_results(entries, open_now)] == [6.0, 2.0]
    whole = Adjustments((Pause(began - timedelta(hours=1), entries[3].at),))
    assert [level.seconds for level in level_results(entries, whole)] == [0.0, 2.0]


def test_the_wait_around_a_pause_is_active_time_without_it() -> None:
    entries = journal("b", [700.0])
    clock = Adjustments((Pause(BEGAN + timedelta(seconds=20), BEGAN + timedelta(seconds=660)),))
    (level,) = level_results(entries, clock)
    assert (level.seconds, level.active_seconds) == (60.0, 60.0)
    (level,) = level_results(entries)
    assert (level.seconds, level.active_seconds) == (700.0, 60.0)


def test_a_restart_of_the_whole_environment_repeats_nothing() -> None:
    """A reset on level 3 restarts all; then levels 1 and 2 again, in 10 s that nobody counts."""
    plain = journal("b+ b+ c R d b+ b+ e +")
    restarted = []
    for entry in plain:
        done = {6: 0, 7: 0, 8: 0, 9: 1, 10: 1, 11: 2}.get(entry.seq)
        if done is not None:
            entry = entry._replace(levels_completed=done, level_completed=entry.seq in (9, 11))
        elif entry.seq > 11:
            entry = entry._replace(levels_completed=entry.levels_completed - 2)
        restarted.append(entry)
    *_, third, _ = level_results(restarted, restarts=True)
    assert (third.level, third.actions, third.resets, third.completed) == (3, 4, 1, True)
    assert third.seconds == 8.0
    with rule_refused("levels_out_of_order"):
        list(level_results(restarted))
