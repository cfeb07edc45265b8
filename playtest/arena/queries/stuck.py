"""Where people got stuck, and what agents did there beside them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from playtest.arena.queries.side_by_side import LevelComparison, Measures, OnLevel, SideBySide
from playtest.play.models import Attempt
from playtest.rules.labels import OUTCOME_LABELS, RUN_OUTCOME_LABELS

_LABELS = {
    str(name): label for labels in (OUTCOME_LABELS, RUN_OUTCOME_LABELS) for name, label in labels.items()
}
_OPEN = "still playing"


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
