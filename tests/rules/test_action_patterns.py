"""Action patterns of people on a level, from journals written as text (tests/rules/levels.py)."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.action_patterns import (
    FIRST,
    LONGEST_PATTERN,
    Act,
    ActionPatterns,
    Box,
    Node,
    Repeat,
    Shared,
    Step,
    action_patterns,
    dead_clicks,
    failing_patterns,
    tree,
)

_ACTIONS = {"R": 0, "U": 1, "D": 2, "c": 6}


def person(written: str) -> ActionPatterns:
    """Pairs of a move and the state it leads to, `Ub` or `c.`; every level begins in state a.

    `.` is a move that changes nothing, `+` one that completes the level. Clicks are on cell 3, 4.
    """
    state, steps = "a", list[Step]()
    for move, to in zip(written[::2], written[1::2], strict=True):
        after = state if to == "." else to
        act = Act(6, 8, 3, 3) if move == "c" else Act(_ACTIONS[move])
        click: dict[str, Any] = {"at": (3, 4), "box": Box(3, 3, 4, 4)} if move == "c" else {}
        steps.append(Step(act, after != state, after.encode(), to == "+", **click))
        state = after
    return action_patterns(b"a", steps)


def acts(written: str) -> tuple[Act, ...]:
    return tuple(Act(6, 8, 3, 3) if move == "c" else Act(_ACTIONS[move]) for move in written)


def test_a_loop_and_a_no_op_are_patterns_once_they_are_repeated() -> None:
    found = person("Ub Da U. U. Ub Da Dc".replace(" ", ""))
    assert found.patterns == {acts("UD"): Repeat(2, 1), acts("U"): Repeat(2, 3)}
    assert (found.actions, found.no_ops) == (7, 2)


def test_the_same_actions_up_to_a_reset_are_a_pattern_and_the_completing_action_is_in_none() -> None:
    assert person("UbDcRaUbDcRa").patterns == {acts("UDR"): Repeat(2, 1)}
    assert person("U.U+").patterns == {}


def test_a_loop_is_the_shortest_and_shares_no_action_with_another() -> None:
    assert person("UbUcUbUcUb").patterns == {acts("UU"): Repeat(2, 2)}
    long = "".join(f"U{chr(98 + number)}" for number in range(LONGEST_PATTERN - 1))
    assert person((long + "Da") * 2).patterns == {acts("U" * (LONGEST_PATTERN - 1) + "D"): Repeat(2, 1)}
    longer = "".join(f"U{chr(98 + number)}" for number in range(LONGEST_PATTERN))
    assert person((longer + "Da") * 2).patterns == {}


def test_patterns_are_counted_by_people_with_the_example_of_who_did_it_most() -> None:
    everyone = {7: person("U.U."), 8: person("UbDaU.U.U."), 9: person("U.D.")}
    assert failing_patterns(everyone) == [Shared(acts("U"), 2, 5, 8, Repeat(3, 3))]


def test_clicks_without_effect_are_counted_by_people_and_component() -> None:
    everyone = {7: person("c.cbc."), 8: person("Ubc."), 9: person("cb")}
    (found,) = dead_clicks(everyone)
    assert (found.what, found.people, found.times) == (Act(6, 8, 3, 3), 2, 3)
    assert (found.example, found.done.times, found.done.first) == (7, 2, 1)


def test_equal_beginnings_are_one_node() -> None:
    firsts = {1: acts("UUD"), 2: acts("UUDc"), 3: acts("UUU"), 4: acts("D"), 5: ()}
    assert tree(firsts) == (
        Node(
            acts("UU"), 2, (1, 2, 3), (),
            (
                Node(acts("D"), 3, (1, 2), (1,), (Node(acts("c"), 4, (2,), (2,), ()),)),
                Node(acts("U"), 3, (3,), (3,), ()),
            ),
        ),
        Node(acts("D"), 1, (4,), (4,), ()),
    )  # fmt: skip


@given(st.dictionaries(st.integers(1, 9), st.text("UDR", max_size=FIRST).map(acts)))
def test_every_person_is_in_the_nodes_of_their_beginning_and_ends_in_one(
    firsts: dict[int, tuple[Act, ...]],
) -> None:
    ended: list[int] = []

    def check(node: Node, before: tuple[Act, ...]) -> None:
        path = before + node.acts
        assert node.depth == len(path)
        assert set(node.people) == {who for who, first in firsts.items() if first[: len(path)] == path}
        assert set(node.ended) == {who for who, first in firsts.items() if first == path}
        assert len(node.children) != 1 or node.ended, "a chain of the same people is one node"
        ended.extend(node.ended)
        for child in node.children:
            check(child, path)

    for node in tree(firsts):
        check(node, ())
    assert sorted(ended) == sorted(who for who, first in firsts.items() if first)


@given(st.lists(st.tuples(st.sampled_from("URDc"), st.sampled_from("abcd.")), max_size=60))
def test_patterns_are_those_of_a_plain_search(moves: list[tuple[str, str]]) -> None:
    written = "".join(map("".join, moves))
    states = ["a"]
    for _, to in moves:
        states.append(states[-1] if to == "." else to)
    loops: list[str] = []
    begin = 0
    for end in range(1, len(states)):
        backs = [at for at in range(max(begin, end - LONGEST_PATTERN), end) if states[at] == states[end]]
        if backs:
            loops.append("".join(move for move, _ in moves[backs[-1] : end]))
            begin = end
    expected = {acts(loop): loops.count(loop) for loop in loops if loops.count(loop) > 1}
    found = person(written).patterns
    assert {pattern: repeat.times for pattern, repeat in found.items()} == expected
