"""Wrong outputs of a pair, grouped by identical grid, and the pairs where people agree on one.

Where people agree on an output that its author holds to be wrong, the demonstrations may allow two rules.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

FEWEST_AGREEING = 2
"""So many people with the same wrong output are no chance: a grid has more outputs than people ever try."""


@dataclass(frozen=True, slots=True)
class WrongOutput[Where: Hashable]:
    """One wrong grid: where it was submitted, in order, and by how many different people."""

    grid: tuple[tuple[int, ...], ...]
    people: int
    submitted: tuple[Where, ...]


def grouped[Where: Hashable](
    submissions: Iterable[tuple[Hashable, Sequence[Sequence[int]], Where]],
) -> list[WrongOutput[Where]]:
    """Groups wrong submissions, each with its person, its grid, and where it is found.

    The grid of most people comes first; of equal ones, that which was submitted more often, then the first
    one. A person who submits a grid twice is one person.
    """
    people: dict[tuple[tuple[int, ...], ...], set[Hashable]] = {}
    places: dict[tuple[tuple[int, ...], ...], list[Where]] = {}
    for person, rows, where in submissions:
        grid = tuple(tuple(row) for row in rows)
        people.setdefault(grid, set()).add(person)
        places.setdefault(grid, []).append(where)
    found = [WrongOutput(grid, len(people[grid]), tuple(places[grid])) for grid in places]
    return sorted(found, key=lambda each: (-each.people, -len(each.submitted)))


def ambiguous[Where: Hashable](wrong: Sequence[WrongOutput[Where]], solvers: int) -> bool:
    """Whether a pair may have two answers: a wrong output convinced as many people as the right one.

    At least `FEWEST_AGREEING` people submitted it, and at least as many as the `solvers` of the pair.
    """
    return any(each.people >= max(FEWEST_AGREEING, solvers) for each in wrong)
