"""The rules of ph79, one at a time, and what its levels ask for."""

from __future__ import annotations

import pytest

from engine.prove.search import solve
from games.ph79.search import FoldedSheet
from tests.games.rules import one_of, rules


def folded(sheet: str, creases: str) -> str:
    """The sheet's rows after these folds: wet ink in small letters, dry ink in capitals."""
    module = rules("ph79")
    rows = sheet.split()
    board, state = module.parse(module.Plan(sheet, sheet, ""))
    for name in creases.split():
        state = module.fold(board, state, module.crease_of(name, len(rows)))
    signs = {at: ink.colour if ink.is_wet else ink.colour.upper() for at, ink in state.inks}
    cells = range(len(rows))
    return " ".join(
        "".join(signs.get((x, y), "." if rows[y][x] != "#" else "#") for x in cells) for y in cells
    )


@pytest.mark.parametrize(
    ("sheet", "creases", "after"),
    [
        ("a... .... .... ....", "v2", "A..a .... .... ...."),
        ("a... .... .... ....", "v1", "Aa.. .... .... ...."),
        ("a... .... .... ....", "h2", "A... .... .... a..."),
        (".a.. .... .... ....", "d", ".A.. a... .... ...."),
        (".a.. .... .... ....", "u", ".A.. .... ...a ...."),
        ("a... .... .... ....", "v3", "A... .... .... ...."),  # nothing lies there: it has dried
        ("a... .... .... ....", "v2 v2", "a..A .... .... ...."),
        ("a... .... .... ....", "v2 h2", "A..A .... .... ...a"),
        ("a..a .... .... ....", "v2", "a..a .... .... ...."),
        ("A... .... .... ....", "v2", "A... .... .... ...."),
    ],
)
def test_wet_ink_prints_where_it_lies_and_only_prints_are_wet_then(
    sheet: str, creases: str, after: str
) -> None:
    assert folded(sheet, creases) == after


def test_two_colours_that_meet_are_mixed() -> None:
    assert folded("a..B .... .... ....", "v2") == "A..x .... .... ...."
    assert folded("a..b .... .... ....", "v2") == "x..x .... .... ...."


def test_nothing_is_printed_on_a_hole() -> None:
    assert folded("a..# .... .... ....", "v2") == "A..# .... .... ...."


def test_water_makes_dry_ink_wet_once_and_waits_for_it() -> None:
    assert folded("A..w .... .... ....", "v2") == "a... .... .... ...."
    assert folded("A..w .... .... ....", "h2 v2 h2") == "A... .... .... a..."
    assert folded("a..w .... .... ....", "v2") == "A..w .... .... ...."


def test_a_spoilt_sheet_gives_way_to_the_next_one_and_the_third_ends_the_level() -> None:
    module = rules("ph79")
    board, state = module.parse(module.Plan("a... .... .... ....", "a..a .... .... a..a", "v2 v1"))
    wrong = module.crease_of("v1", 4)
    for left in (2, 1, 0):
        state = module.turn(board, state, wrong)
        assert state == module.State(board.printed, left)


def test_a_sheet_is_spoilt_when_all_is_dry_and_something_is_missing() -> None:
    module = rules("ph79")
    plan = module.Plan("a... .... .... ....", "a..a .... .... ....", "v3")
    board, state = module.parse(plan)
    assert module.is_spoilt(board, module.fold(board, state, board.creases[0]))
    board, state = module.parse(plan._replace(sheet="a... .w.. .... ....", creases="v3 d"))
    assert module.is_spoilt(board, module.fold(board, state, board.creases[0]))
    board, state = module.parse(plan._replace(sheet="a... ...w .... ....", creases="v3 h1 v2"))
    assert module.is_spoilt(board, module.fold(board, state, board.creases[0]))
    board, state = module.parse(plan._replace(sheet="a..w .... .... ....", creases="h3 v2"))
    assert not module.is_spoilt(board, module.fold(board, state, board.creases[0]))


@pytest.mark.parametrize(
    ("level", "without"), one_of([(4, "#"), (5, "w"), (7, "w"), (8, "w"), (8, "#")], (5, "w"))
)
def test_levels_need_their_holes_and_their_water(level: int, without: str) -> None:
    assert solve(FoldedSheet(rules("ph79"), level, without)) is None


@pytest.mark.parametrize("level", one_of([6, 7, 8], 6))
def test_levels_with_a_slanting_crease_need_it(level: int) -> None:
    creases = [name for name in rules("ph79").LEVELS[level - 1].creases.split() if name not in "du"]
    assert solve(FoldedSheet(rules("ph79"), level, creases=" ".join(creases))) is None
