"""What agents and people did on each level of a version, and where people got stuck."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from django.db.models import F

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import LevelResult
from playtest.insight.scope import EVERYONE
from playtest.insight.tables.results import attempts, levels
from playtest.play.models import Attempt
from playtest.rules.baseline import upper_median
from playtest.rules.labels import OUTCOME_LABELS, RUN_OUTCOME_LABELS
from playtest.studio.models import Version

_LABELS = {
    str(name): label for labels in (OUTCOME_LABELS, RUN_OUTCOME_LABELS) for name, label in labels.items()
}
_OPEN = "still playing"


@dataclass(frozen=True, slots=True)
class OnLevel:
    """One level that somebody reached; `player` is a participant's pseudonym or an agent's key name.

    `last_seq` is their last action there.
    """

    player: str
    attempt: int
    level: int
    last_seq: int
    completed: bool
    actions: int
    resets: int
    no_ops: int
    repeated_states: int
    unique_states: int
    first_change: int | None
    first_score_change: int | None
    game_overs: int


_FIELDS = tuple(one.name for one in fields(OnLevel))[1:]


@dataclass(frozen=True)
class Measures:
    """What a group did on a level. Rates (0..1) are over all its actions but resets; None without any.

    Counts are upper medians: `actions` of those who completed the level, `first_change` and
    `first_score_change` of those who had one.
    """

    reached: int
    completed: int
    actions: int | None
    no_op_rate: float | None
    repeated_rate: float | None
    unique_states: int | None
    first_change: int | None
    first_score_change: int | None

    @property
    def completed_share(self) -> float | None:
        """The share (0..1) that completed it; None if nobody reached it."""
        return self.completed / self.reached if self.reached else None

    @property
    def lost(self) -> int:
        """How many reached the level and did not complete it."""
        return self.reached - self.completed


@dataclass(frozen=True)
class LevelComparison:
    """A level with what both groups did there; rows are sorted by actions."""

    level: int
    people: Measures
    agents: Measures
    of_people: tuple[OnLevel, ...]
    of_agents: tuple[OnLevel, ...]


@dataclass(frozen=True)
class SideBySide:
    """People and agents on one version. A row of `people` and `agents` is a level that somebody reached."""

    version: Version
    people: tuple[OnLevel, ...]
    agents: tuple[OnLevel, ...]

    @property
    def levels(self) -> list[LevelComparison]:
        return [self._level(number) for number in range(1, self.version.levels + 1)]

    @property
    def hardest(self) -> list[LevelComparison]:
        """The levels that people lost, most losses first."""
        lost = [level for level in self.levels if level.people.lost]
        return sorted(lost, key=lambda level: (-level.people.lost, level.level))

    def _level(self, number: int) -> LevelComparison:
        people, agents = (_on(number, rows) for rows in (self.people, self.agents))
        return LevelComparison(number, measures(people), measures(agents), people, agents)


def side_by_side(version: Version) -> SideBySide:
    """Real people who are not excluded, and every play of agents, on a version; brings results up to date."""
    bring_up_to_date(EVERYONE.attempts.filter(environment=version.environment))
    tested = attempts(EVERYONE, [version.environment])
    tested = tested.filter(tested["version"] == version.pk)
    names = dict(tested.select("attempt", "participant").rows())
    reached = levels(tested, EVERYONE).select(_FIELDS).rows()
    people = (OnLevel(names[row[0]], *row) for row in reached)
    return SideBySide(version, tuple(people), tuple(_agents(version)))


def deepest(rows: Iterable[OnLevel]) -> int:
    """The highest level that anybody reached; 0 for nobody."""
    return max((row.level for row in rows), default=0)


def measures(rows: Sequence[OnLevel]) -> Measures:
    """What a group did on one level, from its rows."""
    moves = sum(row.actions - row.resets for row in rows)
    completed = [row for row in rows if row.completed]
    return Measures(
        reached=len(rows),
        completed=len(completed),
        actions=_middle(row.actions for row in completed),
        no_op_rate=sum(row.no_ops for row in rows) / moves if moves else None,
        repeated_rate=sum(row.repeated_states for row in rows) / moves if moves else None,
        unique_states=_middle(row.unique_states for row in rows),
        first_change=_middle(row.first_change for row in rows),
        first_score_change=_middle(row.first_score_change for row in rows),
    )


def _on(level: int, rows: Iterable[OnLevel]) -> tuple[OnLevel, ...]:
    """What was done on one level, fewest actions first."""
    found = (row for row in rows if row.level == level)
    return tuple(sorted(found, key=lambda row: (row.actions, row.attempt)))


def _middle(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return upper_median(known) if known else None


def _agents(version: Version) -> list[OnLevel]:
    plays = Attempt.objects.filter(play__run__version=version)
    bring_up_to_date(plays)
    rows = (
        LevelResult.objects.filter(attempt__in=plays, attempt__entries__seq=1)
        .annotate(player=F("attempt__play__run__card__key__name"))
        .order_by("attempt", "level")
    )
    found: Iterable[Sequence[Any]] = rows.values_list("player", *_FIELDS)
    return [OnLevel(*row) for row in found]


@dataclass(frozen=True)
class Stop:
    """A play that ended on the level, or is there still: `ended` says how."""

    row: OnLevel
    ended: str


@dataclass(frozen=True)
class Fate:
    """What became of one group on the level; `stops` are who did not complete it, most actions first."""

    who: str
    on: Measures
    rows: tuple[OnLevel, ...]
    stops: tuple[Stop, ...]

    @property
    def endings(self) -> list[tuple[str, int]]:
        """How many stopped in which way, the most frequent first."""
        return Counter(stop.ended for stop in self.stops).most_common()


@dataclass(frozen=True)
class StuckLevel:
    """A level that people lost, with the fates of people and agents."""

    level: int
    people: Fate
    agents: Fate

    @property
    def fates(self) -> tuple[Fate, Fate]:
        return self.people, self.agents


def stuck_levels(found: SideBySide, most: int) -> list[StuckLevel]:
    """The levels that people lost, most losses first; at most `most`."""
    hardest = found.hardest[:most]
    stopped = {row.attempt for level in hardest for row in _rows(level) if not row.completed}
    outcomes = dict(Attempt.objects.filter(pk__in=stopped).values_list("pk", "outcome"))
    return [
        StuckLevel(
            level.level,
            _fate("people", level.people, level.of_people, outcomes),
            _fate("agents", level.agents, level.of_agents, outcomes),
        )
        for level in hardest
    ]


def _rows(level: LevelComparison) -> Iterable[OnLevel]:
    return (*level.of_people, *level.of_agents)


def _fate(who: str, on: Measures, rows: tuple[OnLevel, ...], outcomes: Mapping[int, str]) -> Fate:
    stops = (Stop(row, _ended(outcomes[row.attempt])) for row in reversed(rows) if not row.completed)
    return Fate(who, on, rows, tuple(stops))


def _ended(outcome: str) -> str:
    return _LABELS[outcome] if outcome else _OPEN
