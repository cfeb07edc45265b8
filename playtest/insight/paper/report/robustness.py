"""The baselines again under other exclusions (checklist 4.6): would another rule have told another story?"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

import polars as pl

from playtest.insight.pages.study.results import IS_SOLVED, StudyResults, solving
from playtest.insight.scope import Scope
from playtest.insight.tables.acceptance import counted_people
from playtest.insight.tables.results import IS_CUT_SHORT, completions, with_each_exclusions
from playtest.review.queries.decisions import EXCLUDING, in_force
from playtest.review.queries.exclusions import NOTHING, exclusions, exclusions_of_sessions
from playtest.review.queries.queue import flagged_by_rule
from playtest.rules.attempt import Outcome
from playtest.rules.inference.clusters import Estimate
from playtest.rules.text import counted, persons

type Level = tuple[str, int, int]
"""Environment, version (its id), level."""


@dataclass(frozen=True)
class Variant:
    """The baselines by level with other exclusions, and the share of counted attempts that solved.

    `who` is a sentence about the people of the share.
    """

    name: str
    who: str
    attempts: int
    baselines: dict[Level, int]
    success: Estimate | None

    def changes_from(self, published: "Variant") -> "Changes":
        ratios = [
            self.baselines[level] / before - 1
            for level, before in published.baselines.items()
            if level in self.baselines
        ]
        return Changes(
            changed=sum(ratio != 0 for ratio in ratios),
            largest=max(ratios, key=abs, default=0.0),
        )


@dataclass(frozen=True)
class Changes:
    """How many levels have another baseline; `largest` is a share, signed."""

    changed: int
    largest: float


def variants(results: StudyResults) -> list[Variant]:
    """The first one is what the study's pages show, with exclusions in force."""
    scope = replace(results.scope, with_excluded=False)
    published, *others = _variants(*_readings(results, scope), scope)
    as_failures = solving(results.counted.filter("whole"))
    (people, attempts, _, in_part), *_ = results.counted.select(*_WHO).iter_rows()
    name, who = "with attempts that were cut short as failures", _said(people, attempts, 0, in_part)
    failed = replace(published, name=name, who=who, success=as_failures)
    return [published, failed, *others]


def _readings(results: StudyResults, scope: Scope) -> tuple[list[str], pl.DataFrame]:
    """The names of the readings, and the attempts of each with its name as `reading`.

    All are in one table, since to compute with them one by one takes longer.
    """
    honoured = _left(results.everyone)
    timed_out = pl.col("outcome") == Outcome.TIMED_OUT.value
    chosen = {
        "as on the study's page": honoured,
        "counted attempts alone": counted_people(honoured, scope),
        "without attempts that the hard limit ended": honoured.filter(~timed_out),
    }
    flagged = exclusions_of_sessions(flagged_by_rule(results.study.sessions.all()))
    excluding = {
        "with everything that was excluded": NOTHING,
        **{
            f"without sessions flagged by the rule {rule}, and no reviewer": by_rule
            for rule, by_rule in flagged.items()
        },
        **{
            f"without the verdicts of reviewer {place}": exclusions(without=reviewer)
            for place, reviewer in enumerate(_reviewers(results), start=1)
        },
    }
    tables = [table.with_columns(reading=pl.lit(name)) for name, table in chosen.items()]
    tables.append(_left(with_each_exclusions(results.everyone, excluding)))
    return [*chosen, *excluding], pl.concat(tables, how="diagonal")


def _left(attempts: pl.DataFrame) -> pl.DataFrame:
    return attempts.filter(pl.col("excluded_from").ne_missing(0))


def _reviewers(results: StudyResults) -> list[int]:
    """The accounts with an excluding verdict in force, or its confirmation, in the order of the accounts."""
    found = in_force().filter(session__study=results.study, kind__in=EXCLUDING)
    pairs = found.values_list("reviewer", "confirmed_by__reviewer")
    return sorted({pk for pair in pairs for pk in pair if pk})  # None: no confirmation


def _variants(readings: list[str], attempts: pl.DataFrame, scope: Scope) -> Iterator[Variant]:
    upper_median = pl.col("actions").sort().get(pl.len() // 2)
    level = ("reading", "environment", "version", "level")
    # Every reading repeats the attempts, so that more columns take longer.
    needed = attempts.select("attempt", *level[:-1], "excluded_from", "view_seconds")
    rows = completions(needed, scope).group_by(level).agg(upper_median).iter_rows()
    baselines: defaultdict[str, dict[Level, int]] = defaultdict(dict)
    for name, *key, actions in rows:
        baselines[name][tuple(key)] = actions
    counting = counted_people(attempts, scope)
    whole = counting.filter(_IS_WHOLE, ~IS_CUT_SHORT).with_columns(solved=IS_SOLVED)
    judged = whole.partition_by("reading", as_dict=True)
    solved: dict[tuple[int, ...], Estimate | None] = {}  # several rules often flag the same sessions
    who = {name: numbers for name, *numbers in counting.group_by("reading").agg(*_WHO).iter_rows()}
    numbers = dict(attempts.group_by("reading").len().iter_rows())
    for name in readings:
        its = judged.get((name,), whole.clear())
        attempts_of = tuple(its["attempt"])
        if attempts_of not in solved:
            solved[attempts_of] = solving(its)
        said = _said(*who.get(name, (0, 0, 0, 0)))
        yield Variant(name, said, numbers.get(name, 0), baselines[name], solved[attempts_of])


_IS_WHOLE = pl.col("excluded_from").is_null()
_WHO = (
    pl.col("participant").n_unique().alias("people"),
    pl.len().alias("attempts"),
    (_IS_WHOLE & IS_CUT_SHORT).sum().alias("cut_short"),
    (~_IS_WHOLE).sum().alias("in_part"),
)


def _said(people: int, attempts: int, cut_short: int, in_part: int) -> str:
    """How many people and attempts count, and how many of these are in no share."""
    apart = {"cut short": cut_short, "excluded in part": in_part}
    listed = ", ".join(f"{number} {label}" for label, number in apart.items() if number)
    whole = f"{persons(people)}, {counted(attempts, 'attempt')}."
    return f"{whole} In no share: {listed}." if listed else whole
