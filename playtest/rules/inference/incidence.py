"""How many have come to each end by a moment: cumulative incidence where one end rules out the others.

The estimate is Aalen and Johansen's (Scandinavian Journal of Statistics 5 (1978)): the chance of having no
end yet, times the share that comes to this end, summed. Its variance is that of the delta method (Marubini
and Valsecchi, Analysing Survival Data (1995), section 10.2), the band is on the log-log scale.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import NamedTuple

import numpy as np

from playtest.rules.errors import RuleError
from playtest.rules.inference.shares import Z_95


class Observation(NamedTuple):
    """One person came to an `end` at this moment (actions or seconds), or was last watched then (None)."""

    at: float
    end: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """The curve from `at` on: the `share` (0..1) that has come to the end, with its 95 % band.

    `at_risk` had no end until just before, `ended` came to this one then, `censored` were last watched then.
    """

    at: float
    share: float
    low: float
    high: float
    at_risk: int
    ended: int = 0
    censored: int = 0


def incidence(observations: Iterable[Observation], ends: Sequence[str]) -> dict[str, tuple[Step, ...]]:
    """A curve for each of all `ends` from 0 on, with a step for each moment of any end or last watching.

    Who is last watched when another comes to an end was still at risk. The band has no width before the first
    such end. Empty without observations. Raises RuleError `moment_negative`.
    """
    seen = list(observations)
    if any(one.at < 0 for one in seen):
        raise RuleError("moment_negative", "Nothing ends before the beginning: give moments from 0 on.")
    if not seen:
        return dict.fromkeys(ends, ())
    moments = sorted({0.0, *(one.at for one in seen)})
    place = {moment: index for index, moment in enumerate(moments)}
    counts = {end: np.zeros(len(moments)) for end in (*ends, None)}
    for one in seen:
        counts[one.end][place[one.at]] += 1
    ended = np.sum([counts[end] for end in ends], axis=0)
    gone = ended + counts[None]
    at_risk = len(seen) - np.cumsum(gone) + gone
    staying = np.cumprod(1 - ended / at_risk)
    before = np.concatenate([[1.0], staying[:-1]])

    # Where all who were left came to an end, nothing is ahead.
    hazard = ended / at_risk / np.where(ended < at_risk, at_risk - ended, np.inf)

    def curve(end: str) -> tuple[Step, ...]:
        own, low = counts[end], 0.0
        shares, steps = np.cumsum(before * own / at_risk), list[Step]()
        for index, moment in enumerate(moments):
            until = slice(index + 1)
            ahead, risk, here, chance = (
                shares[index] - shares[until],
                at_risk[until],
                own[until],
                before[until],
            )
            terms = chance**2 * (risk - here) / risk - 2 * ahead * chance
            variance = float((ahead**2 * hazard[until] + terms * here / risk**2).sum())
            share = min(1.0, float(shares[index]))
            low, high = _band(share, max(0.0, variance), low)
            numbers = (round(column[index]) for column in (at_risk, own, counts[None]))
            steps.append(Step(moment, share, low, high, *numbers))
        return tuple(steps)

    return {end: curve(end) for end in ends}


def _band(share: float, variance: float, low_before: float) -> tuple[float, float]:
    if share < 1e-12:
        return 0.0, 0.0
    if share > 1 - 1e-12:
        return low_before, 1.0
    reach = exp(Z_95 * sqrt(variance) / (share * abs(log(share))))
    return share**reach, share ** (1 / reach)
