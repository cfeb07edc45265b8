"""Stages and gates are declared in one place, and a broken declaration is found."""

import pytest

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

SPECIFICATION, INTERNAL, EXTERNAL, DONE = Stage


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ((*MOVES, MOVES[0]), "twice"),
        ((*MOVES, Move(SPECIFICATION, EXTERNAL, (Need.NOTE,))), "leaves out"),
        ((*MOVES, Move(SPECIFICATION, SPECIFICATION)), "no way between"),
        ((Move(SPECIFICATION, INTERNAL), *MOVES[1:]), "no gate"),
        ((*MOVES[:3], Move(INTERNAL, SPECIFICATION), *MOVES[4:]), "needs words"),
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
    assert [fact.words for fact in unmet(move, facts)] == ["version", "owner"]
    del facts[Need.NOTE]
    with pytest.raises(RuleError, match="note"):
        unmet(move, facts)


def test_stages_are_left_one_by_one() -> None:
    with pytest.raises(RuleError) as raised:
        find_move(SPECIFICATION, DONE)
    assert raised.value.code == "no_such_move"
    assert next_move(DONE) is None
