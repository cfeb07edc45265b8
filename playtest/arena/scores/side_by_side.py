"""What agents and people did on each level of a version, and where people got stuck."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property

from django.db.models import F

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import LevelResult
from playtest.insight.scope import EVERYONE, Scope
from playtest.insight.tables.results import attempts, levels
from playtest.play.models import Attempt
from playtest.rules.baseline import upper_median
from playtest.rules.labels import OUTCOME_LABELS, RUN_OUTCOME_LABELS
from playtest.rules.results import counted_actions
from playtest.studio.models import Version

PEOPLE, AGENTS = "people", "agents"
_LABELS = {str(name): label for name, label in [*OUTCOME_LABELS.items(), *RUN_OUTCOME_LABELS.items()]}
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


@dataclass(frozen=True, slots=True)
class Stop:
    """A play that ended on the level, or is there still: `ended` says how."""

    row: OnLevel
    ended: str


@dataclass(frozen=True)
class Fate:
    """What one group (`who`) did on a level: its rows, fewest actions first, and how their plays ended.

    Rates (0..1) are over all actions but resets; None without any. Counts are upper medians: `actions` of
    those who completed the level, the first changes of those who had one.
    """

    who: str
    rows: tuple[OnLevel, ...]
    outcomes: Mapping[int, str]

    @property
    def reached(self) -> int:
        return len(self.rows)

    @cached_property
    def completed(self) -> list[OnLevel]:
        return [row for row in self.rows if row.completed]

    @property
    def completed_share(self) -> float | None:
        """The share (0..1) that completed it; None if nobody reached it."""
        return len(self.completed) / self.reached if self.reached else None

    @cached_property
    def stops(self) -> list[Stop]:
        """Who reached the level and did not complete it, most actions first."""
        stopped = [row for row in reversed(self.rows) if not row.completed]
        return [Stop(row, _LABELS.get(self.outcomes[row.attempt], _OPEN)) for row in stopped]

    @property
    def endings(self) -> list[tuple[str, int]]:
        """How many stopped in which way, the most frequent first."""
        return Counter(stop.ended for stop in self.stops).most_common()

    @property
    def actions(self) -> int | None:
        return _middle(row.actions for row in self.completed)

    @property
    def no_op_rate(self) -> float | None:
        return self._rate(row.no_ops for row in self.rows)

    @property
    def repeated_rate(self) -> float | None:
        return self._rate(row.repeated_states for row in self.rows)

    @property
    def unique_states(self) -> int | None:
        return _middle(row.unique_states for row in self.rows)

    @property
    def first_change(self) -> int | None:
        return _middle(row.first_change for row in self.rows)

    @property
    def first_score_change(self) -> int | None:
        return _middle(row.first_score_change for row in self.rows)

    def _rate(self, counts: Iterable[int]) -> float | None:
        moves = sum(row.actions - row.resets for row in self.rows)
        return sum(counts) / moves if moves else None


@dataclass(frozen=True)
class Level:
    """A level with the fates of both groups."""

    level: int
    people: Fate
    agents: Fate

    @property
    def fates(self) -> tuple[Fate, Fate]:
        return self.people, self.agents


@dataclass(frozen=True)
class SideBySide:
    """People and agents on one version. A row of `people` and `agents` is a level that somebody reached."""

    version: Version
    people: tuple[OnLevel, ...]
    agents: tuple[OnLevel, ...]

    @cached_property
    def levels(self) -> list[Level]:
        rows = {PEOPLE: self.people, AGENTS: self.agents}
        stopped = {row.attempt for of_group in rows.values() for row in of_group if not row.completed}
        outcomes = dict(Attempt.objects.filter(pk__in=stopped).values_list("pk", "outcome"))
        return [
            Level(number, *(Fate(who, _on(number, of_group), outcomes) for who, of_group in rows.items()))
            for number in range(1, self.version.levels + 1)
        ]

    def stuck(self, most: int) -> list[Level]:
        """The levels that people lost, most losses first; at most `most`."""
        lost = [level for level in self.levels if level.people.stops]
        return sorted(lost, key=lambda level: (-len(level.people.stops), level.level))[:most]


def side_by_side(version: Version, scope: Scope = EVERYONE) -> SideBySide:
    """The people of a scope, and every play of agents, on a version; brings results up to date.

    Undo is one of the actions of both, or of neither, as the scope has it.
    """
    bring_up_to_date(scope.attempts.filter(environment=version.environment))
    tested = attempts(scope, [version.environment])
    tested = tested.filter(tested["version"] == version.pk)
    names = dict(tested.select("attempt", "participant").rows())
    reached = levels(tested, scope).select(_FIELDS).rows()
    people = (OnLevel(names[row[0]], *row) for row in reached)
    return SideBySide(version, tuple(people), tuple(_agents(version, scope)))


def deepest(rows: Iterable[OnLevel]) -> int:
    """The highest level that anybody reached; 0 for nobody."""
    return max((row.level for row in rows), default=0)


def _on(level: int, rows: Iterable[OnLevel]) -> tuple[OnLevel, ...]:
    """What was done on one level, fewest actions first."""
    found = (row for row in rows if row.level == level)
    return tuple(sorted(found, key=lambda row: (row.actions, row.attempt)))


def _middle(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return upper_median(known) if known else None


def _agents(version: Version, scope: Scope) -> Iterator[OnLevel]:
    plays = Attempt.objects.filter(play__run__version=version)
    bring_up_to_date(plays)
    rows = (
        LevelResult.objects.filter(attempt__in=plays, attempt__entries__seq=1)
        .annotate(player=F("attempt__play__run__card__key__name"))
        .order_by("attempt", "level")
    )
    for undos, *row in rows.values_list("undos", "player", *_FIELDS):
        found = OnLevel(*row)
        yield replace(found, actions=counted_actions(found.actions, undos, undo_counts=scope.undo_counts))
