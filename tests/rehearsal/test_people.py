"""Simulated people choose available actions, take time, end and repeat by their seed."""

from hypothesis import given
from hypothesis import strategies as st

from playtest.rehearsal.people.person import Kind, Person
from playtest.rehearsal.people.population import play, population
from playtest.rehearsal.people.steps import (
    CLICK,
    KEY,
    TOUCH,
    Answer,
    Leave,
    Press,
    Scene,
    Solutions,
    Step,
    WalkOut,
    from_recording,
)
from tests.rehearsal.board import ALL, LEVELS, Board

MOST_STEPS = 20_000

seeds = st.integers(0, 10_000)
unit = st.floats(0, 1)
offers = st.lists(st.sampled_from(ALL), min_size=1, unique=True).map(tuple)
people = st.builds(
    Person,
    number=st.integers(1, 40),
    seed=seeds,
    kind=st.sampled_from(Kind),
    skill=unit,
    patience=unit,
    tempo=st.floats(0.4, 2.5),
    hands=st.sampled_from([KEY, TOUCH]),
)
presses = st.builds(Press, st.sampled_from(ALL[:5])) | st.builds(
    Press, st.just(CLICK), st.integers(0, 63), st.integers(0, 63)
)
solutions = st.builds(
    Solutions,
    st.text(min_size=1, max_size=4),
    st.lists(st.lists(presses, min_size=1, max_size=12).map(tuple), max_size=LEVELS).map(tuple),
)


def played(person: Person, known: Solutions, board: Board) -> list[Step]:
    """Plays and checks that every step is possible in its scene."""
    steps: list[Step] = []
    moves = play(person, board.scene, known)
    step = next(moves, None)
    while step is not None and len(steps) < MOST_STEPS:
        steps.append(step)
        board.seconds += step.pause
        if isinstance(step.act, Press):
            assert board.scene.allows(step.act.action), (step.act, board.scene)
            board.press(step.act)
        ends = isinstance(step.act, Leave | WalkOut) or step.act == Answer("finish")
        if ends or board.scene.state == "WIN":
            break
        try:
            step = moves.send(board.scene)
        except StopIteration:
            step = None
    return steps


@given(people, solutions, seeds, offers)
def test_simulated_people_choose_available_actions_and_end(
    person: Person, known: Solutions, seed: int, offered: tuple[int, ...]
) -> None:
    board = Board(seed, offered)
    steps = played(person, known, board)
    assert 0 < len(steps) < MOST_STEPS
    assert board.scene.state == "WIN" or not isinstance(steps[-1].act, Press)
    assert all(0.02 < step.pause < 300 for step in steps)
    assert sum(isinstance(step.act, Answer) for step in steps) <= 1


@given(people, solutions, seeds)
def test_the_same_person_repeats_the_same_actions(person: Person, known: Solutions, seed: int) -> None:
    assert played(person, known, Board(seed)) == played(person, known, Board(seed))


@given(people, seeds)
def test_clicks_are_on_the_board_and_by_mouse_or_touch(person: Person, seed: int) -> None:
    edge = Solutions("edge", ((Press(CLICK, 0, 63), Press(CLICK, 63, 0)),) * LEVELS)
    for step in played(person, edge, Board(seed, (CLICK,))):
        if isinstance(step.act, Press) and step.act.action == CLICK:
            assert 0 <= step.act.x <= 63
            assert 0 <= step.act.y <= 63
            assert step.act.input == (TOUCH if person.hands == TOUCH else 3)


def test_a_cast_depends_on_its_seed_and_a_larger_one_begins_the_same() -> None:
    assert population(14, 3) == population(14, 3)
    assert population(5, 3) == population(14, 3)[:5]
    assert population(14, 3) != population(14, 4)


def test_a_cast_of_fourteen_mostly_tries() -> None:
    kinds = [person.kind for person in population(14, 1)]
    assert set(kinds) == {Kind.LEARNER, Kind.QUITTER, Kind.DISTRACTED, Kind.MASHER, Kind.WANDERER}
    assert kinds.count(Kind.LEARNER) == 10


def test_a_solution_begins_after_the_last_reset_of_its_level() -> None:
    acts = [(1, Press(1)), (1, Press(0)), (1, Press(2)), (2, Press(3)), (2, Press(7)), (2, Press(4))]
    known = from_recording("ab12", acts, 3)
    assert known.levels == ((Press(2),), (Press(3), Press(7), Press(4)), ())


def test_with_skill_people_complete_more_levels_with_fewer_actions_each() -> None:
    """On a board that accepts only its solution, with detours taken back."""
    known = Solutions("solution", (tuple(Press((1, 3, 2, 4)[step % 4]) for step in range(12)),) * LEVELS)

    def played(skill: float) -> tuple[int, float]:
        everyone = (Person(number, 1, Kind.LEARNER, skill, patience=1.0) for number in range(40))
        found = [count for person in everyone for count in _actions(person, known)]
        return len(found), sum(found) / len(found)

    levels, actions = zip(*map(played, (0.95, 0.5, 0.1)), strict=True)
    assert levels[0] > levels[1] > levels[2]
    assert actions[0] < actions[1] < actions[2]


def _actions(person: Person, known: Solutions) -> list[int]:
    """The actions on each level that the person completes before they give up."""
    level, done, actions = 1, list[Press](), [0]
    moves = play(person, Scene(level, LEVELS, (1, 2, 3, 4)), known)
    step = next(moves)
    while isinstance(step.act, Press):
        actions[-1] += 1
        done = [] if step.act.action == 0 else [*done, step.act]
        if len(done) > 1 and {done[-1].action, done[-2].action} in ({1, 2}, {3, 4}):
            done = done[:-2]  # a step back
        if [press.action for press in done] == [press.action for press in known.of(level)]:
            level, done, actions = level + 1, [], [*actions, 0]
        if level > LEVELS:
            break
        step = moves.send(Scene(level, LEVELS, (1, 2, 3, 4)))
    return actions[:-1]
