"""The norms of one version of an environment: from others who completed something somewhere."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import mean, median, median_low

from playtest.rules.attempt import RESET, UNDO, Outcome
from playtest.rules.effort.evidence import AttemptEvidence, Norms
from playtest.rules.effort.thresholds import FIRST_LEVELS, Thresholds


def completed_something(outcome: str, levels_completed: int) -> bool:
    """Whether an attempt shows that its person tries, so that all their attempts belong to the norms.

    That is an environment completed, or a level after the first ones, which teach: those can be had for the
    asking. `review.queries.effort_evidence.COMPLETED_SOMETHING` is the same rule in SQL.
    """
    return outcome == Outcome.COMPLETED or levels_completed > FIRST_LEVELS


@dataclass(frozen=True, slots=True)
class _Contribution:
    """What one attempt adds to the norms of its version."""

    active_seconds: float
    no_op_shares: Mapping[int, float]
    actions_to_complete: Mapping[int, int]
    straight_actions: Mapping[int, int]
    runs: Counter[int]
    """How many runs of the same action have each length."""


class NormSample:
    """The attempts that the norms of one version are computed from; none ended by a fault.

    They are those of people who completed something (`completed_something`), here or elsewhere. One person
    has one attempt at an environment, so leaving out an attempt leaves out its person.
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
        shares = _by_level(one.no_op_shares for one in others)
        actions = _by_level(one.actions_to_complete for one in others)
        medians = {level: median(of_level) for level, of_level in shares.items()}
        return Norms(
            mean(one.active_seconds for one in others),
            medians,
            {
                level: median(abs(share - medians[level]) for share in of_level)
                for level, of_level in shares.items()
            },
            _percentile(self._runs - own, self._limits.run_percentile),
            {level: median_low(of_level) for level, of_level in actions.items()},
            _by_level(one.straight_actions for one in others),
            len(others),
        )


def _contribution(attempt: AttemptEvidence, limits: Thresholds) -> _Contribution:
    needed = attempt.actions_to_complete()
    # Whoever never tried in vain may have known the solution: no measure of what others win at once.
    explored = any(act.action in (RESET, UNDO) or not act.changed for act in attempt.acts)
    return _Contribution(
        attempt.active_seconds(limits.idle_gap_seconds),
        {level: idle / actions for level, (idle, actions) in attempt.no_ops().items()},
        needed,
        {level: actions * attempt.is_straight(level) for level, actions in needed.items() if explored},
        Counter(len(run) for run in attempt.runs()),
    )


def _by_level[Value](people: Iterable[Mapping[int, Value]]) -> dict[int, list[Value]]:
    """The values of each level."""
    found: dict[int, list[Value]] = {}
    for person in people:
        for level, value in person.items():
            found.setdefault(level, []).append(value)
    return found


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
