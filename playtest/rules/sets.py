"""Dividing finished environments into sets that are equally hard for people (report 3.5).

Calibrated sets differ by at most one percentage point in mean human success. The division is a mixed-integer
linear program, which SciPy solves with HiGHS (Huangfu and Hall, Mathematical Programming Computation 10
(2018)): how many environments of each success go into each set, so that the means lie closest together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playtest.rules.errors import RuleError

LARGEST_SPREAD = Fraction(1, 100)
PRECISION = Fraction(1, 10_000)
"""A spread below this is as good as none: the search ends at the first division that has one."""
MOST_NODES = 5_000
"""The search ends after so many nodes of its tree, not after a time: so it repeats exactly."""


type _Rows = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Division:
    """`sets`: the numbers of the environments in each; `means` their mean success, None of an empty set.

    `spread` is the largest difference between two means. `best`: no division has a smaller one, unless by
    less than PRECISION; False where the search ended at MOST_NODES.
    """

    sets: tuple[tuple[int, ...], ...]
    means: tuple[Fraction | None, ...]
    spread: Fraction
    best: bool

    @property
    def calibrated(self) -> bool:
        return self.spread <= LARGEST_SPREAD


def divide(success: Sequence[Fraction], sizes: Sequence[int]) -> Division:
    """The division into sets of these sizes with the smallest spread; the rest is left over.

    `success` is the share (0..1) of people who solved each environment. The same input gives the same.
    Raises RuleError sets_unknown (no sizes, nothing but zeros, a negative one), too_few_environments.
    """
    if not any(sizes) or min(sizes) < 0:
        raise RuleError("sets_unknown", "Say how many environments each set shall have.")
    if sum(sizes) > len(success):
        message = f"{sum(sizes)} environments are asked for; {len(success)} are there."
        raise RuleError("too_few_environments", message)
    alike: dict[Fraction, list[int]] = {}
    for index, share in enumerate(success):
        alike.setdefault(share, []).append(index)
    groups = [size for size in sizes if size]
    counts, best = _closest(list(alike), [len(indices) for indices in alike.values()], groups)
    filled = iter(_deal(list(alike.values()), counts))
    sets = tuple(next(filled) if size else () for size in sizes)
    means = tuple(_mean([success[index] for index in indices]) for indices in sets)
    known = [mean for mean in means if mean is not None]
    return Division(sets, means, max(known) - min(known), best)


def _closest(
    shares: Sequence[Fraction], numbers: Sequence[int], sizes: Sequence[int]
) -> tuple[NDArray[np.int64], bool]:
    """The number of environments of each share (rows) in each set (columns); whether it is optimal.

    Variables: these counts, row by row, then the lowest and the highest mean, in per cent.
    """
    from scipy.optimize import LinearConstraint, milp  # takes 0.3 s, and few processes ever need it

    percent = np.array([float(share * 100) for share in shares])
    of_share = np.kron(np.eye(len(shares)), np.ones(len(sizes)))
    of_set = np.kron(np.ones(len(shares)), np.eye(len(sizes)))
    mean = np.kron(percent, np.eye(len(sizes))) / np.array(sizes)[:, None]
    above_lowest, below_highest = _with(mean, -1, 0), _with(mean, 0, -1)
    spread = _with(np.zeros((1, of_share.shape[1])), -1, 1)
    solution = milp(
        spread[0],
        integrality=np.repeat([1, 0], [of_share.shape[1], 2]),
        constraints=[
            LinearConstraint(_with(of_share, 0, 0), ub=numbers),
            LinearConstraint(_with(of_set, 0, 0), sizes, sizes),
            LinearConstraint(above_lowest, lb=0),
            LinearConstraint(below_highest, ub=0),
            LinearConstraint(spread, lb=float(PRECISION * 100)),
        ],
        options={"node_limit": MOST_NODES},
    )
    assert solution.x is not None, solution.message  # any division of these sizes is a solution
    counts = np.rint(solution.x[:-2]).astype(np.int64)
    return counts.reshape(len(shares), len(sizes)), solution.success


def _with(rows: _Rows, lowest: int, highest: int) -> _Rows:
    """Rows of coefficients with those of the lowest and the highest mean behind them."""
    return np.hstack([rows, np.full((len(rows), 2), (lowest, highest))])


def _deal(alike: Sequence[Sequence[int]], counts: NDArray[np.int64]) -> list[tuple[int, ...]]:
    """The environments of each set, filled in order within each share."""
    sets: list[list[int]] = [[] for _ in range(counts.shape[1])]
    for indices, row in zip(alike, counts, strict=True):
        left = iter(indices)
        for chosen, count in zip(sets, row, strict=True):
            chosen += islice(left, count)
    return [tuple(sorted(chosen)) for chosen in sets]


def _mean(shares: Sequence[Fraction]) -> Fraction | None:
    return sum(shares, Fraction()) / len(shares) if shares else None
