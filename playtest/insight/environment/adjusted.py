"""Two versions of an environment, compared as if the same people had met both."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from playtest.insight.environment.versions import LevelComparison
from playtest.insight.results.acceptance import counted_people
from playtest.insight.results.adjusted import fit_or_none, successes
from playtest.insight.results.level_outcomes import OPEN
from playtest.insight.results.tables import attempts
from playtest.insight.results.version import VersionResults
from playtest.rules.attempt import LEFT_AT_ONCE

type Item = tuple[int, int]
"""A version and a level; 0 is a whole environment."""


def adjusted_for_people(
    rows: Sequence[LevelComparison], earlier: VersionResults, later: VersionResults
) -> list[LevelComparison]:
    """The same rows with the adjusted difference, where both versions have the level and abilities are known.

    An item of the model is a level of either version, for those who ended it as in the unadjusted share, or
    any other environment, for its counted people. So the levels of others are not read.
    """
    fit = fit_or_none([*_on_levels(earlier), *_on_levels(later), *_elsewhere(earlier, later)])
    if fit is None:
        return list(rows)
    known = set(fit.items)

    def adjusted(row: LevelComparison) -> LevelComparison:
        new, old = ((side.version.pk, row.level) for side in (later, earlier))
        return replace(row, adjusted=fit.difference(new, old)) if {new, old} <= known else row

    return [adjusted(row) for row in rows]


def _on_levels(results: VersionResults) -> Iterator[tuple[str, Item, bool]]:
    ended = results.levels.filter(~pl.col("level_outcome").is_in([OPEN, LEFT_AT_ONCE]))
    for person, level, completed in ended.select("participant", "level", "completed").iter_rows():
        yield person, (results.version.pk, level), completed


def _elsewhere(earlier: VersionResults, later: VersionResults) -> Iterator[tuple[str, Item, bool]]:
    scope = later.scope
    counted = counted_people(attempts(scope), scope).filter(
        ~pl.col("version").is_in([earlier.version.pk, later.version.pk])
    )
    for person, version, solved in successes(counted, "version", with_excluded=scope.with_excluded):
        yield person, (version, 0), solved
