"""What a RESET does, and when a level's budget is spent."""

from hypothesis import given
from hypothesis import strategies as st

from engine.turns import NOT_FINISHED, WIN
from playtest.arena.api.live_runs import Progress


def after(*steps: tuple[int, bool]) -> Progress:
    progress = Progress()
    for action, completed in steps:
        progress = progress.after(action, level_completed=completed, state=NOT_FINISHED)
    return progress


def test_a_reset_restarts_the_environment_when_nothing_was_done_since_the_levels_start() -> None:
    assert after().restarts
    assert not after((1, False)).restarts
    assert after((1, False), (2, True)).restarts
    assert after((1, False), (0, False)).restarts
    assert not after((1, False), (0, False), (3, False)).restarts


def test_a_reset_restarts_a_completed_environment() -> None:
    assert Progress().after(1, level_completed=True, state=WIN).restarts


def test_exactly_five_times_the_baseline_is_allowed() -> None:
    assert not after(*[(1, False)] * 14).spent(3)
    assert after(*[(1, False)] * 15).spent(3)
    assert not after(*[(1, False)] * 15).spent(None)


def test_the_next_level_has_a_budget_of_its_own() -> None:
    assert not after(*[(1, False)] * 14, (1, True)).spent(3)


@given(st.lists(st.integers(0, 7), max_size=30))
def test_resets_count_as_actions_of_their_level(actions: list[int]) -> None:
    assert after(*[(action, False) for action in actions]).actions == len(actions)
