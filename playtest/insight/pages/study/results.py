"""A study's results: the tables behind its page, and the numbers of the report (5.1, 5.3)."""

from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl
from django.db.models import Q

from playtest.insight.scope import Scope
from playtest.insight.tables.acceptance import counted_people, fit_or_none
from playtest.insight.tables.population import Population, population_of
from playtest.insight.tables.results import IS_CUT_SHORT, IS_UNDECIDED, attempts, completions, in_scope
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from playtest.rules.inference.clusters import Estimate, Result, rate
from playtest.rules.kinds import Kind
from playtest.rules.protocol import Protocol
from playtest.rules.rasch import Fit
from playtest.studio.models import Environment


@dataclass(frozen=True)
class StudyResults:
    """`everyone` has the columns ATTEMPT for all attempts of the study, also for excluded ones.

    The scope says whether excluded attempts count.
    """

    study: Study
    scope: Scope
    everyone: pl.DataFrame

    @cached_property
    def protocol(self) -> Protocol:
        """What the scope's version of the protocol prescribes, or the study's newest one."""
        return self.scope.protocol

    @property
    def soft_minutes(self) -> float:
        """Unsuccessful attempts shorter than this are reported separately (report 5.3.1)."""
        return self.protocol.limits.soft_seconds / 60

    @cached_property
    def ever_begun(self) -> pl.DataFrame:
        """ATTEMPT of everything that showed a first frame, also of excluded attempts: who and what began."""
        return in_scope(self.everyone, replace(self.scope, with_excluded=True))

    @cached_property
    def begun(self) -> pl.DataFrame:
        """ATTEMPT of the scope, also of open and short attempts and faults."""
        return in_scope(self.everyone, self.scope)

    @cached_property
    def counted(self) -> pl.DataFrame:
        """ATTEMPT of the counted attempts, with `whole`, `solved` and `minutes`.

        An attempt that is excluded from an action on is not whole: it is not solved and has no minutes.
        """
        whole = pl.lit(self.scope.with_excluded) | pl.col("excluded_from").is_null()
        return counted_people(self.begun, self.scope).with_columns(
            whole=whole,
            solved=whole & IS_SOLVED,
            minutes=pl.when(whole).then(pl.col("attempt_seconds") / 60),
        )

    @cached_property
    def population(self) -> Population:
        """Who the study's pages count: who has attempts that count."""
        return population_of(self.everyone, self.scope, lambda rows: counted_people(rows, self.scope))

    @cached_property
    def judged(self) -> pl.DataFrame:
        """Whole attempts of `counted` that were not cut short: others neither solved nor failed."""
        return self.counted.filter("whole", ~IS_CUT_SHORT)

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """What the study has, in its pool or among its attempts: interactive environments, static tasks."""
        had = Q(studies=self.study) | Q(code__in=self.everyone["environment"].unique().to_list())
        return frozenset(Environment.objects.filter(had).order_by().values_list("kind", flat=True).distinct())

    @property
    def has_levels(self) -> bool:
        """Whether anything of the study can have levels: all but a study of static tasks alone."""
        return not self.kinds or any(kind.has_levels for kind in self.kinds)

    @property
    def has_tasks(self) -> bool:
        return not all(kind.has_levels for kind in self.kinds)

    @cached_property
    def abilities(self) -> Fit[str] | None:
        """The model of people and environments of the counted attempts; None with too few people."""
        return fit_or_none(self.judged.select("participant", "environment", "solved").iter_rows())

    @cached_property
    def completions(self) -> pl.DataFrame:
        """`completions` with columns of their attempt, and `efficiency` (report, figure 6).

        As in a baseline, the attempt need not count. `efficiency` is the human baseline, the upper median of
        actions over the study for that level of that version, divided by the actions.
        """
        begun = self.begun.select(
            "attempt", "participant", "environment", "version", "outcome", "excluded_from", "view_seconds",
            "under_review",
        )  # fmt: skip
        completed = completions(begun, self.scope)
        upper_median = pl.col("actions").sort().get(pl.len() // 2)
        return completed.with_columns(efficiency=upper_median.over("version", "level") / pl.col("actions"))


IS_SOLVED = pl.col("outcome") == Outcome.COMPLETED.value


def solving(judged: pl.DataFrame, *, by: int | None = None) -> Estimate | None:
    """The share of attempts that solved, as `clusters.rate`; of a table as `StudyResults.judged`."""
    return rate(results_of(judged), by=by)


def results_of(judged: pl.DataFrame) -> list[Result]:
    """What each person reached at each environment."""
    rows = judged.select("participant", "environment", pl.col("solved").cast(pl.Float64)).iter_rows()
    return [Result(*row) for row in rows]


def doubted(judged: pl.DataFrame) -> tuple[int, float]:
    """How many of a table as `StudyResults.judged` are under review, and what percent of all these solved."""
    reviewed = judged.filter("under_review")
    return reviewed.height, 100 * reviewed.filter("solved").height / judged.height


@dataclass(frozen=True)
class Median:
    """The median minutes of some attempts; None if there are none."""

    minutes: float | None
    attempts: int


@dataclass(frozen=True)
class StudyNumbers:
    """The numbers of a study, of counted attempts. Those named `begun` are of all, also of excluded ones.

    `sessions` are those in which anything was begun that is not excluded.
    """

    people: int
    people_begun: int
    environments: int
    environments_begun: int
    attempts: int
    begun: int
    in_progress: int
    sessions: int
    sessions_begun: int
    hours: float
    solved: int
    success: Estimate | None
    """Of whole attempts that were not cut short; `cut_short` were."""
    cut_short: int
    duration: Median
    solved_duration: Median
    unsolved_duration: Median
    short_unsolved_duration: Median
    level_completions: int
    cut_off: int

    @property
    def per_session(self) -> float | None:
        """Mean counted attempts of a session with any attempt that is not excluded."""
        return self.attempts / self.sessions if self.sessions else None

    @property
    def begun_per_session(self) -> float | None:
        """Mean attempts of a session with any attempt."""
        return self.begun / self.sessions_begun if self.sessions_begun else None


@dataclass(frozen=True)
class Progress:
    """The progress of one environment towards the study's target.

    `excluded` attempts would count but for decisions of reviewers. `digest` is of the current version.
    """

    pk: int
    code: str
    title: str
    in_pool: bool
    digest: str | None = None
    counted: int = 0
    in_progress: int = 0
    solved: int = 0
    excluded: int = 0


def study_results(scope: Scope) -> StudyResults:
    """Reads the results of a study."""
    assert scope.study is not None
    return StudyResults(scope.study, scope, attempts(scope.whole))


def numbers(results: StudyResults) -> StudyNumbers:
    counted, begun = results.counted, results.ever_begun
    unsolved = results.judged.filter(~pl.col("solved"))
    return StudyNumbers(
        people=counted["participant"].n_unique(),
        people_begun=begun["participant"].n_unique(),
        environments=counted["environment"].n_unique(),
        environments_begun=begun["environment"].n_unique(),
        attempts=counted.height,
        begun=begun.height,
        in_progress=begun.filter(pl.col("outcome") == "").height,
        sessions=results.begun["session"].n_unique(),
        sessions_begun=begun["session"].n_unique(),
        hours=float(counted["minutes"].sum()) / 60,
        solved=int(counted["solved"].sum()),
        success=solving(results.judged),
        cut_short=counted.filter(IS_CUT_SHORT).height,
        duration=_median(counted.filter("whole")),
        solved_duration=_median(counted.filter("solved")),
        unsolved_duration=_median(unsolved),
        short_unsolved_duration=_median(unsolved.filter(pl.col("minutes") < results.soft_minutes)),
        level_completions=results.completions.height,
        cut_off=counted.filter(pl.col("outcome") == Outcome.TIMED_OUT.value).height,
    )


def progress(results: StudyResults) -> list[Progress]:
    """Every environment of the pool, and every other one with attempts, by id."""
    decided = results.counted.filter(~IS_UNDECIDED)
    counted = decided.group_by("environment").agg(pl.len().alias("counted"), pl.col("solved").sum())
    begun = results.begun.group_by("environment").agg((pl.col("outcome") == "").sum().alias("in_progress"))
    raw = results.ever_begun.group_by("environment").agg(
        (pl.col("counted") & ~IS_UNDECIDED).sum().alias("raw")
    )
    found = {
        row["environment"]: row
        for row in raw.join(counted, on="environment", how="left")
        .join(begun, on="environment", how="left")
        .fill_null(0)
        .iter_rows(named=True)
    }
    pool = set(results.study.pool.values_list("code", flat=True))
    listed = Environment.objects.filter(code__in={*pool, *found})
    return [
        _progress(Progress(pk, code, title, code in pool, digest), found.get(code))
        for pk, code, title, digest in listed.values_list("pk", "code", "title", "current__digest")
    ]


def _progress(empty: Progress, row: dict[str, int] | None) -> Progress:
    if row is None:
        return empty
    return replace(
        empty,
        counted=row["counted"],
        in_progress=row["in_progress"],
        solved=row["solved"],
        excluded=row["raw"] - row["counted"],
    )


def _median(attempts: pl.DataFrame) -> Median:
    middle = attempts["minutes"].median()
    timed = attempts["minutes"].drop_nulls().len()
    return Median(float(middle) if isinstance(middle, int | float) else None, timed)
