"""The input and the output of the effort rules, and the times without a connection, which are not idle."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from playtest.rules.attempt import RESET, UNDO, Outcome
from playtest.rules.effort.thresholds import Thresholds


class Connection(StrEnum):
    """What became of a page's connection. SUPERSEDED: a newer page took over; this one will disconnect."""

    CONNECTED = "connected"
    DISCONNECTED = "disconnected"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Absence:
    """A time without a connection, in seconds.

    `since` None: it began unseen after the last action, because the server itself was down. `until` None: the
    connection never came back.
    """

    since: float | None
    until: float | None

    def after(self, start: float) -> "Absence":
        """The same with times relative to another moment."""
        return Absence(*(at if at is None else at - start for at in (self.since, self.until)))

    def within(self, begin: float, end: float) -> tuple[float, float]:
        """Its part between two consecutive actions; (begin, begin) if they do not overlap.

        An action is made with a connection, so that an absence lies between two of them.
        """
        since = begin if self.since is None else self.since
        until = end if self.until is None else self.until
        began_here = begin < until <= end if self.since is None else begin <= since < end
        return (since, min(end, until)) if began_here else (begin, begin)


def absences(events: Iterable[tuple[Connection, float]]) -> list[Absence]:
    """The times without a connection, from a session's events in order, each with its second.

    Before the first event the station counts as connected. A connection that comes while another is there
    either takes over from it, which that one notices, or follows the end of the server both were made to.
    """
    found: list[Absence] = []
    away_since: float | None = None
    taken_over, seen = 0, False
    for (kind, at), (following, _) in pairwise([*events, (Connection.CONNECTED, 0.0)]):
        if kind == Connection.SUPERSEDED:
            taken_over += 1
        elif kind == Connection.DISCONNECTED and taken_over:
            taken_over -= 1
        elif kind == Connection.DISCONNECTED:
            away_since = at if away_since is None else away_since
        elif away_since is not None:
            found.append(Absence(away_since, at))
            away_since = None
        elif seen and not taken_over and following != Connection.SUPERSEDED:
            found.append(Absence(None, at))
        seen = seen or kind == Connection.CONNECTED
    return found if away_since is None else [*found, Absence(away_since, None)]


def seconds_away(times: Iterable[Absence], begin: float, end: float) -> float:
    """The seconds without a connection between two consecutive actions."""
    away, reached = 0.0, begin
    for since, until in sorted(absence.within(begin, end) for absence in times):
        away += max(0.0, until - max(since, reached))
        reached = max(reached, until)
    return away


class Rule(StrEnum):
    RESPONSE_TIME = "response_time"
    CYCLING = "cycling"
    LEFT_EARLY = "left_early"
    TUTORIAL_ONLY = "tutorial_only"
    NO_OPS = "no_ops"
    REPEATS = "repeats"
    FAST = "fast"
    IDLE = "idle"
    RANDOM = "random"
    PATTERN = "pattern"
    BY_THE_CLOCK = "by_the_clock"
    SOLUTION_KNOWN = "solution_known"
    AWAY = "away"
    CUT_OFF = "cut_off"
    UNEDITED_TASKS = "unedited_tasks"
    REPEATED_SUBMISSIONS = "repeated_submissions"
    EMPTY_SUBMISSIONS = "empty_submissions"
    IDLE_RETURNS = "idle_returns"


class Strength(StrEnum):
    NOTE = "note"
    REVIEW = "review"
    STRONG = "strong"


# A key held against a wall raises all three: the same presses, so one piece of evidence. So does an empty
# grid that is submitted twice.
_SAME_EVIDENCE = {
    Rule.REPEATS: Rule.NO_OPS,
    Rule.PATTERN: Rule.NO_OPS,
    Rule.EMPTY_SUBMISSIONS: Rule.REPEATED_SUBMISSIONS,
}


EVIDENCE_FOR_A_REVIEW = 2
"""So many independent findings open a review; a strong one opens it alone."""


def independent(rules: Iterable[str]) -> int:
    """The number of independent pieces of evidence among these rules."""
    return len({evidence_of(Rule(rule)) for rule in rules})


def evidence_of(rule: Rule) -> Rule:
    """The rule that stands for all that are raised by the same presses."""
    return _SAME_EVIDENCE.get(rule, rule)


def opens_review(found: Iterable[tuple[str, str]]) -> bool:
    """Whether findings, each a rule and its strength, open a review; notes never do."""
    counting = [(rule, strength) for rule, strength in found if strength != Strength.NOTE]
    return (
        any(strength == Strength.STRONG for _, strength in counting)
        or independent(rule for rule, _ in counting) >= EVIDENCE_FOR_A_REVIEW
    )


class Act(NamedTuple):
    """One action. Times are seconds since the attempt's first frame.

    `at` is when the server took it; `pressed` when the person made it by the station's clock, whose zero is
    its own; `offered` has bit i set when action i was offered. `screen_age` is for how many milliseconds the
    screen (page, level, state) could be seen at the press; None in entries that do not say it.
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
    screen_age: int | None = None


@dataclass(frozen=True, slots=True)
class AttemptEvidence:
    """One ended attempt: its actions and its duration (`seconds`, to its end).

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
        """The pauses: the seq before each, and its seconds with a connection."""
        return [(seq, end - at - seconds_away(self.absences, at, end)) for seq, at, end in self._stretches()]

    @property
    def connected_seconds(self) -> float:
        """First frame to end, less the time without a connection."""
        return self.seconds - sum(seconds_away(self.absences, at, end) for _, at, end in self._stretches())

    def _stretches(self) -> Iterator[tuple[int, float, float]]:
        """The spans between actions: the seq before each, its start and its end."""
        moments = [(0, 0.0), *((act.seq, act.at) for act in self.acts)]
        ends = [*(act.at for act in self.acts), max(self.seconds, moments[-1][1])]
        return ((seq, at, end) for (seq, at), end in zip(moments, ends, strict=True))

    def active_seconds(self, idle_gap_seconds: float) -> float:
        """Seconds with a connection to the last action; a pause counts at most `idle_gap_seconds`."""
        return sum(min(gap, idle_gap_seconds) for _, gap in self.gaps[:-1])

    @property
    def on_the_last_level(self) -> tuple[Act, ...]:
        """The actions on the level on which the attempt ended; none where it ended on entering it."""
        return tuple(act for act in self.acts if act.level > self.levels_completed)

    def actions_to_complete(self) -> dict[int, int]:
        """For each completed level, the number of actions on it, with resets."""
        on_levels = Counter(act.level for act in self.acts)
        return {level: on_levels[level] for level in range(1, self.levels_completed + 1) if on_levels[level]}

    def is_straight(self, level: int) -> bool:
        """Whether there was neither a reset nor an undo on this level."""
        return not any(act.level == level and act.action in (RESET, UNDO) for act in self.acts)

    def active_seconds_on_the_last_level(self, idle_gap_seconds: float) -> float:
        """The same from entering the last level to the attempt's end."""
        actions = len(self.on_the_last_level)
        return sum(min(gap, idle_gap_seconds) for _, gap in self.gaps[len(self.acts) - actions :])

    def no_ops(self) -> dict[int, tuple[int, int]]:
        """For each level, the number of no-ops and of all actions, both without resets."""
        found: dict[int, tuple[int, int]] = {}
        for act in self.acts:
            if act.action != RESET:
                idle, all_of_them = found.get(act.level, (0, 0))
                found[act.level] = (idle + (not act.changed), all_of_them + 1)
        return found

    def runs(self) -> Iterator[tuple[Act, ...]]:
        """Runs of equal actions; clicks are equal on the same cell."""
        for _, run in groupby(self.acts, key=lambda act: (act.action, act.cell)):
            yield tuple(run)

    def intervals(self) -> list[tuple[int, float]]:
        """The seq of each action and the milliseconds before it, without repeats of held keys.

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

    def unseen(self, milliseconds: float) -> int:
        """How many actions came sooner after their screen could be seen, without repeats of held keys."""
        ages = [act.screen_age for act in self.acts if not act.held and act.screen_age is not None]
        return sum(age < milliseconds for age in ages)


def without_pauses(attempt: AttemptEvidence, pauses: Sequence[tuple[float, float]]) -> AttemptEvidence:
    """The same attempt on a clock that stood still while staff had paused its session.

    `pauses` are in seconds since the first frame, and do not overlap. `away_seconds` stays as it is.
    """

    def on_the_clock(at: float) -> float:
        return at - sum(max(0.0, min(at, end) - max(start, 0.0)) for start, end in pauses)

    return replace(
        attempt,
        seconds=on_the_clock(attempt.seconds),
        acts=tuple(act._replace(at=on_the_clock(act.at)) for act in attempt.acts),
        absences=tuple(
            Absence(*(None if at is None else on_the_clock(at) for at in (absence.since, absence.until)))
            for absence in attempt.absences
        ),
    )


@dataclass(frozen=True, slots=True)
class Norms:
    """What other people did on one version of an environment (`norms.NormSample`).

    `people` is how many. `actions_to_complete` has, for each level that one of them completed, the median of
    their actions on it, with resets; of an even number the lower one. `straight_actions` has the actions of
    each of them who tried something in vain anywhere, 0 for somebody who reset or undid there.
    """

    mean_active_seconds: float
    no_op_median: Mapping[int, float]
    no_op_deviation: Mapping[int, float]
    long_run: int
    actions_to_complete: Mapping[int, int] = field(default_factory=dict)
    straight_actions: Mapping[int, Sequence[int]] = field(default_factory=dict)
    people: int = 0

    def response_seconds(self, limits: Thresholds) -> float:
        """The threshold T of Wise & Kong: less active time than this is no try."""
        return min(limits.response_most_seconds, limits.response_mean_share * self.mean_active_seconds)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rule found, in a session (`attempt` None) or in one attempt.

    `figures` are the numbers the `sentence` speaks of; `moments` the (attempt, seq) a reviewer should watch.
    """

    rule: Rule
    strength: Strength
    attempt: int | None
    figures: dict[str, Any]
    sentence: str
    moments: tuple[tuple[int, int], ...]
