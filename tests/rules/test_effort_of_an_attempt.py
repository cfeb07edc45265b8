"""Effort rules of an attempt: no-ops, repetition, fast actions, pauses, a hidden page."""

from typing import Any

import pytest

from playtest.rules.effort.attempts import away, fast, idle, no_ops, repeats
from playtest.rules.effort.evidence import Act, AttemptEvidence, Norms, Strength
from playtest.rules.effort.norms import NormSample
from playtest.rules.effort.thresholds import Thresholds
from tests.cases import cases
from tests.rules.effort import acts, attempt

LIMITS = Thresholds()


def norms_with(**facts: Any) -> Norms:
    return Norms(
        **{
            "mean_active_seconds": 400.0,
            "no_op_median": {1: 0.2, 2: 0.5},
            "no_op_deviation": {1: 0.1, 2: 0.1},
            "long_run": 8,
            "people": 12,
            **facts,
        }
    )


def with_no_ops(no_op_count: int, of: int, level: int = 1) -> AttemptEvidence:
    made = acts([1, 2] * (of // 2) + [1] * (of % 2), level=level)
    return attempt([act._replace(changed=act.seq > no_op_count) for act in made])


@cases(
    ("no_op_count", "of", "level", "flagged"),
    {
        "at 0.6": (60, 100, 1, False),
        "above 0.6": (61, 100, 1, True),
        "usual there: within 3 MAD": (79, 100, 2, False),
        "beyond 3 MAD": (81, 100, 2, True),
        "too few actions": (19, 19, 1, False),
        "just enough": (20, 20, 1, True),
        "no action": (0, 0, 1, False),
    },
)
def test_many_actions_without_effect_are_flagged(
    no_op_count: int, of: int, level: int, flagged: bool
) -> None:
    assert (no_ops(with_no_ops(no_op_count, of, level), norms_with(), LIMITS) is not None) == flagged


def test_exactly_three_deviations_above_the_median_is_not_beyond_them() -> None:
    norm = norms_with(no_op_median={1: 0.5}, no_op_deviation={1: 0.125})
    assert no_ops(with_no_ops(28, 32), norm, LIMITS) is None
    assert no_ops(with_no_ops(29, 32), norm, LIMITS) is not None


def test_resets_are_not_counted_as_actions_without_effect() -> None:
    assert attempt(acts([0] * 30, changed=False)).no_ops() == {}


def test_the_worst_level_is_named_and_linked() -> None:
    made = [
        *with_no_ops(70, 100, 1).acts,
        *(act._replace(seq=act.seq + 100) for act in with_no_ops(95, 100, 2).acts),
    ]
    found = no_ops(attempt(made), norms_with(), LIMITS)
    assert found is not None
    assert found.sentence == (
        "On level 2 of environment 1, 95 % of 100 actions changed nothing; the median of 12 others who"
        " completed something is 50 % (median absolute deviation 10 %)."
    )
    assert found.moments == ((1, 101),)


def run(length: int, no_op_count: int) -> AttemptEvidence:
    made = acts([2, 3, *[1] * length, 2, 3])
    return attempt([act._replace(changed=not 3 <= act.seq < 3 + no_op_count) for act in made])


@cases(
    ("length", "no_op_count", "long_run", "flagged"),
    {
        "at the 99th percentile": (20, 20, 20, False),
        "beyond it": (21, 21, 20, True),
        "mostly with effect": (21, 10, 20, False),
        "mostly without": (21, 11, 20, True),
        "short where runs are short": (9, 9, 2, False),
        "ten": (10, 10, 2, True),
    },
)
def test_repeating_one_action_is_flagged(length: int, no_op_count: int, long_run: int, flagged: bool) -> None:
    assert (repeats(run(length, no_op_count), norms_with(long_run=long_run), LIMITS) is not None) == flagged


def test_clicks_on_different_cells_are_not_a_repetition() -> None:
    made = [act._replace(cell=(act.seq, 0), changed=False) for act in acts([6] * 30)]
    assert [len(run) for run in attempt(made).runs()] == [1] * 30
    assert repeats(attempt(made), norms_with(), LIMITS) is None


def hasty(quick: int, of: int, **facts: Any) -> AttemptEvidence:
    """So many intervals, the first ones of 99 ms, the others of a second."""
    made, pressed = [acts([1])[0]._replace(pressed=0.0, at=0.0)], 0.0
    for seq in range(2, of + 2):
        pressed += 0.099 if seq <= quick + 1 else 1.0
        made.append(Act(seq, 1, None, 1, True, facts.get("at", pressed), pressed, False, 0b11111))
    return attempt(made)


@pytest.mark.parametrize(
    ("quick", "of", "flagged"),
    [(4, 40, False), (5, 40, True), (29, 29, False), (30, 30, True), (0, 40, False)],
    ids=["at a tenth", "beyond it", "too few", "just enough", "none"],
)
def test_actions_faster_than_a_decision_are_flagged(quick: int, of: int, flagged: bool) -> None:
    assert (fast(hasty(quick, of), LIMITS) is not None) == flagged


def test_a_held_key_is_not_flagged_as_too_fast() -> None:
    assert fast(attempt(acts([1] * 60, apart=0.03)), LIMITS) is not None
    assert fast(attempt(acts([1] * 60, apart=0.03, held=True)), LIMITS) is None


def test_fast_actions_are_told_with_those_on_a_screen_that_nobody_can_have_taken_in() -> None:
    def told(**facts: Any) -> str:
        made = [act._replace(**facts) if act.seq < 4 else act for act in acts([1] * 60, apart=0.03)]
        found = fast(attempt(made), LIMITS)
        assert found is not None
        return found.sentence.removeprefix("In environment 1, ")

    before = "100 % of the actions came less than 100 ms after the one before (59 of 59)."
    assert told() == told(screen_age=150) == before
    assert told(screen_age=149) == f"{before} 3 actions came less than 150 ms after another screen appeared."
    assert "another screen" not in told(screen_age=0, held=True)


def test_a_long_run_says_how_much_of_it_a_held_key_made() -> None:
    made = [act._replace(held=act.seq > 5) for act in acts([1] * 30, changed=False)]
    found = repeats(attempt(made), norms_with(long_run=20), LIMITS)
    assert found is not None
    assert "30 times in a row, 30 of them without effect, 25 of them by holding the key;" in found.sentence


def test_exactly_a_tenth_of_a_second_is_not_too_fast() -> None:
    assert fast(attempt(acts([1] * 60, apart=0.125)), Thresholds(fast_milliseconds=125)) is None


def test_what_the_network_delayed_is_judged_by_the_stations_clock() -> None:
    at_once = [act._replace(at=9.0) for act in acts([1] * 60, apart=1.0)]
    assert fast(attempt(at_once, seconds=9.0), LIMITS) is None


def test_a_station_clock_that_jumped_back_is_ignored() -> None:
    made = [act._replace(pressed=-act.at) for act in acts([1] * 60, apart=1.0)]
    assert fast(attempt(made), LIMITS) is None


def paused(*gaps: float, seconds: float) -> AttemptEvidence:
    made, at = [], 0.0
    for seq, gap in enumerate(gaps, start=1):
        at += gap
        made.append(Act(seq, 1, None, 1, True, at, at, False, 0b11111))
    return attempt(made, seconds=seconds)


@cases(
    ("evidence", "flagged"),
    {
        "half exactly": (paused(80, 40, 40, seconds=160), False),
        "more than half": (paused(81, 40, 39, seconds=160), True),
        "none longer than a minute": (paused(60, 60, 60, seconds=180), False),
        "nothing ever done": (paused(seconds=900), True),
        "a minute exactly": (paused(seconds=60), False),
        "one action, then nothing": (paused(5, seconds=900), True),
        "ended at once": (paused(seconds=0), False),
        "hardly any actions for minutes": (paused(*[50] * 4, seconds=200), True),
        "five a minute": (paused(*[12] * 17, seconds=204), False),
    },
)
def test_long_pauses_over_half_of_the_attempt_are_flagged(evidence: AttemptEvidence, flagged: bool) -> None:
    assert (idle(evidence, LIMITS) is not None) == flagged


def test_pauses_link_to_their_start() -> None:
    found = idle(paused(5, 100, 5, 200, seconds=312), LIMITS)
    assert found is not None
    assert found.moments == ((1, 1), (1, 3))
    assert found.sentence == (
        "In environment 1 nothing was done for 5:00 min of 5:12 min, in 2 pauses of more than 60 s; the"
        " longest was 3:20 min."
    )


@pytest.mark.parametrize(("seconds", "flagged"), [(30.0, False), (30.1, True), (0.0, False)])
def test_a_hidden_page_is_a_separate_note(seconds: float, flagged: bool) -> None:
    found = away(attempt(seconds=300.0, away_seconds=seconds), LIMITS)
    assert (found is not None) == flagged
    assert found is None or found.strength == Strength.NOTE


def norms(people: list[AttemptEvidence]) -> Norms | None:
    return NormSample(people, Thresholds(norm_least_people=1)).without(None)


def test_norms_are_medians_deviations_and_a_nearest_rank() -> None:
    people = [with_no_ops(count, 20) for count in (0, 2, 4, 10, 20)]
    found = norms(people)
    assert found is not None
    assert found.no_op_median == {1: 0.2}
    assert found.no_op_deviation == {1: pytest.approx(0.2)}
    assert found.mean_active_seconds == 40.0
    assert found.long_run == 1


def test_the_99th_percentile_of_runs_leaves_one_in_a_hundred_beyond_it() -> None:
    rare = attempt(acts([*[1, 2] * 49, *[3] * 50, *[4] * 60]))
    found = norms([rare])
    assert found is not None
    assert found.long_run == 50


def test_an_environment_without_actions_has_no_norms() -> None:
    assert norms([attempt(seconds=10.0)]) == Norms(0.0, {}, {}, 0, {}, people=1)


def test_too_few_other_people_give_no_norms() -> None:
    people = [attempt(acts([1, 2]), attempt=number) for number in (1, 2)]
    assert NormSample(people, LIMITS).without(1) is None
    assert NormSample(people, LIMITS).without(9) is not None
    assert NormSample([], LIMITS).without(None) is None
