"""Dividing finished environments into sets by how many people solve them.

Calibrated sets differ by at most one percentage point in mean human success (ARC-AGI-2 paper, section 3). The
division is a mixed-integer linear program, which SciPy solves with HiGHS (Huangfu and Hall, Mathematical
Programming Computation 10 (2018)): how many environments of each success go into each set, so that the means
lie closest together. Graded sets begin with an easier public one (ARC-AGI-3 report, section 3.6).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import islice
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playtest.rules.errors import RuleError

LARGEST_SPREAD = Fraction(1, 100)
FEWEST_IN_SET = 2
PRECISION = Fraction(1, 10_000)
"""A spread below this is as good as none: the search ends at the first division that has one."""
MOST_NODES = 5_000
"""The search ends after so many nodes of its tree, not after a time: so it repeats exactly."""


type _Rows = NDArray[np.floating[Any]]


class Mode(StrEnum):
    """How the first set, the public one, compares with the others."""

    EQUAL = "equal"
    """All sets are equally hard, so that success on one predicts success on the others."""
    GRADED = "graded"
    """The public set has the environments that most people solve; the others are equally hard."""


@dataclass(frozen=True, slots=True)
class Division:
    """`sets`: the numbers of the environments in each; `means` their mean success, None of an empty set.

    `spread` is the largest difference between two means of the sets that are to be equally hard: of all, or,
    when graded, of all but the first. `best`: no division has a smaller one, unless by less than PRECISION;
    False where the search ended at MOST_NODES. `easier` is, when graded, by how much the mean of the first
    exceeds that of the environments in the others; None when not graded or when one of the two is empty.
    """

    mode: Mode
    sets: tuple[tuple[int, ...], ...]
    means: tuple[Fraction | None, ...]
    spread: Fraction
    best: bool
    easier: Fraction | None = None

    @property
    def calibrated(self) -> bool:
        return self.spread <= LARGEST_SPREAD

    @property
    def undecided(self) -> bool:
        """Whether nothing can be said of how hard they are: one set alone, or one with a single member."""
        sizes = [len(one) for one in self.sets if one]
        return len(sizes) < 2 or min(sizes) < FEWEST_IN_SET


def require_several(division: Division) -> None:
    """Raises RuleError nothing_to_divide of one environment alone, which is in no set by its difficulty."""
    if sum(map(len, division.sets)) < FEWEST_IN_SET:
        message = "One environment alone is no set: it is compared with nothing. Divide several."
        raise RuleError("nothing_to_divide", message)


def require_calibrated(division: Division) -> None:
    """Raises RuleError sets_too_far_apart where sets that are to be equally hard are not.

    Static tasks are only divided so: nothing but their success tells their sets apart, and the paper's are
    within one percentage point.
    """
    if not division.calibrated:
        why = (
            "No division into these sizes brings them closer"
            if division.best
            else "The search reached its limit before it found a closer division"
        )
        which = "sets" if division.mode is Mode.EQUAL else "sets that are not public"
        message = (
            f"The {which} differ by {_points(division.spread)} percentage points in mean success; "
            f"at most one is allowed. {why}: choose other sizes, or leave some out."
        )
        raise RuleError("sets_too_far_apart", message)


def _points(spread: Fraction) -> str:
    """Percentage points with two decimals, rounded up: what is too far apart never reads as one."""
    return f"{ceil(spread * 10_000) / 100:g}"


def divide(
    success: Sequence[Fraction],
    sizes: Sequence[int],
    mode: Mode = Mode.EQUAL,
    public: Collection[int] = (),
) -> Division:
    """The division into sets of these sizes with the smallest spread; the rest is left over.

    `success` is the share (0..1) of people who solved each environment; `public` are the numbers of those
    that stay in the first set, because everybody knows them already. When graded, the first set is filled
    with those that most people solve, of equal ones the first. The same input gives the same.
    Raises RuleError sets_unknown (no sizes, nothing but zeros, a negative one), too_few_environments,
    public_too_small (the first set has no room for those that stay in it).
    """
    if not any(sizes) or min(sizes) < 0:
        raise RuleError("sets_unknown", "Say how many environments each set shall have.")
    if sum(sizes) > len(success):
        message = f"{sum(sizes)} environments are asked for; {len(success)} are there."
        raise RuleError("too_few_environments", message)
    if len(public) > sizes[0]:
        message = f"{len(public)} environments are public already and stay so: make the public set larger."
        raise RuleError("public_too_small", message)
    if mode is Mode.EQUAL:
        sets, best = _equal(success, range(len(success)), sizes, public)
    else:
        sets, best = _graded(success, sizes, public)
    means = tuple(_mean([success[index] for index in indices]) for indices in sets)
    compared = [mean for mean in (means if mode is Mode.EQUAL else means[1:]) if mean is not None]
    spread = max(compared) - min(compared) if compared else Fraction()
    return Division(mode, sets, means, spread, best, _easier(success, sets) if mode is Mode.GRADED else None)


def _easier(success: Sequence[Fraction], sets: Sequence[Sequence[int]]) -> Fraction | None:
    first = _mean([success[index] for index in sets[0]])
    others = _mean([success[index] for indices in sets[1:] for index in indices])
    return None if first is None or others is None else first - others


def _graded(
    success: Sequence[Fraction], sizes: Sequence[int], public: Collection[int]
) -> tuple[tuple[tuple[int, ...], ...], bool]:
    easiest = sorted(range(len(success)), key=lambda index: (index not in public, -success[index]))
    first, left = sorted(easiest[: sizes[0]]), sorted(easiest[sizes[0] :])
    others, best = _equal(success, left, sizes[1:], ())
    return (tuple(first), *others), best


def _equal(
    success: Sequence[Fraction], among: Sequence[int], sizes: Sequence[int], public: Collection[int]
) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """Sets of the sizes with environments of `among`, and whether no others have a smaller spread."""
    if not any(sizes):
        return tuple(() for _ in sizes), True
    alike: dict[tuple[Fraction, bool], list[int]] = {}
    for index in among:
        alike.setdefault((success[index], index in public), []).append(index)
    counts, best = _closest(
        [share for share, _ in alike],
        [len(indices) for indices in alike.values()],
        [size for size in sizes if size],
        [stays for _, stays in alike],
    )
    filled = iter(_deal(list(alike.values()), counts))
    return tuple(next(filled) if size else () for size in sizes), best


def _closest(
    shares: Sequence[Fraction], numbers: Sequence[int], sizes: Sequence[int], stay: Sequence[bool]
) -> tuple[NDArray[np.int64], bool]:
    """The number of environments of each share (rows) in each set (columns); whether it is optimal.

    Rows that `stay` go into the first set whole. Variables: these counts, row by row, then the lowest and
    the highest mean, in per cent.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # takes 0.3 s, and few processes ever need it

    percent = np.array([float(share * 100) for share in shares])
    of_share = np.kron(np.eye(len(shares)), np.ones(len(sizes)))
    of_set = np.kron(np.ones(len(shares)), np.eye(len(sizes)))
    mean = np.kron(percent, np.eye(len(sizes))) / np.array(sizes)[:, None]
    above_lowest, below_highest = _with(mean, -1, 0), _with(mean, 0, -1)
    spread = _with(np.zeros((1, of_share.shape[1])), -1, 1)
    fewest = np.zeros((len(shares), len(sizes)))
    fewest[:, 0] = np.where(stay, numbers, 0)
    solution = milp(
        spread[0],
        bounds=Bounds(np.append(fewest, [0, 0]), np.inf),
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
