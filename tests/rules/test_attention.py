"""Who needs help: each reason at its threshold, the worst first, and an order that seconds do not disturb."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.attention import Condition, Need, needs, rank
from playtest.rules.kinds import Kind

FINE = Condition(without_action=3.0, seconds_left=900.0, round_trip_ms=20)
AGES = st.none() | st.floats(0, 10_000)
CONDITIONS = st.builds(
    Condition,
    called=AGES,
    fault=st.booleans(),
    server_silent=AGES,
    disconnected=AGES,
    without_action=AGES,
    paused=AGES,
    on_break=AGES,
    seconds_left=AGES,
    round_trip_ms=st.none() | st.integers(0, 60_000),
    low_effort=st.booleans(),
    soft_limit_reached=st.booleans(),
)


@pytest.mark.parametrize(
    ("field", "below", "reached", "need"),
    [
        ("called", None, 0.0, Need.CALLS),
        ("fault", False, True, Need.FAULT),
        ("server_silent", 4.9, 5.0, Need.SERVER_SILENT),
        ("disconnected", 2.9, 3.0, Need.CONNECTION_LOST),
        ("without_action", 119.9, 120.0, Need.NO_ACTION),
        ("paused", 599.9, 600.0, Need.PAUSED_LONG),
        ("round_trip_ms", 299, 300, Need.SLOW),
        ("low_effort", False, True, Need.LOW_EFFORT),
        ("seconds_left", 120.1, 120.0, Need.LIMIT_NEAR),
        ("on_break", 299.9, 300.0, Need.BREAK_LONG),
        ("soft_limit_reached", False, True, Need.SOFT_LIMIT),
    ],
)
def test_each_reason_begins_at_its_threshold(field: str, below: object, reached: object, need: Need) -> None:
    assert needs(FINE._replace(**{field: below})) == []  # type: ignore[arg-type]
    assert needs(FINE._replace(**{field: reached})) == [need]  # type: ignore[arg-type]


def test_a_pause_explains_why_nothing_happens() -> None:
    assert needs(FINE._replace(paused=60.0, without_action=500.0, on_break=500.0, seconds_left=5.0)) == []


def test_a_silent_server_explains_the_lost_connection() -> None:
    assert needs(FINE._replace(server_silent=20.0, disconnected=20.0)) == [Need.SERVER_SILENT]


@given(CONDITIONS)
def test_the_worst_reason_comes_first_and_gives_the_rank(condition: Condition) -> None:
    found = needs(condition)
    assert found == [need for need in Need if need in found]
    assert rank(found) == ([*Need].index(found[0]) if found else len(Need))


def test_thinking_at_a_static_task_is_no_reason_for_minutes() -> None:
    assert needs(Condition(without_action=130.0)) == [Need.NO_ACTION]
    assert needs(Condition(without_action=130.0, kind=Kind.TASK)) == []
    assert needs(Condition(without_action=360.0, kind=Kind.TASK)) == [Need.NO_ACTION]
