"""Tests of ranks by their definitions: counted ranks, and distributions integrated by Simpson's rule."""

from collections.abc import Callable, Sequence
from math import exp, lgamma, log, pi, sqrt

FEWEST = 10
STEPS = 4_000


def ranks(values: Sequence[float]) -> list[float]:
    """The middle rank of each value: how many are smaller, and half of those that are equal."""
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2
        for value in values
    ]


def spearman(pairs: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """Rho and its two-sided p; None with too few people, or if one number is the same for all."""
    if len(pairs) < FEWEST or any(len(set(column)) == 1 for column in zip(*pairs, strict=True)):
        return None
    first, second = (ranks(column) for column in zip(*pairs, strict=True))
    mean = (len(pairs) + 1) / 2
    products = [sum((a - mean) * (b - mean) for a, b in zip(x, y, strict=True)) for x, y in
                ((first, second), (first, first), (second, second))]  # fmt: skip
    rho = products[0] / sqrt(products[1] * products[2])
    freedom = len(pairs) - 2
    if abs(rho) > 1 - 1e-12:
        return rho, 0.0
    t = abs(rho) * sqrt(freedom / (1 - rho * rho))
    scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * pi)
    inside = integral(lambda x: scale * (1 + x * x / freedom) ** (-(freedom + 1) / 2), t)
    return rho, 1 - 2 * inside


def kruskal_wallis(groups: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """H, corrected for ties, and its p; None with too few people or groups, or if all are equal."""
    groups = [group for group in groups if group]
    values = [value for group in groups for value in group]
    count = len(values)
    if len(groups) < 2 or count < FEWEST or len(set(values)) == 1:
        return None
    ranked = iter(ranks(values))
    mean = (count + 1) / 2
    of_groups = [[next(ranked) for _ in group] for group in groups]
    between = sum(len(group) * (sum(group) / len(group) - mean) ** 2 for group in of_groups)
    within = sum((rank - mean) ** 2 for group in of_groups for rank in group)
    h = (count - 1) * between / within
    return h, 1 - chi_squared(h, len(groups) - 1)


def chi_squared(x: float, freedom: int) -> float:
    """The distribution of chi-squared up to x, by its density after x = u * u."""
    constant = log(2) - freedom / 2 * log(2) - lgamma(freedom / 2)
    return integral(
        lambda u: exp(constant + (freedom - 1) * log(u) - u * u / 2) if u else (freedom == 1) * exp(constant),
        sqrt(x),
    )


def integral(density: Callable[[float], float], end: float) -> float:
    """From 0 to `end`, by Simpson's rule."""
    step = end / STEPS
    inner = sum((4 if place % 2 else 2) * density(place * step) for place in range(1, STEPS))
    return (density(0.0) + inner + density(end)) * step / 3


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p-value times how many are not smaller, never below that of a smaller one, at most 1."""
    found = []
    for p in p_values:
        smaller = [other for other in p_values if other <= p]
        found.append(max(min(1.0, other * sum(each >= other for each in p_values)) for other in smaller))
    return found
