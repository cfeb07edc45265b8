"""A sketch that was turned, mirrored, recoloured or hardly changed is like the one that it was made of."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.sketches import LEAST_SHARE, alike, share

COLOURS = "0123456789abcdef"
ROOM = ["5" * 64] * 8 + [f"{'5' * 8}{'1' * 40}{'9' * 8}{'5' * 8}"] * 40 + ["5" * 64] * 16
"""1,600 cells of one colour and 320 of another on ground."""


def cells(lines: list[str]) -> str:
    return "".join(lines)


def turned(lines: list[str]) -> list[str]:
    return ["".join(column) for column in zip(*lines[::-1], strict=True)]


def changed(text: str, number: int) -> str:
    """The same with this many of the ground's cells in a further colour."""
    return text.replace("5", "7", number)


@given(st.permutations(COLOURS), st.integers(0, 3), st.booleans(), st.integers(0, 300))
def test_a_copy_that_was_turned_recoloured_and_hardly_changed_is_like_its_original(
    colours: list[str], quarters: int, mirrored: bool, number: int
) -> None:
    lines = [line[::-1] for line in ROOM] if mirrored else ROOM
    for _ in range(quarters):
        lines = turned(lines)
    copy = changed(cells(lines), number).translate(str.maketrans(COLOURS, "".join(colours)))
    assert alike(cells(ROOM), [copy]) == [copy]
    assert alike(copy, [cells(ROOM)]) == [cells(ROOM)]


def test_the_share_is_of_what_is_drawn_in_either() -> None:
    assert share(cells(ROOM), changed(cells(ROOM), 480)) == LEAST_SHARE
    assert alike(cells(ROOM), [changed(cells(ROOM), 479)])
    assert not alike(cells(ROOM), [changed(cells(ROOM), 480)])


def test_other_rooms_are_not_alike() -> None:
    stripes = ["5" * 64, "1" * 64] * 32
    corner = ["5" * 64] * 60 + ["1" * 4 + "5" * 60] * 4
    centre = ["5" * 64] * 30 + [f"{'5' * 30}1111{'5' * 30}"] * 4 + ["5" * 64] * 30
    for one, other in combinations([ROOM, stripes, corner, centre], 2):
        assert not alike(cells(one), [cells(other)])
