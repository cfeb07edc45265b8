"""The share of people who stay: Kaplan-Meier, with Greenwood's variance on the log-log scale."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import NamedTuple

from playtest.rules.errors import RuleError
from playtest.rules.proportions import Z_95


class Observation(NamedTuple):
    """One person stayed until `at` (actions or seconds) and then left, or was not watched any longer."""

    at: float
    left: bool


@dataclass(frozen=True, slots=True)
class Step:
    """The curve from `at` on. `share` (0..1) of the people stay longer; 95 % band `low`..`high`.

    `at_risk` were watched until just before, `left` of them left at this very moment and `censored` were
    not watched any longer after it.
    """

    at: float
    share: float
    low: float
    high: float
    at_risk: int
    left: int = 0
    censored: int = 0


def survival(observations: Iterable[Observation]) -> tuple[Step, ...]:
    """The curve, from 0 on, one step for each moment at which somebody left or was last watched.

    A person who is censored at the moment another leaves was still at risk then. The band has no width before
    anybody left. Once everybody left, Greenwood's variance has no bound: the upper end stays where it was and
    the lower one is 0. Empty without observations. Raises RuleError `moment_negative`.
    """
    seen = list(observations)
    if any(observation.at < 0 for observation in seen):
        raise RuleError("moment_negative", "Nobody leaves before the beginning: give moments from 0 on.")
    return tuple(_steps(seen)) if seen else ()


def _steps(seen: list[Observation]) -> Iterator[Step]:
    left = Counter(observation.at for observation in seen if observation.left)
    censored = Counter(observation.at for observation in seen if not observation.left)
    at_risk, share, greenwood, high = len(seen), 1.0, 0.0, 1.0
    moments = sorted({0.0, *left, *censored})
    for moment in moments:
        leaving = left[moment]
        if leaving:
            staying = at_risk - leaving
            share *= staying / at_risk
            greenwood += leaving / (at_risk * staying) if staying else 0.0
        low, high = _band(share, greenwood, high)
        yield Step(moment, share, low, high, at_risk, leaving, censored[moment])
        at_risk -= leaving + censored[moment]


def _band(share: float, greenwood: float, high_before: float) -> tuple[float, float]:
    if share == 1.0:
        return 1.0, 1.0
    if share == 0.0:
        return 0.0, high_before
    reach = exp(Z_95 * sqrt(greenwood) / abs(log(share)))
    return share**reach, share ** (1 / reach)
