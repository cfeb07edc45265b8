"""A study's results: the frames behind its page, and the numbers of the report (5.1, 5.3)."""

from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl

from playtest.insight.results.acceptance import counted_people
from playtest.insight.results.tables import attempts, levels
from playtest.insight.scope import Scope
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment

SHORT_MINUTES = 20
"""Unsuccessful attempts under this are reported apart (report 5.3.1)."""


@dataclass(frozen=True)
class StudyResults:
    """`everyone` is ATTEMPT of all that was begun in the study, what reviewers left out among it.

    The scope names the study and says whether what they left out is in the results.
    """

    study: Study
    scope: Scope
    everyone: pl.DataFrame

    @cached_property
    def begun(self) -> pl.DataFrame:
        """ATTEMPT of what the scope counts: open attempts, short ones and faults, too."""
        if self.scope.with_excluded:
            return self.everyone
        return self.everyone.filter(pl.col("excluded_from").ne_missing(0))

    @cached_property
    def counted(self) -> pl.DataFrame:
        """ATTEMPT of the attempts by the protocol's rule, with `whole`, `solved` and `minutes`.

        One that reviewers cut from a moment on is not whole: it is not solved, and its minutes are null.
        """
        whole = pl.lit(self.scope.with_excluded) | pl.col("excluded_from").is_null()
        return counted_people(self.begun, self.scope).with_columns(
            whole=whole,
            solved=whole & (pl.col("outcome") == Outcome.COMPLETED.value),
            minutes=pl.when(whole).then(pl.col("attempt_seconds") / 60),
        )

    @cached_property
    def completions(self) -> pl.DataFrame:
        """LEVEL of every level somebody completed on a first run, with whose and of what, and `ratio`.

        As for a baseline, whether the whole attempt counts does not matter. `ratio` is its actions over the
        median of everyone here who completed that level of that version.
        """
        begun = self.begun.select(
            "attempt", "participant", "environment", "version", "outcome", "excluded_from"
        )
        completed = levels(begun, self.scope).filter("completed")
        return completed.with_columns(
            ratio=pl.col("actions") / pl.col("actions").median().over("version", "level")
        )


@dataclass(frozen=True)
class Median:
    """Of minutes; None when it is of nobody."""

    minutes: float | None
    attempts: int


@dataclass(frozen=True)
class StudyNumbers:
    """A study in numbers: of attempts by the protocol's rule; those `begun` count every first frame."""

    people: int
    people_begun: int
    environments: int
    environments_begun: int
    attempts: int
    begun: int
    in_progress: int
    sessions: int
    hours: float
    solved: int
    duration: Median
    solved_duration: Median
    unsolved_duration: Median
    short_unsolved_duration: Median
    level_completions: int
    cut_off: int

    @property
    def per_session(self) -> float | None:
        """Mean attempts in a session in which something was begun."""
        return self.attempts / self.sessions if self.sessions else None

    @property
    def begun_per_session(self) -> float | None:
        return self.begun / self.sessions if self.sessions else None


@dataclass(frozen=True)
class Progress:
    """One environment on the way to the study's target; `left_out` counted until reviewers left it out."""

    pk: int
    code: str
    title: str
    in_pool: bool
    counted: int = 0
    in_progress: int = 0
    solved: int = 0
    left_out: int = 0


def study_results(study: Study, *, with_excluded: bool = False) -> StudyResults:
    """Everything the study's page tells, brought up to date with the journal."""
    return StudyResults(study, Scope(study, with_excluded), attempts(Scope(study, with_excluded=True)))


def numbers(results: StudyResults) -> StudyNumbers:
    counted, begun = results.counted, results.begun
    unsolved = counted.filter("whole", ~pl.col("solved"))
    return StudyNumbers(
        people=counted["participant"].n_unique(),
        people_begun=begun["participant"].n_unique(),
        environments=counted["environment"].n_unique(),
        environments_begun=begun["environment"].n_unique(),
        attempts=counted.height,
        begun=begun.height,
        in_progress=begun.filter(pl.col("outcome") == "").height,
        sessions=begun["session"].n_unique(),
        hours=float(counted["minutes"].sum()) / 60,
        solved=int(counted["solved"].sum()),
        duration=_median(counted.filter("whole")),
        solved_duration=_median(counted.filter("solved")),
        unsolved_duration=_median(unsolved),
        short_unsolved_duration=_median(unsolved.filter(pl.col("minutes") < SHORT_MINUTES)),
        level_completions=results.completions.height,
        cut_off=cut_off(counted).height,
    )


@dataclass(frozen=True)
class Reading:
    """The attempts of a study, with or without those cut off at the hard limit; shares 0..1."""

    words: str
    people: int
    attempts: int
    solved: int
    duration: Median

    @property
    def percent(self) -> str:
        """Solved, of the attempts; a dash of none."""
        return f"{self.solved / self.attempts:.0%}" if self.attempts else "–"  # noqa: RUF001


def cut_off(attempts: pl.DataFrame) -> pl.DataFrame:
    """Those of ATTEMPT that the hard limit ended: with more time, they might have taken 30 minutes."""
    return attempts.filter(pl.col("outcome") == Outcome.TIMED_OUT.value)


def readings(results: StudyResults) -> tuple[Reading, Reading]:
    """The two readings of "less than 30 minutes of interaction": as counted here, and without cut-offs.

    Nobody plays for 30 minutes, because the limit comes first; whoever it cut off did not finish in less.
    """
    counted = results.counted
    without = counted.filter(pl.col("outcome") != Outcome.TIMED_OUT.value)
    return _reading("Cut-offs counted, as on this page", counted), _reading("Cut-offs not counted", without)


def _reading(words: str, attempts: pl.DataFrame) -> Reading:
    return Reading(
        words,
        attempts["participant"].n_unique(),
        attempts.height,
        int(attempts["solved"].sum()),
        _median(attempts.filter("whole")),
    )


def progress(results: StudyResults) -> list[Progress]:
    """Every environment of the pool, and those that were tried but are no longer in it, by id."""
    counted = results.counted.group_by("environment").agg(pl.len().alias("counted"), pl.col("solved").sum())
    begun = results.begun.group_by("environment").agg((pl.col("outcome") == "").sum().alias("in_progress"))
    raw = results.everyone.group_by("environment").agg(pl.col("counted").sum().alias("raw"))
    found = {
        row["environment"]: row
        for row in raw.join(counted, on="environment", how="left")
        .join(begun, on="environment", how="left")
        .fill_null(0)
        .iter_rows(named=True)
    }
    pool = set(results.study.pool.values_list("code", flat=True))
    titles = Environment.objects.filter(code__in={*pool, *found}).values_list("pk", "code", "title")
    return [_progress(Progress(pk, code, title, code in pool), found.get(code)) for pk, code, title in titles]


def _progress(empty: Progress, row: dict[str, int] | None) -> Progress:
    if row is None:
        return empty
    return replace(
        empty,
        counted=row["counted"],
        in_progress=row["in_progress"],
        solved=row["solved"],
        left_out=row["raw"] - row["counted"],
    )


def _median(attempts: pl.DataFrame) -> Median:
    middle = attempts["minutes"].median()
    return Median(float(middle) if isinstance(middle, int | float) else None, attempts.height)
