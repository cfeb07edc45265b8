"""The gates of static tasks ask for nothing that only a program has."""

from playtest.rules.kinds import Kind
from playtest.rules.pipeline import MOVES, MOVES_OF, Need, Stage, find_move, moves_back, next_move

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
