"""Whether memory grows: the slope of its samples, with an interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

_WARM_UP = 1 / 3
_BLOCKS = 6
_FEWEST = 24
_MOST_GROWTH = 0.05
"""Of the mean, an hour: growth that is certainly below counts as flat."""


@dataclass(frozen=True)
class Trend:
    """Megabytes: the mean after warm-up, and the slope an hour with its interval of 95 %."""

    mean: float
    slope: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """`flat` if it certainly grows by less than 5 % an hour, `grows` if certainly by more."""
        most = _MOST_GROWTH * self.mean
        if self.high < most:
            return "flat"
        return "grows" if self.low > most else "unclear"


def trend(seconds: Sequence[float], megabytes: Sequence[float]) -> Trend:
    """The trend without the first third. ValueError: fewer than 24 samples.

    Neighbouring samples are alike, so the line is fitted to the means of six blocks, and its interval is
    Student's with four degrees of freedom.
    """
    if len(seconds) < _FEWEST:
        raise ValueError(f"a trend needs {_FEWEST} samples")
    keep = int(len(seconds) * _WARM_UP)
    hours = _block_means(seconds[keep:]) / 3600
    values = _block_means(megabytes[keep:])
    slope, intercept = np.polyfit(hours, values, 1)
    residuals, centred = values - slope * hours - intercept, hours - hours.mean()
    error = np.sqrt(residuals @ residuals / (_BLOCKS - 2) / (centred @ centred))
    margin = student.ppf(0.975, _BLOCKS - 2) * error
    return Trend(*(float(one) for one in (values.mean(), slope, slope - margin, slope + margin)))


def _block_means(values: Sequence[float]) -> NDArray[np.float64]:
    return np.array([block.mean() for block in np.array_split(np.array(values), _BLOCKS)])
