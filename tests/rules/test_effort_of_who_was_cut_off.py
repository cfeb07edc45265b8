"""Time without a connection, or paused by staff, is neither idle nor active."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.effort.attempts import idle
from playtest.rules.effort.evidence import Absence, Act, AttemptEvidence, Connection, absences, without_pauses
from playtest.rules.effort.thresholds import Thresholds
from tests.cases import cases
from tests.rules.effort import acts, attempt

LIMITS = Thresholds()
UP, DOWN, TAKEN = Connection.CONNECTED, Connection.DISCONNECTED, Connection.SUPERSEDED


@cases(
    ("events", "found"),
    {
        "nothing known": ([], []),
        "never cut off": ([(UP, 0)], []),
        "cut off and back": ([(UP, 0), (DOWN, 10), (UP, 30)], [Absence(10, 30)]),
        "never back": ([(UP, 0), (DOWN, 10)], [Absence(10, None)]),
        "told twice": ([(DOWN, 10), (DOWN, 20), (UP, 30)], [Absence(10, 30)]),
        "a second window took over": (
            [(UP, 0), (UP, 10), (TAKEN, 10), (DOWN, 11), (DOWN, 50)],
            [Absence(50, None)],
        ),
        "it took over at once": ([(UP, 0), (TAKEN, 9), (UP, 10), (DOWN, 11)], []),
        "the server went down and came back": (
            [(UP, 0), (UP, 40), (DOWN, 50), (UP, 60)],
            [Absence(None, 40), Absence(50, 60)],
        ),
    },
)
def test_connection_events_give_the_times_without_a_connection(
    events: list[tuple[Connection, float]], found: list[Absence]
) -> None:
    assert absences(events) == found


def cut_off(*times: Absence, apart: float = 100.0, count: int = 3, seconds: float = 400.0) -> AttemptEvidence:
    """Actions at 100, 200 and 300 seconds of an attempt of 400."""
    return attempt(acts([1] * count, apart=apart), seconds=seconds, absences=times)


@cases(
    ("times", "gaps"),
    {
        "always there": ((), [100, 100, 100, 100]),
        "once": ((Absence(110, 150),), [100, 60, 100, 100]),
        "twice": ((Absence(110, 130), Absence(150, 160)), [100, 70, 100, 100]),
        "from action to action": ((Absence(100, 200),), [100, 0, 100, 100]),
        "to the end": ((Absence(310, None),), [100, 100, 100, 10]),
        "since some time after an action": ((Absence(None, 150),), [100, 50, 100, 100]),
        "known and unknown at once": ((Absence(110, 130), Absence(None, 150)), [100, 50, 100, 100]),
        "an action proves that the connection was back": ((Absence(150, 250),), [100, 50, 100, 100]),
        "before the first frame": ((Absence(-50, 50),), [100, 100, 100, 100]),
        "after the end": ((Absence(500, None),), [100, 100, 100, 100]),
    },
)
def test_a_pause_is_shorter_by_the_time_without_a_connection(
    times: tuple[Absence, ...], gaps: list[float]
) -> None:
    evidence = cut_off(*times)
    assert [seconds for _, seconds in evidence.gaps] == gaps
    assert evidence.connected_seconds == sum(gaps)


def after_a_pause_of_61_seconds(*times: Absence) -> AttemptEvidence:
    """Another 71 seconds with a second action in them."""
    first, second = acts([1, 1])
    return attempt([first._replace(at=61.0), second._replace(at=101.0)], seconds=132, absences=times)


@cases(
    ("evidence", "flagged"),
    {
        "idle before it was cut off": (cut_off(Absence(110, 151), count=2, seconds=200), True),
        "a minute exactly with a connection, twice": (
            cut_off(Absence(10, 50), Absence(110, 150), count=2, seconds=200),
            False,
        ),
        "half a second more": (cut_off(Absence(10, 49.5), Absence(110, 150), count=2, seconds=200), True),
        "half of the connected time exactly": (after_a_pause_of_61_seconds(Absence(70, 80)), False),
        "more than half of the connected time": (after_a_pause_of_61_seconds(Absence(70, 80.5)), True),
        "nothing done, but not there either": (attempt(seconds=900, absences=(Absence(30, None),)), False),
    },
)
def test_only_pauses_with_a_connection_are_idle(evidence: AttemptEvidence, flagged: bool) -> None:
    assert (idle(evidence, LIMITS) is not None) == flagged


def test_the_sentence_says_when_a_connection_was_missing() -> None:
    found = idle(cut_off(Absence(110, 150)), LIMITS)
    assert found is not None
    assert found.sentence.startswith(
        "In environment 1 nothing was done for 5:00 min of the 6:00 min with a connection, in 3 pauses"
    )
    assert found.figures["connected_seconds"] == 360
    assert found.figures["attempt_seconds"] == 400


def test_time_without_a_connection_is_not_active_time() -> None:
    assert cut_off(Absence(120, 180)).active_seconds(60) == 60 + 40 + 60


waits_beside_the_limit = st.floats(0.5, 120.0).filter(
    lambda wait: abs(wait - LIMITS.idle_gap_seconds) > 1e-6  # a clock moved to and back rounds
)


@given(
    st.lists(waits_beside_the_limit, min_size=1, max_size=30),
    st.integers(0, 30),
    st.floats(0.0, 7_200.0),
    st.booleans(),
)
def test_a_pause_by_staff_leaves_the_evidence_as_it_was(
    waits: list[float], after: int, length: float, lost_connection: bool
) -> None:
    """Wherever the pause lies, and whether or not the connection was lost meanwhile."""
    moments = list(accumulate(waits))
    after = min(after, len(waits) - 1)
    start = moments[after] - waits[after] / 2
    made = [
        Act(seq, 1 + seq % 4, None, 1, True, at, None, False, 0b11111) for seq, at in enumerate(moments, 1)
    ]
    usual = attempt(made, seconds=moments[-1] + 1)
    late = [act._replace(at=act.at + (length if act.at > start else 0.0)) for act in made]
    cut = (Absence(start + length / 4, start + length / 2),) if lost_connection else ()
    paused = attempt(late, seconds=moments[-1] + 1 + length, absences=cut)
    found = without_pauses(paused, [(start, start + length)])
    assert [gap for _, gap in found.gaps] == pytest.approx([gap for _, gap in usual.gaps])
    assert found.seconds == pytest.approx(usual.seconds)
    assert found.connected_seconds == pytest.approx(usual.connected_seconds)
    assert found.active_seconds(60.0) == pytest.approx(usual.active_seconds(60.0))
    assert (idle(found, LIMITS) is None) == (idle(usual, LIMITS) is None)


def test_idle_time_before_a_pause_is_still_idle() -> None:
    waited = attempt(acts([1, 1], apart=900.0), seconds=1_900.0)
    assert idle(without_pauses(waited, [(850.0, 900.0)]), LIMITS) is not None
    assert idle(without_pauses(waited, [(5.0, 890.0), (905.0, 1_790.0), (1_801.0, 1_899.0)]), LIMITS) is None
