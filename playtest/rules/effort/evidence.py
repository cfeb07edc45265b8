"""What the effort rules look at, and what they answer with."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise
from statistics import mean, median
from typing import Any, NamedTuple

from playtest.rules.attempt import RESET, Outcome
from playtest.rules.effort.presence import Absence, seconds_away
from playtest.rules.effort.thresholds import Thresholds


class Rule(StrEnum):
    RESPONSE_TIME = "response_time"
    CYCLING = "cycling"
    NO_OPS = "no_ops"
    REPEATS = "repeats"
    FAST = "fast"
    IDLE = "idle"
    RANDOM = "random"
    AWAY = "away"


class Strength(StrEnum):
    NOTE = "note"
    REVIEW = "review"
    STRONG = "strong"


# A key held against a wall raises both: the same presses, so one piece of evidence.
_SAME_EVIDENCE = {Rule.REPEATS: Rule.NO_OPS}


def independent(rules: Iterable[str]) -> int:
    """How many independent pieces of evidence these rules' findings are; two open a review."""
    return len({_SAME_EVIDENCE.get(Rule(rule), Rule(rule)) for rule in rules})


class Act(NamedTuple):
    """One action. Times are seconds since the attempt's first frame.

    `at` is when the server took it; `pressed` when the person made it by the station's clock, whose zero is
    its own; `offered` has bit i set when action i was offered.
    """

    seq: int
    action: int
    cell: tuple[int, int] | None
    level: int
    changed: bool
    at: float
    pressed: float | None
    held: bool
    offered: int


@dataclass(frozen=True, slots=True)
class AttemptEvidence:
    """One attempt that has ended: what was done, and how long it lasted (`seconds`, to its end).

    `away_seconds` is how long the page was hidden or unfocused; `absences` when it had no connection, in
    seconds since the first frame.
    """

    attempt: int
    number: int
    version: int
    environment: str
    outcome: Outcome
    levels_completed: int
    seconds: float
    away_seconds: float
    acts: tuple[Act, ...]
    absences: tuple[Absence, ...] = ()

    @property
    def gaps(self) -> list[tuple[int, float]]:
        """Seconds with a connection and without an action, each with the seq after which they passed."""
        return [(seq, end - at - seconds_away(self.absences, at, end)) for seq, at, end in self._stretches()]

    @property
    def connected_seconds(self) -> float:
        """First frame to end, less the time without a connection."""
        return self.seconds - sum(seconds_away(self.absences, at, end) for _, at, end in self._stretches())

    def _stretches(self) -> Iterator[tuple[int, float, float]]:
        """From the first frame and from every action (its seq) to the next, the last one to the end."""
        moments = [(0, 0.0), *((act.seq, act.at) for act in self.acts)]
        ends = [*(act.at for act in self.acts), max(self.seconds, moments[-1][1])]
        return ((seq, at, end) for (seq, at), end in zip(moments, ends, strict=True))

    def active_seconds(self, idle_gap_seconds: float) -> float:
        """First frame to last action with a connection; no pause counts for more than `idle_gap_seconds`."""
        return sum(min(gap, idle_gap_seconds) for _, gap in self.gaps[:-1])

    def no_ops(self) -> dict[int, tuple[int, int]]:
        """For each level: actions that changed nothing, and all actions; resets are neither."""
        found: dict[int, tuple[int, int]] = {}
        for act in self.acts:
            if act.action != RESET:
                idle, all_of_them = found.get(act.level, (0, 0))
                found[act.level] = (idle + (not act.changed), all_of_them + 1)
        return found

    def runs(self) -> Iterator[tuple[Act, ...]]:
        """Actions in a row that are the same, clicks on the same cell."""
        for _, run in groupby(self.acts, key=lambda act: (act.action, act.cell)):
            yield tuple(run)

    def intervals(self) -> list[tuple[int, float]]:
        """Milliseconds between one action and the next, and the seq of the next, unless a held key made it.

        By the station's clock where it ran forward, else by the server's.
        """
        found = []
        for before, after in pairwise(self.acts):
            if after.held:
                continue
            by_station = (
                after.pressed - before.pressed
                if before.pressed is not None and after.pressed is not None
                else -1
            )
            found.append((after.seq, 1000 * (by_station if by_station >= 0 else after.at - before.at)))
        return found


@dataclass(frozen=True, slots=True)
class Norms:
    """How everyone fared on one version of an environment: what is usual there."""

    mean_active_seconds: float
    no_op_median: Mapping[int, float]
    no_op_deviation: Mapping[int, float]
    long_run: int

    def response_seconds(self, limits: Thresholds) -> float:
        """T of Wise & Kong: who was active for less did not try this environment."""
        return min(limits.response_most_seconds, limits.response_mean_share * self.mean_active_seconds)


def norms(attempts: Iterable[AttemptEvidence], limits: Thresholds) -> Norms:
    """The norms of one version from everyone's attempts at it, none of them a fault; at least one."""
    everyone = list(attempts)
    shares: dict[int, list[float]] = {}
    for attempt in everyone:
        for level, (idle, actions) in attempt.no_ops().items():
            shares.setdefault(level, []).append(idle / actions)
    medians = {level: median(of_level) for level, of_level in shares.items()}
    return Norms(
        mean(attempt.active_seconds(limits.idle_gap_seconds) for attempt in everyone),
        medians,
        {
            level: median(abs(share - medians[level]) for share in of_level)
            for level, of_level in shares.items()
        },
        _percentile([len(run) for attempt in everyone for run in attempt.runs()], limits.run_percentile),
    )


def _percentile(values: list[int], percent: float) -> int:
    """The nearest rank: the smallest value that at least `percent` of the values do not exceed; 0 of none."""
    ascending = sorted(values)
    rank = -(-len(ascending) * percent // 100)
    return ascending[max(0, int(rank) - 1)] if ascending else 0


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rule found: in a session (`attempt` None) or one attempt.

    `figures` are the numbers the `sentence` speaks of; `moments` the (attempt, seq) a reviewer should watch.
    """

    rule: Rule
    strength: Strength
    attempt: int | None
    figures: dict[str, Any]
    sentence: str
    moments: tuple[tuple[int, int], ...]
