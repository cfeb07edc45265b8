"""The table of levels, one row each with its flags, and where mechanics lose people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from django.db.models import F, OuterRef, Subquery

from playtest.insight.models import LevelResult
from playtest.insight.pages.environment.distributions import Standard, funnel
from playtest.insight.pages.environment.ends import LEFT
from playtest.insight.tables.version import OPEN, VersionResults
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.adjustments import adjustments_of_attempts
from playtest.play.sessions.reads import PEOPLE
from playtest.review.queries.attempts import LOST, NO, YES, LevelStatus
from playtest.rules.adjustments import NO_ADJUSTMENTS
from playtest.rules.attempt import LEFT_AT_ONCE, Outcome
from playtest.rules.cards import Mechanic
from playtest.rules.dropoff import Flag, FlagKind, LevelFacts, Stretch, flags, loss, stretches
from playtest.studio.queries.cards import mechanics_by_level

CHANGES = {"attempt": pl.Int64, "level": pl.Int64, "seconds_to_change": pl.Float64}
"""Columns of `seconds_to_change`: a row for each person and level on which they changed the board."""


@dataclass(frozen=True)
class LinkedFlag:
    """A flag, and the address of the list of the attempts behind it."""

    flag: Flag
    href: str | None


@dataclass(frozen=True)
class LevelRow:
    """The table's row of a level. Medians are upper medians, None without people.

    Only `counts` include those who left at once. `seconds` is the median of those who completed the level,
    `resets` and `most_resets` are of everyone who reached it. `first_change` is the number of the first
    action that changed the board, and `seconds_to_change` its time.
    """

    level: int
    counts: Mapping[str, int]
    standard: Standard
    seconds: float | None
    resets: int | None
    most_resets: int | None
    first_change: int | None
    seconds_to_change: float | None
    flags: tuple[LinkedFlag, ...]
    reached_href: str | None
    completed_href: str | None
    lost_href: str | None
    at_once_href: str | None
    ends_href: str | None

    @property
    def completed_percent(self) -> int:
        """The share of those who reached the level; 0 if nobody did."""
        return round(100 * self.counts["completed"] / self.counts["reached"]) if self.counts["reached"] else 0


def seconds_to_change(results: VersionResults) -> pl.DataFrame:
    """CHANGES: the seconds from entering a level to the first action that changed the board."""
    first = Entry.objects.filter(
        attempt=OuterRef("attempt"), seq=OuterRef("entered_seq") + OuterRef("first_change")
    ).values("server_time")
    people = Attempt.objects.filter(PEOPLE, version=results.version)
    rows = (
        LevelResult.objects.filter(attempt__in=people.values("pk"), first_change__isnull=False)
        .annotate(changed_at=Subquery(first[:1]))
        .values_list("attempt", "level", F("entered_at"), "changed_at")
    )
    clocks = adjustments_of_attempts(people)
    table = [
        (attempt, level, clocks.get(attempt, NO_ADJUSTMENTS).running(entered, changed).total_seconds())
        for attempt, level, entered, changed in rows
    ]
    known = pl.DataFrame(table, schema=CHANGES, orient="row")
    return known.join(results.levels.select("attempt", "level"), on=["attempt", "level"], how="semi")


def level_facts(results: VersionResults, changes: pl.DataFrame) -> list[LevelFacts]:
    """The facts of every level that `rules.dropoff` judges; `changes` is from `seconds_to_change`."""
    medians = _by_level(
        _stayed(results),
        _upper_median(pl.col("actions").filter(pl.col("completed"))).alias("actions"),
        _upper_median(pl.col("resets")).alias("resets"),
    )
    starts = _by_level(
        _starters(results, changes),
        pl.len().alias("starters"),
        _upper_median(pl.col("waited")).alias("waited"),
    )
    return [
        LevelFacts(
            row["level"],
            row["reached"] - row[LEFT_AT_ONCE],
            row[Outcome.COMPLETED],
            row["lost"],
            medians.get(row["level"], {}).get("actions"),
            medians.get(row["level"], {}).get("resets"),
            starts.get(row["level"], {}).get("starters", 0),
            starts.get(row["level"], {}).get("waited"),
            row[LEFT_AT_ONCE],
        )
        for row in funnel(results).to_dicts()
    ]


def _stayed(results: VersionResults) -> pl.DataFrame:
    """The levels of people who did not leave at once."""
    return results.levels.filter(pl.col("level_outcome") != LEFT_AT_ONCE)


def _starters(results: VersionResults, changes: pl.DataFrame) -> pl.DataFrame:
    """How long each person waited for the board to change; without any change, all their time."""
    return (
        _stayed(results)
        .join(changes, on=["attempt", "level"], how="left")
        .filter(pl.col("seconds_to_change").is_not_null() | (pl.col("level_outcome") != OPEN))
        .with_columns(pl.coalesce("seconds_to_change", "seconds").alias("waited"))
    )


def level_rows(
    results: VersionResults, facts: Sequence[LevelFacts], standards: Mapping[int, Standard]
) -> list[LevelRow]:
    """The table's rows, from level 1 on; `facts` is from `level_facts`."""
    raised = flags(facts)
    counts = {row["level"]: row for row in funnel(results).to_dicts()}
    figures = _by_level(
        _stayed(results),
        _upper_median(pl.col("seconds").filter(pl.col("completed"))).alias("seconds"),
        pl.col("resets").max().alias("most_resets"),
        _upper_median(pl.col("first_change")).alias("first_change"),
    )
    return [
        LevelRow(
            level=level.level,
            counts=counts[level.level],
            standard=standards[level.level],
            seconds=figures.get(level.level, {}).get("seconds"),
            resets=None if level.median_resets is None else int(level.median_resets),
            most_resets=figures.get(level.level, {}).get("most_resets"),
            first_change=figures.get(level.level, {}).get("first_change"),
            seconds_to_change=level.median_seconds_to_change,
            flags=tuple(linked_flags(results, raised, level.level)),
            reached_href=results.links.attempts(level=level.level, status=LevelStatus.REACHED),
            completed_href=results.links.attempts(level=level.level, status=LevelStatus.COMPLETED),
            lost_href=results.links.attempts(
                level=level.level, status=LevelStatus.STOPPED, outcome=LOST, at_once=NO
            ),
            at_once_href=results.links.attempts(level=level.level, status=LevelStatus.STOPPED, at_once=YES),
            ends_href=results.links.ends(level.level, LEFT) if level.lost + level.left_at_once else None,
        )
        for level in facts
    ]


def linked_flags(results: VersionResults, raised: Sequence[Flag], level: int) -> list[LinkedFlag]:
    """A level's flags, each with the attempts that were lost on it, completed it or reached it."""
    return [LinkedFlag(flag, _attempts(results, flag)) for flag in raised if flag.level == level]


def _attempts(results: VersionResults, flag: Flag) -> str | None:
    match flag.kind:
        case FlagKind.DROP:
            return results.links.attempts(
                level=flag.level, status=LevelStatus.STOPPED, outcome=LOST, at_once=NO
            )
        case FlagKind.JUMP:
            return results.links.attempts(level=flag.level, status=LevelStatus.COMPLETED)
        case _:
            return results.links.attempts(level=flag.level, status=LevelStatus.REACHED)


def _by_level(frame: pl.DataFrame, *figures: pl.Expr) -> dict[int, dict[str, Any]]:
    rows = frame.group_by("level").agg(*figures).to_dicts()
    return {row["level"]: row for row in rows}


def _upper_median(column: pl.Expr) -> pl.Expr:
    """As `rules.baseline.upper_median`; null for no values."""
    values = column.drop_nulls().sort()
    return values.get(values.len() // 2, null_on_oob=True)


@dataclass(frozen=True)
class LevelLoss:
    """A level's facts, and the address where its leavers are watched side by side; None if there are none."""

    facts: LevelFacts
    href: str | None


@dataclass(frozen=True)
class MechanicRow:
    """A row of the table; as `rules.dropoff.Stretch`."""

    new: tuple[Mechanic, ...]
    before: tuple[Mechanic, ...]
    introduces: LevelLoss | None
    combines: tuple[LevelLoss, ...]


@dataclass(frozen=True)
class Mechanics:
    """The section of the page: a sentence that answers, and the table."""

    sentence: str
    rows: tuple[MechanicRow, ...]


def mechanics(results: VersionResults, facts: Sequence[LevelFacts]) -> Mechanics | None:
    """By the latest revision of the environment's card; None without one that names mechanics."""
    found = stretches(mechanics_by_level(results.version.environment), facts)
    if not found:
        return None
    return Mechanics(_sentence(found), tuple(_row(results, one) for one in found))


def _row(results: VersionResults, stretch: Stretch) -> MechanicRow:
    def linked(level: LevelFacts) -> LevelLoss:
        return LevelLoss(level, results.links.ends(level.level, LEFT) if level.lost else None)

    introduces = linked(stretch.introduces) if stretch.introduces else None
    return MechanicRow(stretch.new, stretch.before, introduces, tuple(map(linked, stretch.combines)))


def _sentence(found: Sequence[Stretch]) -> str:
    """Where most were lost, among the levels that introduce something and all others."""
    lost = loss(found)
    if not lost.on_new and not lost.on_others:
        return "Nobody was lost."
    begin = (
        f"{_people(lost.on_new)} lost on a level that introduces a mechanic, "
        f"{lost.on_others} on one that may combine those before it."
    )
    if len(lost.most) != 1:
        return begin
    (most,) = lost.most
    names = " and ".join(f"“{one.name}”" for one in most.new)
    assert most.introduces is not None
    return f"{begin} Most of the former, {most.introduces.lost}, where {names} came first."


def _people(count: int) -> str:
    return "1 person was" if count == 1 else f"{count} people were"
