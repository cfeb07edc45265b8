"""The rules of kr68, one at a time, and what its levels ask for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.prove.search import solve
from games.kr68.search import FEWEST, Ledges
from tests.games.rules import one_of, rules


def moved(picture: str, things: dict[str, str], moves: str) -> list[Any]:
    """What is where after these moves: cells with things; the picture's rows are separated by spaces."""
    module = rules("kr68")
    rows = picture.split()
    lines = ["." * 8] * (8 - len(rows)) + [row.ljust(8, ".") for row in rows]
    board, state = module.parse(module.Plan("\n".join(lines), things, {}))
    for move in moves.split():
        at = (int(move[1]), int(move[2]))
        moments = module.move(board, state, at, 1 if move[0] == "r" else -1)
        state = moments[-1] if moments else state
    return [(at, written(one)) for at, one in state]


def written(one: Any) -> str:
    """A thing as a level writes it."""
    if one.colour:
        return str(one.colour)
    return " SL"[one.size] + "^>v<"[one.opening] + (written(one.inside) if one.inside else "")


def test_a_cup_turns_as_it_rolls_and_pours_out_what_it_holds() -> None:
    assert moved("A....... ########", {"A": "S^a"}, "r06") == [((1, 6), "S>a")]
    assert moved("A....... ########", {"A": "S^a"}, "r06 r16") == [((2, 6), "Sva")]
    assert moved("A....... ########", {"A": "S^a"}, "r06 r16 r26") == [((2, 6), "a"), ((3, 6), "S<")]


def test_on_smooth_ground_a_cup_slides_without_a_turn() -> None:
    assert moved("A....... ========", {"A": "S^a"}, "r06 r16 r26") == [((3, 6), "S^a")]


def test_what_nothing_bears_falls_also_into_a_cup() -> None:
    assert moved("A....... #....... .B...... ########", {"A": "S^", "B": "L^"}, "r04") == [((1, 6), "L^S>")]
    assert moved("A....... #....... ######## ########", {"A": "S^"}, "r04") == [((1, 5), "S>")]


def test_a_cup_takes_in_what_its_opening_meets() -> None:
    assert moved("A.b..... ========", {"A": "S>"}, "r06")[0] == ((1, 6), "S>")
    assert moved("AB...... ========", {"A": "S>", "B": "a"}, "r06") == [((1, 6), "S>a")]
    assert moved("AB...... ========", {"A": "S^", "B": "a"}, "r06") == [((0, 6), "S^"), ((1, 6), "a")]
    assert moved("AB...... ========", {"A": "S^a", "B": "L<"}, "r06") == [((1, 6), "L<S^a")]


def test_a_cup_of_the_same_size_or_the_ground_is_in_the_way() -> None:
    assert moved("AB...... ========", {"A": "S>", "B": "S<"}, "r06") == [((0, 6), "S>"), ((1, 6), "S<")]
    assert moved("A#...... ########", {"A": "S^"}, "r06") == [((0, 6), "S^")]
    assert moved("A....... ########", {"A": "S^"}, "l06") == [((0, 6), "S^")]


def test_what_falls_out_at_the_bottom_is_lost() -> None:
    module = rules("kr68")
    lines = ["." * 8] * 6 + ["A......."] + ["#......."]
    board, state = module.parse(module.Plan("\n".join(lines), {"A": "S^"}, {}))
    moments = module.move(board, state, (0, 6), 1)
    assert module.is_lost(moments[-1])
    assert not module.is_lost(state)
    assert not module.is_solved(board, moments[-1]) or not board.goals


def test_a_place_wants_what_belongs_there_and_nothing_else() -> None:
    module = rules("kr68")
    for held, wanted, solved in WANTED:
        lines = ["." * 8] * 6 + ["A......."] + ["w......."]
        board, state = module.parse(module.Plan("\n".join(lines), {"A": held}, {"w": "#" + wanted}))
        assert module.is_solved(board, state) == solved


WANTED = (
    ("S^a", "Sa", True),
    ("S^a", "a", False),
    ("S^", "Sa", False),
    ("L^S>a", "LSa", True),
    ("L^a", "LSa", False),
)


@pytest.mark.parametrize("level", one_of([2, 4, 5, 8], 4))
def test_levels_need_smooth_ground(level: int) -> None:
    found = solve(Ledges(rules("kr68"), level, rough=True))
    assert found is None or len(found) > len(FEWEST[level - 1].split())
