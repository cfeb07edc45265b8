"""What may be told of people's answers, so that nobody can be recognised by them (docs/decisions/0225).

`fewest` is a value of the protocol (`smallest_group`): so many people share everything that is shown of each.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence

FEWEST_PEOPLE, LEAST_GROUP = 5, 2

type Answers = tuple[str | None, ...]
"""A person's answers, one for each question; None: not given, or withheld."""
type Shown = list[list[str | None]]


def withheld(sizes: Sequence[int], fewest: int = FEWEST_PEOPLE) -> frozenset[int]:
    """The indices in `sizes` of the groups to withhold where the total is known.

    Groups of fewer than `fewest` people are withheld. Where those together are still fewer, subtracting the
    others from the total would tell of them: then the next smallest are withheld, too, until there are
    enough. Of equals the earlier goes.
    """
    by_size = sorted(range(len(sizes)), key=lambda place: (sizes[place], place))
    hidden = [place for place in by_size if sizes[place] < fewest]
    for place in by_size[len(hidden) :]:
        if not 0 < sum(sizes[index] for index in hidden) < fewest:
            break
        hidden.append(place)
    return frozenset(hidden)


def released(
    people: Sequence[Answers], fixed: Sequence[Hashable], fewest: int = FEWEST_PEOPLE
) -> list[Answers]:
    """The answers of people with as few withheld as are found to be, so that they tell nobody apart.

    `fixed` is what else the data say of each person. Who has the same of it and the same answers left is one
    of at least `fewest`; with a `fixed` of fewer people nothing is left. Of those who gave an answer, it is
    withheld of nobody or of at least `fewest`, so that who knows how many gave it learns of no fewer.

    A part of the people is divided by the question that leaves most of them an answer, and each part of it
    again; answers of too few are one part, with those that were not given. The order of people is irrelevant.
    """
    shown: Shown = [[None] * len(each) for each in people]
    for part in _parts(fixed):
        if len(part) >= fewest:
            _divide(people, shown, part, set(range(len(people[0]))), fewest)
    for column in range(len(people[0]) if people else 0):
        _complete(people, shown, fixed, column, fewest)
    return [tuple(each) for each in shown]


def whole_tables(tables: Mapping[str, Mapping[str, int]], fewest: int = FEWEST_PEOPLE) -> frozenset[str]:
    """The names of the tables to show, of people by group, where their sum by group is known.

    A table with a group of fewer than `fewest` people is left out as a whole, and further ones, the smallest
    first, until those left out have no group of so few together.
    """
    hidden = {name for name, sizes in tables.items() if any(0 < size < fewest for size in sizes.values())}
    others = sorted(tables.keys() - hidden, key=lambda name: (sum(tables[name].values()), name))
    for name in others:
        sums = Counter[str]()
        for one in hidden:
            sums.update(tables[one])
        if not any(0 < size < fewest for size in sums.values()):
            break
        hidden.add(name)
    return frozenset(tables.keys() - hidden)


def _parts(keys: Iterable[Hashable]) -> list[list[int]]:
    """The places of equal keys."""
    found: dict[Hashable, list[int]] = defaultdict(list)
    for place, one in enumerate(keys):
        found[one].append(place)
    return list(found.values())


def _divide(people: Sequence[Answers], shown: Shown, part: list[int], columns: set[int], fewest: int) -> None:
    """Fills `shown` for these people, of whom there are enough."""
    found = {column: _shown([people[place][column] for place in part], fewest) for column in columns}
    told = {column: sum(people[place][column] in found[column] for place in part) for column in columns}
    if not any(told.values()):
        return
    column = min(columns, key=lambda one: (-told[one], one))
    for place in part:
        answer = people[place][column]
        shown[place][column] = answer if answer in found[column] else None
    for each in _parts(shown[place][column] for place in part):
        _divide(people, shown, [part[index] for index in each], columns - {column}, fewest)


def _shown(answers: Sequence[str | None], fewest: int) -> frozenset[str]:
    """The answers to show, of enough people each, so that the others are of nobody or of enough."""
    sizes = sorted((size, answer) for answer, size in Counter(answers).items() if answer is not None)
    rest = sum(answer is None for answer in answers)
    for number, (size, _) in enumerate(sizes):
        if size >= fewest and not 0 < rest < fewest:
            return frozenset(answer for _, answer in sizes[number:])
        rest += size
    return frozenset()


def _complete(
    people: Sequence[Answers], shown: Shown, fixed: Sequence[Hashable], column: int, fewest: int
) -> None:
    """Withholds an answer of more people, where it is of some but of fewer than `fewest`."""
    keys = [(each, tuple(one)) for each, one in zip(fixed, shown, strict=True)]
    parts = sorted(_parts(keys), key=lambda part: (len(part), repr(keys[part[0]])))
    for answer in {one[column] for one in people if one[column] is not None}:
        hidden = sum(one[column] == answer != mine[column] for one, mine in zip(people, shown, strict=True))
        for part in parts:
            if not 0 < hidden < fewest:
                break
            if shown[part[0]][column] == answer:
                hidden += len(part)
                for place in part:
                    shown[place][column] = None
