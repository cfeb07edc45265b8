"""Stages and gates are declared in one place, and a broken declaration is found."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.errors import RuleError
from playtest.rules.pipeline import (
    MOVES,
    Fact,
    Move,
    Need,
    Stage,
    check_declaration,
    find_move,
    moves_back,
    next_move,
    unmet,
)

SPECIFICATION, INTERNAL, EXTERNAL, DONE = Stage


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ((*MOVES, MOVES[0]), "twice"),
        ((*MOVES, Move(SPECIFICATION, EXTERNAL, (Need.NOTE,))), "leaves out"),
        ((*MOVES, Move(SPECIFICATION, SPECIFICATION)), "does not lead"),
        ((Move(SPECIFICATION, INTERNAL), *MOVES[1:]), "no gate"),
        ((*MOVES[:3], Move(INTERNAL, SPECIFICATION), *MOVES[4:]), "must require a reason"),
        (MOVES[1:], "nothing leads on from specification"),
        (MOVES[:3], "nothing leads back from internal"),
    ],
)
def test_a_broken_declaration_is_refused(moves: tuple[Move, ...], reason: str) -> None:
    with pytest.raises(RuleError, match=reason) as raised:
        check_declaration(moves)
    assert raised.value.code == "pipeline_invalid"


def test_a_need_that_nothing_describes_is_refused() -> None:
    with pytest.raises(RuleError, match="note is not described"):
        check_declaration(MOVES, {need: "" for need in Need if need != Need.NOTE})


def test_a_gate_names_what_is_unmet_in_its_order_and_asks_for_everything() -> None:
    move = find_move(SPECIFICATION, INTERNAL)
    facts = {need: Fact(need == Need.NOTE, need) for need in Need}
    assert [fact.sentence for fact in unmet(move, facts)] == ["version", "owner"]
    del facts[Need.NOTE]
    with pytest.raises(RuleError, match="note"):
        unmet(move, facts)


def test_stages_are_left_one_by_one() -> None:
    with pytest.raises(RuleError) as raised:
        find_move(SPECIFICATION, DONE)
    assert raised.value.code == "no_such_move"
    assert next_move(DONE) is None


@given(st.sampled_from(MOVES), st.sets(st.sampled_from(Need)))
def test_a_gate_opens_when_everything_it_asks_for_is_met_and_never_else(move: Move, met: set[Need]) -> None:
    facts = {need: Fact(need in met, need) for need in Need}
    missing = [fact.sentence for fact in unmet(move, facts)]
    assert missing == [need for need in move.needs if need not in met]
    assert (missing == []) == met.issuperset(move.needs)
    assert move.forward or not missing


@given(st.lists(st.integers(0, 5), max_size=30))
def test_wherever_moves_lead_nothing_is_done_that_has_not_come_through_every_gate(choices: list[int]) -> None:
    way = [SPECIFICATION]
    for choice in choices:
        onward = next_move(way[-1])
        offered = [*moves_back(way[-1]), *([onward] if onward else [])]
        way.append(offered[choice % len(offered)].after)
    order = list(Stage)
    assert all(order.index(after) - order.index(before) <= 1 for before, after in pairwise(way))
    if DONE in way:
        assert {SPECIFICATION, INTERNAL, EXTERNAL} <= set(way[: way.index(DONE)])
