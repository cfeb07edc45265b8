"""The norms of one version of an environment, without the person who is assessed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import mean, median

from playtest.rules.effort.evidence import AttemptEvidence, Norms
from playtest.rules.effort.thresholds import Thresholds


@dataclass(frozen=True, slots=True)
class _Contribution:
    """What one attempt adds to the norms of its version."""

    active_seconds: float
    no_op_shares: Mapping[int, float]
    runs: Counter[int]
    """How many runs of the same action have each length."""


class NormSample:
    """The attempts that the norms of one version are computed from; none ended by a fault.

    One person has one attempt at an environment, so leaving out an attempt leaves out its person.
    """

    def __init__(self, attempts: Iterable[AttemptEvidence], limits: Thresholds) -> None:
        self._limits = limits
        self._contributions = [(attempt.attempt, _contribution(attempt, limits)) for attempt in attempts]
        self._runs = _all_runs(one for _, one in self._contributions)

    def without(self, attempt: int | None) -> Norms | None:
        """The norms from all others; None with fewer than `norm_least_people` of them."""
        others = [one for pk, one in self._contributions if pk != attempt]
        if len(others) < max(1, self._limits.norm_least_people):
            return None
        own = _all_runs(one for pk, one in self._contributions if pk == attempt)
        shares: dict[int, list[float]] = {}
        for one in others:
            for level, share in one.no_op_shares.items():
                shares.setdefault(level, []).append(share)
        medians = {level: median(of_level) for level, of_level in shares.items()}
        return Norms(
            mean(one.active_seconds for one in others),
            medians,
            {
                level: median(abs(share - medians[level]) for share in of_level)
                for level, of_level in shares.items()
            },
            _percentile(self._runs - own, self._limits.run_percentile),
        )


def _contribution(attempt: AttemptEvidence, limits: Thresholds) -> _Contribution:
    return _Contribution(
        attempt.active_seconds(limits.idle_gap_seconds),
        {level: idle / actions for level, (idle, actions) in attempt.no_ops().items()},
        Counter(len(run) for run in attempt.runs()),
    )


def _all_runs(everyone: Iterable[_Contribution]) -> Counter[int]:
    runs: Counter[int] = Counter()
    for contribution in everyone:
        runs.update(contribution.runs)
    return runs


def _percentile(lengths: Counter[int], percent: float) -> int:
    """The nearest rank: the smallest value that at least `percent` of the values do not exceed; 0 of none."""
    rank = max(1, int(-(-lengths.total() * percent // 100)))
    below = 0
    for length in sorted(lengths):
        below += lengths[length]
        if below >= rank:
            return length
    return 0
