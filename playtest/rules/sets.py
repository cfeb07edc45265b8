"""Dividing finished environments into sets that are equally hard for people (report 3.5).

Calibrated sets differ by at most one percentage point in mean human success.
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from playtest.rules.errors import RuleError

LARGEST_SPREAD = Fraction(1, 100)
MOST_TRIED = 100_000
"""So many divisions are all tried; of more, good ones are looked for."""
_BEGINNINGS = 4
_SWAPS = 12_000
_WARMTH, _COOLING = 0.3, 0.9993
"""How much worse a swap may make it at first, as a share of the largest weight, and how that shrinks."""

type _Groups = list[list[int]]


@dataclass(frozen=True, slots=True)
class Division:
    """`sets`: the numbers of the environments in each; `means` their mean success, None of an empty set.

    `spread` is the largest difference between two means; `best` whether no division has a smaller one.
    """

    sets: tuple[tuple[int, ...], ...]
    means: tuple[Fraction | None, ...]
    spread: Fraction
    best: bool

    @property
    def calibrated(self) -> bool:
        return self.spread <= LARGEST_SPREAD


def divide(success: Sequence[Fraction], sizes: Sequence[int], seed: int = 0) -> Division:
    """The division into sets of these sizes with the smallest spread that was found; the rest is left over.

    `success` is the share (0..1) of people who solved each environment. The same `seed` gives the same.
    Raises RuleError sets_unknown (no sizes, nothing but zeros, a negative one), too_few_environments.
    """
    if not any(sizes) or min(sizes) < 0:
        raise RuleError("sets_unknown", "Say how many environments each set shall have.")
    if sum(sizes) > len(success):
        message = f"{sum(sizes)} environments are asked for; {len(success)} are there."
        raise RuleError("too_few_environments", message)
    scale = math.lcm(*(share.denominator for share in success))
    weights = [int(share * scale) for share in success]
    search = _Search(weights, sizes)
    if _ways(len(success), sizes) <= MOST_TRIED:
        groups, best = search.every(), True
    else:
        groups = search.some(random.Random(seed))
        best = search.spread(groups) == 0
    chosen = tuple(tuple(sorted(group)) for group in groups[: len(sizes)])
    means = tuple(
        sum((success[index] for index in group), Fraction()) / len(group) if group else None
        for group in chosen
    )
    known = [mean for mean in means if mean is not None]
    return Division(chosen, means, max(known) - min(known) if known else Fraction(), best)


class _Search:
    """Divisions as groups of numbers, the last one being what is left over. Whole numbers only.

    The mean of a group is kept as its sum times a factor that makes groups of all sizes comparable.
    """

    def __init__(self, weights: Sequence[int], sizes: Sequence[int]) -> None:
        self.weights = weights
        self.sizes = sizes
        common = math.lcm(*(size for size in sizes if size)) if any(sizes) else 1
        self.factors = [common // size if size else 0 for size in sizes]
        self.counted = [index for index, size in enumerate(sizes) if size]

    def every(self) -> _Groups:
        """The best of all divisions."""
        best: _Groups | None = None
        least = math.inf
        order = sorted(range(len(self.weights)), key=self.weights.__getitem__)
        for groups in self._all(tuple(order), 0):
            if (spread := self.spread(groups)) < least:
                best, least = groups, spread
            if least == 0:
                break
        assert best is not None
        return best

    def some(self, chance: random.Random) -> _Groups:
        """The best of several that were found by trying swaps, large steps first (simulated annealing)."""
        order = sorted(range(len(self.weights)), key=lambda index: self.weights[index])
        found = []
        for number in range(_BEGINNINGS):
            if number:
                chance.shuffle(order)
            found.append(self._improved(self._dealt(order), chance))
            if self.spread(found[-1]) == 0:
                break
        return min(found, key=self.spread)

    def spread(self, groups: _Groups) -> int:
        sums = self._sums(groups)
        means = [sums[index] * self.factors[index] for index in self.counted]
        return max(means) - min(means) if means else 0

    def _sums(self, groups: _Groups) -> list[int]:
        return [sum(self.weights[index] for index in group) for group in groups[: len(self.sizes)]]

    def _all(self, left: tuple[int, ...], place: int) -> Iterator[_Groups]:
        if place == len(self.sizes):
            yield [list(left)]
            return
        seen = set()
        for chosen in combinations(left, self.sizes[place]):
            if (alike := tuple(self.weights[index] for index in chosen)) in seen:
                continue
            seen.add(alike)
            taken = set(chosen)
            rest = tuple(index for index in left if index not in taken)
            for groups in self._all(rest, place + 1):
                yield [list(chosen), *groups]

    def _dealt(self, order: Sequence[int]) -> _Groups:
        """Each next environment to the set that has least of what it shall have."""
        groups: _Groups = [[] for _ in range(len(self.sizes) + 1)]
        wanted = [*self.sizes, len(order) - sum(self.sizes)]
        for index in order:
            open_ = [place for place, size in enumerate(wanted) if len(groups[place]) < size]
            groups[min(open_, key=lambda place: len(groups[place]) / wanted[place])].append(index)
        return groups

    def _improved(self, groups: _Groups, chance: random.Random) -> _Groups:
        """The best that swaps of two at random between groups come to.

        A swap that makes the means less alike is made now and then, less and less: else it would end where no
        single swap helps.
        """
        places = [place for place, group in enumerate(groups) if group]
        if len(places) < 2:
            return groups
        sums = self._sums(groups)
        value = least = self._unlikeness(sums)
        best = [list(group) for group in groups]
        warmth = max(self.weights) * max(self.factors) * _WARMTH
        for _ in range(_SWAPS):
            warmth *= _COOLING
            one, two = chance.sample(places, 2)
            first, second = int(chance.random() * len(groups[one])), int(chance.random() * len(groups[two]))
            gain = self.weights[groups[two][second]] - self.weights[groups[one][first]]
            if gain == 0:
                continue
            trial = [*sums, 0]
            trial[one] += gain
            trial[two] -= gain
            trial.pop()
            changed = self._unlikeness(trial)
            if changed > value and chance.random() >= math.exp((value - changed) / warmth):
                continue
            sums, value = trial, changed
            groups[one][first], groups[two][second] = groups[two][second], groups[one][first]
            if value < least:
                least, best = value, [list(group) for group in groups]
                if value == 0:
                    break
        return best

    def _unlikeness(self, sums: Sequence[int]) -> int:
        means = [sums[index] * self.factors[index] for index in self.counted]
        return max(means) - min(means) if means else 0


def _ways(count: int, sizes: Sequence[int]) -> int:
    ways = 1
    for size in sizes:
        ways *= math.comb(count, size)
        count -= size
    return ways
