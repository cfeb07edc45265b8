"""Gates of stages: their order and the ten people of acceptance."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.acceptance import Acceptance, Gate, Verdict
from playtest.rules.errors import RuleError
from playtest.rules.kinds import Kind
from playtest.rules.pipeline import (
    MOVES,
    MOVES_OF,
    NEEDS,
    Fact,
    Move,
    Need,
    Stage,
    find_move,
    moves_back,
    next_move,
    unmet,
)
from tests.refusals import rule_refused


def verdict(people: int, solvers: int) -> Verdict:
    """Of ten people, two of whom must solve it."""
    return Acceptance(people=10, solvers=2).verdict(people, solvers)


@pytest.mark.parametrize(
    ("people", "solvers", "gate", "more", "can_pass"),
    [
        (0, 0, Gate.NEEDS_PEOPLE, 10, True),
        (8, 0, Gate.NEEDS_PEOPLE, 2, True),
        (9, 0, Gate.NEEDS_PEOPLE, 1, False),
        (9, 1, Gate.NEEDS_PEOPLE, 1, True),
        (9, 2, Gate.NEEDS_PEOPLE, 1, True),
        (10, 0, Gate.BACK, 0, False),
        (10, 1, Gate.BACK, 0, False),
        (10, 2, Gate.PASSED, 0, True),
        (11, 1, Gate.BACK, 0, False),
        (11, 2, Gate.PASSED, 0, True),
    ],
)
def test_the_gate_needs_its_people_and_solvers(
    people: int, solvers: int, gate: Gate, more: int, can_pass: bool
) -> None:
    found = verdict(people, solvers)
    assert (found.gate, found.more, found.can_pass) == (gate, more, can_pass)
    assert (found.people, found.solvers) == (people, solvers)


@pytest.mark.parametrize(
    ("people", "solvers", "sentence"),
    [
        (0, 0, "10 more people must try it; it passes if 2 of them complete every level."),
        (
            9,
            1,
            "Of the 9 so far, 1 completed all levels; 1 more person must try it; "
            "it passes if 1 of them completes every level.",
        ),
        (9, 0, "Of the 9 so far, 0 completed all levels; 1 more person must try it; it can no longer pass."),
        (
            7,
            2,
            "Of the 7 so far, 2 completed all levels; 3 more people must try it; "
            "that is enough, it can only pass.",
        ),
        (10, 3, "3 of 10 completed all levels; 2 are enough."),
        (10, 1, "1 of 10 completed all levels; at least 2 were needed."),
    ],
)
def test_the_gate_gives_its_reason(people: int, solvers: int, sentence: str) -> None:
    assert verdict(people, solvers).sentence == sentence


@given(st.integers(0, 30), st.data(), st.integers(1, 15), st.integers(1, 4))
def test_the_gate_can_pass_if_all_remaining_people_solving_would_pass(
    people: int, data: st.DataObject, target: int, minimum: int
) -> None:
    solvers = data.draw(st.integers(0, people))
    found = Acceptance(target, minimum).verdict(people, solvers)
    at_best = Acceptance(target, minimum).verdict(people + found.more, solvers + found.more)
    assert at_best.more == 0
    assert found.can_pass == (at_best.gate is Gate.PASSED)
    assert (found.gate is Gate.NEEDS_PEOPLE) == (people < target)


@pytest.mark.parametrize(("people", "solvers"), [(3, 4), (3, -1)])
def test_impossible_counts_are_refused(people: int, solvers: int) -> None:
    with rule_refused("solvers_out_of_range"):
        verdict(people, solvers)


@pytest.mark.parametrize(
    ("people", "solvers", "code"), [(0, 2, "target_not_positive"), (10, 0, "solvers_not_positive")]
)
def test_a_gate_without_required_people_is_refused(people: int, solvers: int, code: str) -> None:
    with rule_refused(code):
        Acceptance(people, solvers)


ONLY_OF_PROGRAMS = {Need.CARD, Need.NOTE, Need.LEVELS, Need.QUALIFIED, Need.UNGUESSABLE}


def test_a_task_goes_the_same_way_through_gates_of_its_own() -> None:
    moves, stage, needs = MOVES_OF[Kind.TASK], Stage.SPECIFICATION, list[Need]()
    while (move := next_move(stage, moves)) is not None:
        assert set(move.needs) == set(find_move(move.before, move.after).needs) - ONLY_OF_PROGRAMS
        stage, needs = move.after, [*needs, *move.needs]
    assert stage == Stage.DONE
    assert {Need.VERSION, Need.OWNER, Need.PLAYED, Need.ACCEPTED, Need.DISTINCT} == set(needs)


def test_a_task_goes_back_as_programs_do() -> None:
    for stage in Stage:
        assert moves_back(stage, MOVES_OF[Kind.TASK]) == moves_back(stage, MOVES)


SPECIFICATION, INTERNAL, EXTERNAL, DONE = Stage


@pytest.mark.parametrize("moves", MOVES_OF.values(), ids=MOVES_OF)
def test_every_move_leads_one_stage_on_by_a_gate_or_back_for_a_reason(moves: tuple[Move, ...]) -> None:
    assert len({(move.before, move.after) for move in moves}) == len(moves)
    for move in moves:
        steps = list(Stage).index(move.after) - list(Stage).index(move.before)
        assert steps == 1 if move.forward else steps < 0
        assert (bool(move.needs), move.requires_reason) == (move.forward, not move.forward)
        assert set(move.needs) <= set(NEEDS)
    for before, after in pairwise(Stage):
        assert next_move(before, moves) is not None
        assert moves_back(after, moves)


def test_a_gate_lists_its_unmet_needs_in_order() -> None:
    move = find_move(SPECIFICATION, INTERNAL)
    facts = {need: Fact(need == Need.NOTE, need) for need in Need}
    assert [fact.sentence for fact in unmet(move, facts)] == ["card", "version", "owner", "distinct"]
    del facts[Need.NOTE]
    with pytest.raises(RuleError, match="note"):
        unmet(move, facts)


def test_stages_are_left_one_by_one() -> None:
    with rule_refused("no_such_move"):
        find_move(SPECIFICATION, DONE)
    assert next_move(DONE) is None


@given(st.sampled_from(MOVES), st.sets(st.sampled_from(Need)))
def test_a_gate_opens_exactly_if_all_its_needs_are_met(move: Move, met: set[Need]) -> None:
    facts = {need: Fact(need in met, need) for need in Need}
    missing = [fact.sentence for fact in unmet(move, facts)]
    assert missing == [need for need in move.needs if need not in met]
    assert (missing == []) == met.issuperset(move.needs)
    assert move.forward or not missing
