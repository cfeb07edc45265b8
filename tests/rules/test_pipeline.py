"""Stages and gates are declared in one place, and a broken declaration is found."""

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
    next_move,
    unmet,
)
from tests.refusals import rule_refused

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


def test_a_need_without_a_description_is_refused() -> None:
    with pytest.raises(RuleError, match="note is not described"):
        check_declaration(MOVES, {need: "" for need in Need if need != Need.NOTE})


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
