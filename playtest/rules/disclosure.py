"""Which groups are too small to show, so that nobody can be recognised in a breakdown."""

from collections.abc import Sequence

FEWEST_PEOPLE = 5


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
