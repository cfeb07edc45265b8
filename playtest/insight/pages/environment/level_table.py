"""The table of levels, one row each with its flags and what its card says is new on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl
from django.db.models import F, OuterRef, Subquery

from playtest.insight.models import LevelResult
from playtest.insight.pages.environment.distributions import Standard
from playtest.insight.pages.environment.ends import LEFT
from playtest.insight.tables.version import ENDED, VersionResults
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.adjustments import adjustments_of_attempts
from playtest.play.sessions.reads import PEOPLE
from playtest.review.queries.attempts import LOST, NO, LevelStatus
from playtest.rules.adjustments import NO_ADJUSTMENTS
from playtest.rules.cards import Mechanic
from playtest.rules.dropoff import Flag, FlagKind, LevelFacts, flags
from playtest.rules.text import percent
from playtest.studio.queries.cards import mechanics_by_level

MOST_SENTENCES = 3
CHANGES = {"attempt": pl.Int64, "level": pl.Int64, "seconds_to_change": pl.Float64}
"""Columns of `seconds_to_change`: a row for each person and level on which they changed the board."""


@dataclass(frozen=True)
class LinkedFlag:
    """A flag, the address of the list of the attempts behind it, and what the table says of it."""

    flag: Flag
    href: str | None
    said: str


@dataclass(frozen=True)
class LevelRow:
    """The table's row of a level. Medians are upper medians, None without people.

    Only `counts` include people who have not ended the level. `seconds` is the median of those who completed
    it, `resets` and `most_resets` are of everyone who ended it. `first_change` is the number of the first
    action that changed the board, and `seconds_to_change` its time.
    """

    level: int
    counts: LevelFacts
    standard: Standard
    seconds: float | None
    resets: int | None
    most_resets: int | None
    first_change: int | None
    seconds_to_change: float | None
    flags: tuple[LinkedFlag, ...]
    completed_href: str | None
    lost_href: str | None
    ends_href: str | None
    new: tuple[Mechanic, ...]

    @property
    def completed_share(self) -> str:
        """The share of those who ended the level, "85 % of 13"; "" if nobody did."""
        ended = self.counts.ended
        return f"{percent(self.counts.completed / ended)} of {ended}" if ended else ""


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
        results.levels.filter(ENDED).join(changes, on=["attempt", "level"], how="left"),
        _upper_median(pl.col("actions").filter(pl.col("completed"))).alias("median_actions"),
        _upper_median(pl.col("resets")).alias("median_resets"),
        _upper_median(pl.coalesce("seconds_to_change", "seconds")).alias("median_seconds_to_change"),
    )
    return [replace(facts, **medians.get(facts.level, {})) for facts in results.facts]


def level_rows(
    results: VersionResults, facts: Sequence[LevelFacts], standards: Mapping[int, Standard]
) -> list[LevelRow]:
    """The table's rows, from level 1 on; `facts` is from `level_facts`."""
    raised = flags(facts)
    introduced = mechanics_by_level(results.version.environment)
    figures = _by_level(
        results.levels.filter(ENDED),
        _upper_median(pl.col("seconds").filter(pl.col("completed"))).alias("seconds"),
        pl.col("resets").max().alias("most_resets"),
        _upper_median(pl.col("first_change")).alias("first_change"),
    )
    return [
        LevelRow(
            level=level.level,
            counts=level,
            standard=standards[level.level],
            seconds=figures.get(level.level, {}).get("seconds"),
            resets=None if level.median_resets is None else int(level.median_resets),
            most_resets=figures.get(level.level, {}).get("most_resets"),
            first_change=figures.get(level.level, {}).get("first_change"),
            seconds_to_change=level.median_seconds_to_change,
            flags=tuple(linked_flags(results, raised, level.level)),
            completed_href=results.links.attempts(level=level.level, status=LevelStatus.COMPLETED),
            lost_href=results.links.attempts(
                level=level.level, status=LevelStatus.STOPPED, outcome=LOST, at_once=NO
            ),
            ends_href=results.links.ends(level.level, LEFT) if level.lost + level.left_at_once else None,
            new=introduced.get(level.level, ()),
        )
        for level in facts
    ]


def linked_flags(results: VersionResults, raised: Sequence[Flag], level: int) -> list[LinkedFlag]:
    """A level's flags, each with the attempts that were lost on it, completed it or reached it.

    MOST_SENTENCES of all `raised` are said in a sentence, the others by their label, and a drop always: its
    numbers stand beside it.
    """
    in_words = [flag for flag in raised if flag.kind != FlagKind.DROP][:MOST_SENTENCES]
    return [
        LinkedFlag(flag, _attempts(results, flag), flag.sentence if flag in in_words else flag.label)
        for flag in raised
        if flag.level == level
    ]


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
    return {row.pop("level"): row for row in rows}


def _upper_median(column: pl.Expr) -> pl.Expr:
    """As `rules.baseline.upper_median`; null for no values."""
    values = column.drop_nulls().sort()
    return values.get(values.len() // 2, null_on_oob=True)
