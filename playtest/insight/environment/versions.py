"""Two versions of an environment side by side: what differs, and how sure one can be."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from playtest.insight.environment.distributions import baselines
from playtest.insight.environment.funnel import funnel
from playtest.insight.figures import HREF, Column, Figure, Row
from playtest.insight.results import tables
from playtest.insight.results.level_outcomes import OPEN
from playtest.insight.results.version import VersionResults
from playtest.insight.scope import Scope
from playtest.review.queries.reach import There
from playtest.rules.attempt import LEFT_AT_ONCE, Outcome
from playtest.rules.baseline import LevelBaseline
from playtest.rules.bootstrap import Interval, interval
from playtest.rules.proportions import Difference, Share, difference, share
from playtest.studio.models import Environment, Version

FEWEST_PEOPLE = 5
"""With fewer people on either side nothing is said about a difference."""


@dataclass(frozen=True)
class Known:
    """A version of an environment and how many people of the scope played it."""

    version: Version
    people: int


@dataclass(frozen=True)
class Side:
    """One version's level. `completed` is the share of those who reached it, are not on it now and
    did not leave it at once."""

    reached: int
    lost: int
    completed: Share | None
    baseline: LevelBaseline
    interval: Interval | None
    reached_href: str | None
    completed_href: str | None


@dataclass(frozen=True)
class Compared:
    """A level in both versions; a side is None where its version has no such level.

    `difference` is of the shares that completed it, the later less the earlier.
    """

    level: int
    earlier: Side | None
    later: Side | None
    difference: Difference | None
    words: str
    actions_words: str

    @property
    def sides(self) -> tuple[Side | None, Side | None]:
        return self.earlier, self.later

    @property
    def difference_words(self) -> str:
        """In points of a hundred; a dash where there is none, or too few people to say one."""
        if self.difference is None or not _enough(self):
            return "–"  # noqa: RUF001
        return "{} ({} to {})".format(
            *map(_points, (self.difference.value, self.difference.low, self.difference.high))
        )


def known(environment: Environment, scope: Scope) -> list[Known]:
    """Every version of the environment, the last imported first."""
    people = tables.attempts(scope, [environment]).group_by("version").agg(pl.len())
    counts: dict[int, int] = dict(people.iter_rows())
    versions = environment.versions.order_by("-imported_at", "-pk")
    return [Known(version, counts.get(version.pk, 0)) for version in versions]


def compare(earlier: VersionResults, later: VersionResults) -> list[Compared]:
    """A row for each level that either version has."""
    sides = [_sides(results) for results in (earlier, later)]
    levels = range(1, max(earlier.version.levels, later.version.levels) + 1)
    return [_compared(level, sides[0].get(level), sides[1].get(level)) for level in levels]


def _sides(results: VersionResults) -> dict[int, Side]:
    known_baselines = baselines(results)
    return {
        row["level"]: Side(
            reached=row["reached"],
            lost=row["lost"],
            completed=share(row[Outcome.COMPLETED], done) if (done := _done(row)) else None,
            baseline=known_baselines[row["level"]],
            interval=interval(known_baselines[row["level"]].actions),
            reached_href=results.links.attempts(level=row["level"], there=There.REACHED),
            completed_href=results.links.attempts(level=row["level"], there=There.COMPLETED),
        )
        for row in funnel(results).to_dicts()
    }


def _done(row: Mapping[str, int]) -> int:
    """Who reached a level, is not on it now and did not leave it at once."""
    return row["reached"] - row[OPEN] - row[LEFT_AT_ONCE]


def _compared(level: int, earlier: Side | None, later: Side | None) -> Compared:
    if earlier is None or later is None:
        which = "later" if earlier is None else "earlier"
        return Compared(level, earlier, later, None, f"Only the {which} version has this level.", "")
    found = difference(later.completed, earlier.completed) if later.completed and earlier.completed else None
    return Compared(
        level, earlier, later, found, _words(earlier, later, found), _actions_words(earlier, later)
    )


def _words(earlier: Side, later: Side, found: Difference | None) -> str:
    """What can be said of the difference, in a sentence."""
    if found is None:
        return "Nobody has reached it in one of the versions."
    if min(_people(earlier), _people(later)) < FEWEST_PEOPLE:
        return f"Too few people to tell: {_people(earlier)} and {_people(later)}."
    if found.sure:
        return "More people complete it now." if found.value > 0 else "Fewer people complete it now."
    return "No difference can be told yet."


def _points(difference: float) -> str:
    points = round(100 * difference)
    return f"{points:+}" if points else "0"


def _people(side: Side) -> int:
    return side.completed.people if side.completed else 0


def _actions_words(earlier: Side, later: Side) -> str:
    if earlier.baseline.upper_median is None or later.baseline.upper_median is None:
        return "Nobody has completed it in one of the versions."
    if min(earlier.baseline.completers, later.baseline.completers) < FEWEST_PEOPLE:
        return f"Too few to tell: {earlier.baseline.completers} and {later.baseline.completers} completed it."
    if earlier.interval is None or later.interval is None:
        return ""
    if later.interval.high < earlier.interval.low:
        return "It takes fewer actions now."
    if later.interval.low > earlier.interval.high:
        return "It takes more actions now."
    return "No difference can be told yet: the intervals overlap."


def completion_figure(earlier: VersionResults, later: VersionResults) -> Figure:
    """The share of those who reached each level that completed it, a bar for each version, with intervals."""
    rows: list[Row] = []
    for compared in compare(earlier, later):
        for results, side in ((earlier, compared.earlier), (later, compared.later)):
            if side is not None and side.completed is not None:
                label = f"Level {compared.level}, {name_of(results.version)}"
                percents = (100 * side.completed.value, 100 * side.completed.low, 100 * side.completed.high)
                rows.append((label, *percents, side.completed_href))
    return Figure(
        name="completion",
        kind="bars",
        title=answer(earlier, later),
        caption=(
            "Of those who reached the level, are not on it now and did not leave it at once, with Wilson's"
            " 95 % interval."
        ),
        columns=(
            Column("label", "Level and version"),
            Column("value", "Completed", "%"),
            Column("low", "At least", "%"),
            Column("high", "At most", "%"),
            HREF,
        ),
        rows=rows,
        empty="A bar for each version appears here once somebody has reached a level.",
        options={"value_label": "Completed, in percent of those who reached the level"},
    )


def name_of(version: Version) -> str:
    """How a version is called in words: the beginning of its digest."""
    return version.digest[:8]


def answer(earlier: VersionResults, later: VersionResults) -> str:
    """What differs, in a sentence without its full stop; small samples say so."""
    rows = compare(earlier, later)
    if not any(_enough(row) for row in rows):
        return f"Too few people to compare: {earlier.people} then, {later.people} now"
    sure = [row for row in rows if row.difference and row.difference.sure and _enough(row)]
    if not sure:
        return "No level's completion differs by more than chance explains"
    changes = " and ".join(
        f"level {row.level} {'more' if row.difference and row.difference.value > 0 else 'less'} often"
        for row in sure
    )
    return f"People now complete {changes}"


def _enough(row: Compared) -> bool:
    sides = [_people(side) for side in (row.earlier, row.later) if side is not None]
    return len(sides) == 2 and min(sides) >= FEWEST_PEOPLE
