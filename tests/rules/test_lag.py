"""Each action has its press to paint in one place, and so have the figures of a room."""

from datetime import UTC, datetime, timedelta

import pytest

from playtest.rules.lag import FEWEST_PRESSES, SLOW_MS, Lag, lag, press_to_paint, repeats_at_start


def test_the_next_action_or_the_page_says_how_long_an_action_took() -> None:
    assert press_to_paint([None, None, 20, None, 31], {2: 99, 4: 45}) == [None, 20, 99, 31, 45]
    assert press_to_paint([None, None, 20], {1: 500}) == [None, 20, None], "what is chained comes first"
    assert press_to_paint([None], {0: 7}) == [None]


@pytest.mark.parametrize(("slow", "expected"), [(SLOW_MS, False), (SLOW_MS + 1, True)])
def test_a_station_is_slow_by_half_of_its_presses(slow: int, expected: bool) -> None:
    assert lag([None, *range(1, 101)]) == Lag(100, 50, 95)
    assert lag([None]) is None
    usual, few = lag([slow] * FEWEST_PRESSES), lag([slow] * (FEWEST_PRESSES - 1))
    assert usual is not None
    assert usual.slow is expected
    assert few is not None
    assert not few.slow


def test_a_repeat_just_after_the_levels_first_frame_was_meant_for_the_one_before() -> None:
    at = datetime(2026, 11, 1, tzinfo=UTC)
    steps = [
        (1, 1, True, False, 0.0), (1, 1, False, True, 3.0), (1, 1, True, True, 4.0), (1, 2, False, True, 4.5),
        (1, 2, True, False, 9), (1, 3, False, True, 9.6), (2, 1, False, True, 9.6), (2, 1, True, False, 9.7),
    ]  # fmt: skip
    timed = [(*step, at + timedelta(seconds=seconds)) for *step, seconds in steps]
    assert repeats_at_start(timed) == {(1, 2)}  # type: ignore[arg-type]
