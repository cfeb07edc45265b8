"""Tasks that are the same up to colours, rotation and reflection, for the review of redundancy.

Two tasks are the same if one turn or reflection of all grids and one exchange of colours make the pairs of
the one those of the other, in any order. Demonstrations and test pairs are taken together: moving a pair from
one to the other makes no new task.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

type Rows = tuple[tuple[int, ...], ...]
type Pairs = tuple[tuple[Rows, Rows], ...]
"""Input and output of each pair of a task."""


def duplicates(
    tasks: Mapping[str, Iterable[tuple[Sequence[Sequence[int]], Sequence[Sequence[int]]]]],
) -> list[tuple[str, ...]]:
    """The names of tasks that are the same, group by group in the order given; tasks alone are left out.

    Only tasks with the same sizes and counts of colours are compared, and of these only tasks with the same
    pairs when the colours of each pair are numbered on their own.
    """
    alike: dict[_Outline, list[tuple[str, Pairs]]] = {}
    for name, given in tasks.items():
        pairs = tuple((_rows(source), _rows(target)) for source, target in given)
        alike.setdefault(_outline(pairs), []).append((name, pairs))
    buckets: dict[tuple[Pairs, ...], list[list[tuple[str, Pairs]]]] = {}
    for name, pairs in (each for several in alike.values() if len(several) > 1 for each in several):
        groups = buckets.setdefault(_shape(pairs), [])
        group = next((each for each in groups if same_task(each[0][1], pairs)), None)
        if group is None:
            groups.append([(name, pairs)])
        else:
            group.append((name, pairs))
    order = {name: place for place, name in enumerate(tasks)}
    found = [tuple(name for name, _ in group) for groups in buckets.values() for group in groups]
    return sorted((group for group in found if len(group) > 1), key=lambda group: order[group[0]])


def same_task(first: Pairs, second: Pairs) -> bool:
    """Whether two tasks are the same up to colours, rotation and reflection."""
    return len(first) == len(second) and any(_matches(first, moved, {}) for moved in moves(second))


def _matches(first: Pairs, second: Pairs, colours: Mapping[int, int]) -> bool:
    """Whether the pairs can be matched one to one by an exchange of colours that continues `colours`."""
    if not first:
        return True
    for index, pair in enumerate(second):
        continued = _exchange(first[0], pair, colours)
        if continued is not None and _matches(first[1:], second[:index] + second[index + 1 :], continued):
            return True
    return False


def _exchange(
    first: tuple[Rows, Rows], second: tuple[Rows, Rows], colours: Mapping[int, int]
) -> dict[int, int] | None:
    """The exchange of colours that makes the first pair the second one, or None."""
    exchange, back = dict(colours), {new: old for old, new in colours.items()}
    for one, other in zip(first, second, strict=True):
        if [len(row) for row in one] != [len(row) for row in other]:
            return None
        for old, new in zip(chain.from_iterable(one), chain.from_iterable(other), strict=True):
            if exchange.setdefault(old, new) != new or back.setdefault(new, old) != old:
                return None
    return exchange


type _Outline = tuple[tuple[tuple[int, ...], ...], ...]


def _outline(pairs: Pairs) -> _Outline:
    """What same tasks have in common and is soon found: sizes and how often each colour is there, by pair."""
    return tuple(
        sorted(
            tuple(
                part
                for grid in pair
                for part in (
                    tuple(sorted((len(grid), len(grid[0])))),
                    tuple(sorted(Counter(chain.from_iterable(grid)).values())),
                )
            )
            for pair in pairs
        )
    )


def _shape(pairs: Pairs) -> tuple[Pairs, ...]:
    """What same tasks have in common: for each move the pairs, numbered on their own, in a fixed order."""
    return tuple(sorted(tuple(sorted(map(_numbered, moved))) for moved in moves(pairs)))


def _numbered(pair: tuple[Rows, Rows]) -> tuple[Rows, Rows]:
    """The pair with its colours numbered in the order in which they appear."""
    numbers: dict[int, int] = {}
    source, target = (
        tuple(tuple(numbers.setdefault(cell, len(numbers)) for cell in row) for row in grid) for grid in pair
    )
    return source, target


def moves(pairs: Pairs) -> Iterator[Pairs]:
    """The pairs in the four rotations, and in those of the mirrored grids."""
    for moved in (pairs, tuple((_mirrored(source), _mirrored(target)) for source, target in pairs)):
        for _ in range(4):
            yield moved
            moved = tuple((_turned(source), _turned(target)) for source, target in moved)


def _mirrored(grid: Rows) -> Rows:
    return tuple(row[::-1] for row in grid)


def _turned(grid: Rows) -> Rows:
    return tuple(zip(*grid[::-1], strict=True))


def _rows(grid: Sequence[Sequence[int]]) -> Rows:
    return tuple(tuple(row) for row in grid)
