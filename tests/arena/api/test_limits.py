"""A key's limit is a window that slides."""

from hypothesis import given
from hypothesis import strategies as st

from playtest.arena.api.keys import WINDOW_SECONDS, Window


def test_the_request_after_the_last_one_waits_until_the_first_is_a_minute_old() -> None:
    window = Window()
    assert [window.seconds_to_wait(at, 3) for at in (0.0, 10.0, 20.0)] == [0, 0, 0]
    assert window.seconds_to_wait(21.5, 3) == 39
    assert window.seconds_to_wait(60.0, 3) == 0
    assert window.seconds_to_wait(60.1, 3) == 10


@given(st.lists(st.floats(0, 30), max_size=60), st.integers(1, 10))
def test_no_minute_has_more_than_the_limit_and_waiting_is_enough(pauses: list[float], most: int) -> None:
    window, at, accepted = Window(), 0.0, list[float]()
    for pause in pauses:
        at += pause
        seconds = window.seconds_to_wait(at, most)
        if seconds:
            at += seconds
            assert window.seconds_to_wait(at, most) == 0
        accepted.append(at)
        assert len([one for one in accepted if one > at - WINDOW_SECONDS + 1e-5]) <= most
