"""Effort rules about habits: a fixed order, two choices, leaving by the clock, levels won at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from playtest.rules.attempt import Outcome
from playtest.rules.effort import findings
from playtest.rules.effort.attempts import pattern, random
from playtest.rules.effort.evidence import AttemptEvidence, Norms, Rule, Strength
from playtest.rules.effort.norms import NormSample
from playtest.rules.effort.sessions import by_the_clock, solution_known
from playtest.rules.effort.thresholds import Thresholds
from tests.cases import cases
from tests.rules.effort import acts, attempt

LIMITS = Thresholds()
AROUND = ([4] * 6 + [2] * 5 + [3] * 6 + [1] * 5) * 5
CLICKS = 0b1000001


def anything(seed: int, count: int = 80, choices: tuple[int, ...] = (1, 2, 3, 4)) -> list[int]:
    return [int(each) for each in np.random.default_rng(seed).choice(choices, count)]


def clicks(*cells: tuple[int, int]) -> AttemptEvidence:
    made = acts([6] * len(cells), offered=CLICKS)
    return attempt([act._replace(cell=cell) for act, cell in zip(made, cells, strict=True)])


def after_game_overs(actions: list[int]) -> AttemptEvidence:
    """The same actions, with a reset that alone is offered after every seventh."""
    made = acts(
        [each for number, one in enumerate(actions) for each in ([one, 0] if number % 7 == 6 else [one])]
    )
    return attempt([act._replace(offered=1) if act.action == 0 else act for act in made])


@cases(
    ("made", "flagged"),
    {
        "four keys in turn": (attempt(acts([1, 4, 2, 3] * 15)), True),
        "with a slip now and then": (attempt(acts([1, 4, 2, 3] * 7 + [2] + [1, 4, 2, 3] * 7)), True),
        "some of each key": (attempt(acts([3, 3, 3, 4, 4, 2, 2] * 9)), True),
        "through game overs": (after_game_overs([1, 4, 2, 3] * 15), True),
        "left and right at any time": (attempt(acts(anything(1, choices=(3, 4)))), True),
        "one key alone": (attempt(acts([3] * 60)), True),
        "another pattern when bored": (attempt(acts([1, 4, 2] * 27 + [3, 3, 2, 1, 2] * 16)), True),
        "a pattern for a while": (attempt(acts([1, 4, 2] * 27 + AROUND[:80])), False),
        "two places in turn": (clicks(*[(10, 10), (40, 12)] * 25), True),
        "two places, not quite": (clicks(*[(10, 10), (41, 12), (12, 9), (40, 10)] * 12), True),
        "too few actions": (attempt(acts([1, 4, 2, 3] * 9)), False),
        "corridors": (attempt(acts(AROUND)), False),
        "any key": (attempt(acts(anything(2))), False),
        "only two keys are offered": (attempt(acts(anything(1, choices=(3, 4)), offered=0b11001)), False),
        "places all over": (clicks(*[(seq * 7 % 64, seq * 11 % 64) for seq in range(60)]), False),
        "the same again after a reset": (attempt(acts([1, 4, 2, 3, 4, 0] * 12)), False),
        "beyond the first levels": (attempt(acts([1, 4, 2, 3] * 15, level=4), levels_completed=3), False),
        "solved": (attempt(acts([1, 4, 2, 3] * 15), outcome=Outcome.COMPLETED), False),
    },
)
def test_a_fixed_order_or_two_choices_alone_are_found(made: AttemptEvidence, flagged: bool) -> None:
    found = pattern(made, LIMITS)
    assert (found is not None) == flagged
    assert found is None or found.strength == Strength.REVIEW


def test_a_pattern_is_told_with_its_numbers() -> None:
    one, other = pattern(attempt(acts([1, 4, 2] * 20)), LIMITS), pattern(attempt(acts([3] * 60)), LIMITS)
    assert one is not None
    assert other is not None
    said = "In environment 1, 100 % of 60 actions were"
    assert one.sentence == f"{said} the same as the one 3 actions before, whatever they changed."
    assert other.sentence == f"{said} two of the choices on offer, whatever they changed."


def test_random_choices_with_resets_of_ones_own_are_a_note() -> None:
    made = anything(5, 100)
    afresh = attempt(
        acts([each for place, one in enumerate(made) for each in ([0, one] if place % 9 == 8 else [one])])
    )
    strengths = []
    for one in (attempt(acts(made)), after_game_overs(made), afresh):
        found = random(one, LIMITS, np.random.default_rng(1))
        assert found is not None
        strengths.append(found.strength)
    assert strengths == [Strength.REVIEW, Strength.REVIEW, Strength.NOTE]


def given_up(
    *seconds: float, outcome: Outcome = Outcome.GAVE_UP, actions: Sequence[int] = ()
) -> list[AttemptEvidence]:
    """After 20, 40, 60... actions, or so many."""
    actions = actions or [20 * number for number in range(1, len(seconds) + 1)]
    return [
        attempt(acts([1] * made), attempt=number, seconds=each, outcome=outcome)
        for number, (each, made) in enumerate(zip(seconds, actions, strict=True), start=1)
    ]


@cases(
    ("session", "flagged"),
    {
        "all at three minutes": (given_up(180, 185, 190, 200), True),
        "at the edge of the spread": (given_up(160, 170, 190, 240), True),
        "beyond it": (given_up(160, 170, 190, 241), False),
        "all but one": (given_up(180, 185, 190, 700), False),
        "all but one of five": (given_up(180, 185, 190, 181, 700), True),
        "two of six are tried": (given_up(180, 185, 190, 181, 700, 1200), False),
        "too few environments": (given_up(180, 185, 190), False),
        "six of eight": (given_up(180, 185, 190, 181, 186, 184, 700, 1200), True),
        "five of seven": (given_up(180, 185, 190, 181, 186, 700, 1200), False),
        "and one solved": (given_up(180, 185, 190, 181) + given_up(180, outcome=Outcome.COMPLETED), True),
        "and two solved": (given_up(180, 185, 190, 181) + given_up(9, 9, outcome=Outcome.COMPLETED), False),
        "and two that the session ended": (
            given_up(180, 185, 190, 181) + given_up(9, 9, outcome=Outcome.SESSION_OVER),
            True,
        ),
        "after as many actions": (given_up(180, 185, 190, 200, actions=[90] * 4), False),
        "at one pace": (given_up(160, 180, 200, 240, actions=[40, 45, 50, 60]), False),
        "after actions that differ more": (
            given_up(180, 180, 200, 200, actions=[100, 100, 116, 116]),
            True,
        ),
        "after actions that hardly do": (given_up(180, 180, 200, 200, actions=[100, 100, 115, 115]), False),
        "after five minutes": (given_up(290, 300, 295, 300), True),
        "one later": (given_up(290, 301, 295, 300), False),
        "ten minutes each": (given_up(600, 610, 605, 602), False),
        "as it comes": (given_up(90, 180, 290, 300, 130), False),
        "ended by the session": (given_up(180, 185, 190, 200, outcome=Outcome.SESSION_OVER), False),
        "nothing": ([], False),
    },
)
def test_leaving_nearly_all_at_the_same_time_is_strong(session: list[AttemptEvidence], flagged: bool) -> None:
    found = by_the_clock(session, LIMITS)
    assert (found is not None) == flagged
    assert found is None or (found.rule, found.strength) == (Rule.BY_THE_CLOCK, Strength.STRONG)


def test_the_times_are_told() -> None:
    found = by_the_clock(given_up(180, 185, 190, 181, 700), LIMITS)
    assert found is not None
    assert found.sentence == (
        "4 of 5 environments were given up after about the same time, 3:00 min to 3:10 min:"
        " environments 1, 2, 3 and 4, with 20 to 80 actions."
    )


def norms_with(straight: dict[int, tuple[int, ...]]) -> Norms:
    return Norms(400.0, {}, {}, 8, {}, straight, 12)


def won(*levels: list[int], **facts: Any) -> AttemptEvidence:
    """An attempt that completes these levels with these actions."""
    made = [act for level, actions in enumerate(levels, start=1) for act in acts(actions, level=level)]
    made = [act._replace(seq=seq, at=2.0 * seq) for seq, act in enumerate(made, start=1)]
    return attempt(made, levels_completed=len(levels), outcome=Outcome.COMPLETED, **facts)


STRAIGHT, LONGER, AFRESH, UNDONE = [1] * 20, [1] * 22, [1] * 9 + [0] + [1] * 10, [1] * 18 + [7] + [1]
OTHERS = dict.fromkeys(range(1, 11), (0, 0, 31, 45))


@cases(
    ("levels", "others", "fewest", "flagged"),
    {
        "every level at once": ([STRAIGHT] * 10, OTHERS, 20, True),
        "four of ten": ([STRAIGHT] * 4 + [LONGER] * 6, OTHERS, 20, True),
        "three of ten": ([STRAIGHT] * 3 + [LONGER] * 7, OTHERS, 20, False),
        "one action more": ([[1] * 21] * 10, OTHERS, 20, True),
        "two actions more": ([LONGER] * 10, OTHERS, 20, False),
        "with resets": ([AFRESH] * 10, OTHERS, 20, False),
        "with undos": ([UNDONE] * 10, OTHERS, 20, False),
        "no fewest number is known": ([STRAIGHT] * 10, OTHERS, None, False),
        "levels so short that chance wins them": ([[1] * 7] * 10, OTHERS, 7, False),
        "too few levels": ([STRAIGHT] * 7, OTHERS, 20, False),
        "half of the others do so too": (
            [STRAIGHT] * 10,
            dict.fromkeys(OTHERS, (20, 20, 31, 0)),
            20,
            False,
        ),
        "others needed even fewer": ([STRAIGHT] * 10, dict.fromkeys(OTHERS, (0, 0, 0, 15)), 20, False),
    },
)
def test_levels_won_at_once_with_the_fewest_actions_are_strong(
    levels: list[list[int]], others: dict[int, tuple[int, ...]], fewest: int | None, flagged: bool
) -> None:
    known = {7: dict.fromkeys(range(1, 11), fewest)} if fewest is not None else {}
    found = solution_known([won(*levels)], {7: norms_with(others)}, known, LIMITS)
    assert (found is not None) == flagged
    assert found is None or (found.rule, found.strength) == (Rule.SOLUTION_KNOWN, Strength.STRONG)


def test_without_norms_nobody_knows_the_solution() -> None:
    assert solution_known([won(*[STRAIGHT] * 10)], {}, {7: dict.fromkeys(range(1, 11), 20)}, LIMITS) is None


def test_ten_people_who_all_replay_the_fewest_known_actions_are_all_found() -> None:
    """They are each other's norms; that all of them win at once excuses none of them."""
    scripted = [won(*[STRAIGHT] * 10, attempt=number) for number in range(1, 11)]
    sample, known = NormSample(scripted, LIMITS), {7: dict.fromkeys(range(1, 11), 20)}
    for one in scripted:
        norms = sample.without(one.attempt)
        assert norms is not None
        found = findings([one], {7: norms}, LIMITS, {one.attempt: 1}, known)
        assert Rule.SOLUTION_KNOWN in {each.rule for each in found}


def test_what_others_did_is_told() -> None:
    known = {7: dict.fromkeys(range(1, 11), 20)}
    found = solution_known([won(*[STRAIGHT] * 10)], {7: norms_with({1: (20, 0, 0, 0)})}, known, LIMITS)
    assert found is not None
    assert found.sentence == (
        "10 of 10 levels were completed at once, without a reset or undo and with at most 5 % more actions"
        " than the fewest known; others did so at 2 %. The solutions may have been known before."
    )
