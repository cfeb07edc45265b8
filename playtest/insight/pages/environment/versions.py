"""Two versions of an environment, compared level by level with intervals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from playtest.insight.pages.environment.distributions import baselines
from playtest.insight.tables.acceptance import counted_people, fit_or_none, successes
from playtest.insight.tables.results import attempts
from playtest.insight.tables.version import ENDED, VersionResults
from playtest.review.queries.attempts import LevelStatus
from playtest.rules.baseline import LevelBaseline
from playtest.rules.inference.medians import Interval, interval
from playtest.rules.inference.ranks import LEVEL, holm, mann_whitney
from playtest.rules.inference.shares import Estimate, Share, difference, fisher, share

FEWEST_PEOPLE = 5
"""With fewer people in either version there is no conclusion."""


@dataclass(frozen=True)
class VersionLevel:
    """A level of one version.

    `completed` is a share of those who ended it (`tables.version.ENDED`).
    """

    reached: int
    completed: Share | None
    baseline: LevelBaseline
    interval: Interval | None
    reached_href: str | None
    completed_href: str | None


@dataclass(frozen=True)
class LevelComparison:
    """A level in both versions, or in one of them.

    `difference` is the share that completed the level in the later version minus that in the earlier one.
    """

    level: int
    earlier: VersionLevel | None
    later: VersionLevel | None
    difference: Estimate | None
    conclusion: str
    actions_conclusion: str
    p: float | None = None
    """Of Fisher's exact test of completion, corrected by Holm for all levels."""
    adjusted: Estimate | None = None
    """The same, had the same people met both versions (`adjusted_for_people`)."""

    @property
    def significant(self) -> bool:
        return self.p is not None and self.p < LEVEL

    @property
    def sides(self) -> tuple[VersionLevel | None, VersionLevel | None]:
        return self.earlier, self.later

    @property
    def difference_text(self) -> str:
        """In percentage points with the interval; a dash if there is none."""
        if self.difference is None or not _enough(self):
            return "–"  # noqa: RUF001
        return _with_ends(self.difference)

    @property
    def adjusted_text(self) -> str:
        """The adjusted difference likewise."""
        if self.adjusted is None or not _enough(self):
            return "–"  # noqa: RUF001
        return _with_ends(self.adjusted)


def compare(earlier: VersionResults, later: VersionResults) -> list[LevelComparison]:
    """A row for each level that either version has."""
    sides = [_sides(results) for results in (earlier, later)]
    levels = range(1, max(earlier.version.levels, later.version.levels) + 1)
    pairs = {level: (sides[0].get(level), sides[1].get(level)) for level in levels}
    completion = _corrected({level: _p_of_completion(*pair) for level, pair in pairs.items()})
    actions = _corrected({level: _p_of_actions(*pair) for level, pair in pairs.items()})
    return [_compared(level, *pairs[level], completion.get(level), actions.get(level)) for level in levels]


def _corrected(p_values: Mapping[int, float | None]) -> dict[int, float]:
    """By level, corrected by Holm for the levels that are tested."""
    known = {level: p for level, p in p_values.items() if p is not None}
    return dict(zip(known, holm(list(known.values())), strict=True))


def _p_of_completion(earlier: VersionLevel | None, later: VersionLevel | None) -> float | None:
    if earlier is None or later is None or min(_people(earlier), _people(later)) < FEWEST_PEOPLE:
        return None
    return fisher(earlier.completed, later.completed) if earlier.completed and later.completed else None


def _p_of_actions(earlier: VersionLevel | None, later: VersionLevel | None) -> float | None:
    if earlier is None or later is None:
        return None
    before, now = earlier.baseline.actions, later.baseline.actions
    return None if min(len(before), len(now)) < FEWEST_PEOPLE else mann_whitney(before, now)


def _sides(results: VersionResults) -> dict[int, VersionLevel]:
    known_baselines = baselines(results)
    return {
        one.level: VersionLevel(
            reached=one.reached,
            completed=share(one.completed, one.ended) if one.ended else None,
            baseline=known_baselines[one.level],
            interval=interval(known_baselines[one.level].actions),
            reached_href=results.links.attempts(level=one.level, status=LevelStatus.REACHED),
            completed_href=results.links.attempts(level=one.level, status=LevelStatus.COMPLETED),
        )
        for one in results.facts
    }


def _compared(
    level: int,
    earlier: VersionLevel | None,
    later: VersionLevel | None,
    p: float | None,
    p_of_actions: float | None,
) -> LevelComparison:
    if earlier is None or later is None:
        which = "later" if earlier is None else "earlier"
        return LevelComparison(level, earlier, later, None, f"Only the {which} version has this level.", "")
    found = difference(later.completed, earlier.completed) if later.completed and earlier.completed else None
    conclusions = _conclusion(earlier, later, found, p), _actions_conclusion(earlier, later, p_of_actions)
    return LevelComparison(level, earlier, later, found, *conclusions, p)


def _conclusion(earlier: VersionLevel, later: VersionLevel, found: Estimate | None, p: float | None) -> str:
    """The conclusion about the share that completes the level."""
    if found is None:
        return "Not reached in one version."
    if min(_people(earlier), _people(later)) < FEWEST_PEOPLE:
        return f"Too few people: {_people(earlier)} and {_people(later)}."
    if p is None or p >= LEVEL:
        return f"No significant difference{_p_text(p)}."
    return f"{'More' if found.value > 0 else 'Fewer'} people complete it now{_p_text(p)}."


def _p_text(p: float | None) -> str:
    return "" if p is None else f" (p {'< 0.001' if p < 0.001 else f'= {p:.3f}'})"


def _with_ends(found: Estimate) -> str:
    return "{} ({} to {})".format(*map(_points, (found.value, found.low, found.high)))


def _points(difference: float) -> str:
    points = round(100 * difference)
    return f"{points:+}" if points else "0"


def _people(side: VersionLevel) -> int:
    return side.completed.people if side.completed else 0


def _actions_conclusion(earlier: VersionLevel, later: VersionLevel, p: float | None) -> str:
    before, now = earlier.baseline.upper_median, later.baseline.upper_median
    if before is None or now is None:
        return "Not completed in one version."
    if p is None:
        return f"Too few people: {earlier.baseline.completers} and {later.baseline.completers} completed it."
    if p >= LEVEL or now == before:
        return f"No significant difference{_p_text(p)}."
    return f"It takes {'fewer' if now < before else 'more'} actions now{_p_text(p)}."


def versions_heading(earlier: VersionResults, later: VersionResults) -> str:
    """The levels whose completion differs significantly."""
    rows = compare(earlier, later)
    if not any(_enough(row) for row in rows):
        return f"Too few people to compare: {earlier.people} and {later.people}"
    sure = [row for row in rows if row.significant and _enough(row)]
    if not sure:
        return f"No level's completion differs significantly (n = {earlier.people:,} and {later.people:,})"
    changes = " and ".join(
        f"level {row.level} {'more' if row.difference and row.difference.value > 0 else 'less'} often"
        for row in sure
    )
    return f"People now complete {changes} (n = {earlier.people:,} and {later.people:,})"


def _enough(row: LevelComparison) -> bool:
    sides = [_people(side) for side in (row.earlier, row.later) if side is not None]
    return len(sides) == 2 and min(sides) >= FEWEST_PEOPLE


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
    for person, level, completed in (
        results.levels.filter(ENDED).select("participant", "level", "completed").iter_rows()
    ):
        yield person, (results.version.pk, level), completed


def _elsewhere(earlier: VersionResults, later: VersionResults) -> Iterator[tuple[str, Item, bool]]:
    scope = later.scope
    counted = counted_people(attempts(scope), scope).filter(
        ~pl.col("version").is_in([earlier.version.pk, later.version.pk])
    )
    for person, version, solved in successes(counted, "version", with_excluded=scope.with_excluded):
        yield person, (version, 0), solved
