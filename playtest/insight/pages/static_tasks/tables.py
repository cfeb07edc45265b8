"""Tables of the static tasks of a study: results by pair, and tasks that are redundant."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations

import polars as pl

from engine.tasks.grids import listed
from engine.tasks.task import task_of
from playtest.insight.pages.study.results import StudyResults
from playtest.insight.tables.pairs import ambiguous_pairs, pair_attempts
from playtest.insight.tables.results import IS_CUT_SHORT, IS_TASK
from playtest.play.models import Event, EventKind, Study
from playtest.rules.inference.ranks import RankTest, spearman
from playtest.rules.tasks.duplicates import duplicates
from playtest.studio.models import Environment, Version
from playtest.studio.queries.redundancy import Marked, marks_of

_JUDGED = ~IS_CUT_SHORT


def tables_of(results: StudyResults) -> "TaskTables":
    """The tables of the study's static tasks; what it has of interactive environments is left out."""
    return TaskTables(replace(results, everyone=results.everyone.filter(IS_TASK)))


@dataclass(frozen=True)
class TaskTables:
    """`results` has attempts at static tasks alone. A new version of a task is a task of its own."""

    results: StudyResults

    @cached_property
    def pairs(self) -> pl.DataFrame:
        """`results.pairs.pair_attempts` of the study, with `minutes`."""
        found = pair_attempts(self.results.counted, self.results.scope)
        return found.with_columns(minutes=pl.col("seconds") / 60)

    @cached_property
    def tasks(self) -> pl.DataFrame:
        """`results.counted`, one row for a person at a task, with `solved_pairs` and `partial` (0..1).

        An attempt that is excluded in part has solved nothing, as it has of other environments.
        """
        solved_pairs = pl.when("whole").then(pl.col("levels_completed")).otherwise(0)
        return self.results.counted.with_columns(
            solved_pairs=solved_pairs, partial=solved_pairs / pl.col("levels")
        )

    @cached_property
    def gone_back(self) -> int:
        """How many of `tasks` were set aside and taken up again."""
        taken_up = Event.objects.filter(kind=EventKind.TAKEN_UP, session__study=self.results.study)
        attempts = list(taken_up.order_by().values_list("attempt", flat=True).distinct())
        return self.tasks.filter(pl.col("attempt").is_in(attempts)).height

    @cached_property
    def by_pair(self) -> pl.DataFrame:
        """environment, version, level, people, solved, first (solved at the first try), share, minutes.

        People and what they solved are of attempts that were not cut short; `share` is null without any.
        """
        return (
            self.pairs.group_by("environment", "version", "level")
            .agg(
                _JUDGED.sum().cast(pl.Int64).alias("people"),
                pl.col("completed").filter(_JUDGED).sum().cast(pl.Int64).alias("solved"),
                (pl.col("solved_at") == 1).filter(_JUDGED).sum().cast(pl.Int64).alias("first"),
                pl.col("completed").filter(_JUDGED).mean().alias("share"),
                pl.col("minutes").median(),
            )
            .sort("environment", "version", "level")
        )

    @cached_property
    def by_task(self) -> pl.DataFrame:
        """environment, version, levels, people, solved, partly, share, partial, minutes, accepted.

        As `by_pair`; `partly` and `accepted` are of all attempts: who solved a pair solved it, whatever came.
        """
        found = (
            self.tasks.group_by("environment", "version", "levels")
            .agg(
                _JUDGED.sum().cast(pl.Int64).alias("people"),
                pl.col("solved").sum().cast(pl.Int64),
                (pl.col("solved_pairs") > 0).sum().cast(pl.Int64).alias("partly"),
                pl.col("solved").filter(_JUDGED).mean().alias("share"),
                pl.col("partial").filter(_JUDGED).mean(),
                pl.col("minutes").median(),
            )
            .sort("environment", "version")
        )
        solvers = self.results.protocol.acceptance.solvers
        return found.with_columns(accepted=pl.col("partly") >= solvers)

    @cached_property
    def by_person(self) -> pl.DataFrame:
        """participant, sessions (ids), tasks, solved, share (0..1), pairs, solved_pairs, pair_share, speed.

        `speed` is the tasks solved per minute of the person's attempts, null without time; `pair_share` is
        null for who has viewed no pair long enough. Attempts that were cut short are left out.
        """
        of_pairs = (
            self.pairs.filter(_JUDGED)
            .group_by("participant")
            .agg(
                pl.len().alias("pairs"),
                pl.col("completed").sum().cast(pl.Int64).alias("solved_pairs"),
                pl.col("completed").mean().alias("pair_share"),
            )
        )
        minutes = pl.col("minutes").sum()
        of_tasks = (
            self.tasks.filter(_JUDGED)
            .group_by("participant")
            .agg(
                pl.col("session").unique().sort().alias("sessions"),
                pl.len().alias("tasks"),
                pl.col("under_review").any(),
                pl.col("solved").sum().cast(pl.Int64),
                pl.col("solved").mean().alias("share"),
                pl.when(minutes > 0).then(pl.col("solved").sum() / minutes).alias("speed"),
            )
        )
        return (
            of_tasks.join(of_pairs, on="participant", how="left")
            .with_columns(pl.col("pairs", "solved_pairs").fill_null(0))
            .sort("participant")
        )

    @cached_property
    def ambiguous(self) -> int:
        """How many pairs have a wrong output that as many people agree on as solved them."""
        return sum(map(len, ambiguous_pairs(self.results.counted, self.results.scope).values()))

    @cached_property
    def speed_and_accuracy(self) -> RankTest | None:
        """Whether people who solve more tasks a minute solve a larger share; None with too few people."""
        known = self.by_person.filter(pl.col("speed").is_not_null())
        return spearman(list(known.select("speed", "share").iter_rows()))


@dataclass(frozen=True)
class Reviewed:
    """Two tasks of the study and what reviewers say of them."""

    first: str
    second: str
    marked: Marked


@dataclass(frozen=True)
class Same:
    """Tasks that are the same up to colours, rotation and reflection, and the pairs of them to compare."""

    codes: tuple[str, ...]

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        return combinations(self.codes, 2)


@dataclass(frozen=True)
class Redundancy:
    """`same` is found by comparing the grids, `reviewed` by people."""

    same: tuple[Same, ...]
    reviewed: tuple[Reviewed, ...]

    @property
    def heading(self) -> str:
        """What was found, for a heading."""
        tasks, marks = sum(len(one.codes) for one in self.same), len(self.reviewed)
        if not tasks and not marks:
            return "No task is found or marked to be redundant"
        found = f"{tasks} tasks have a duplicate" if tasks else "No task has a duplicate"
        return f"{found}, and {marks or 'no'} mark{'s' if marks > 1 else ''} of redundancy"


def redundancy(study: Study) -> Redundancy:
    """Compares the current versions of the study's tasks, and reads the marks on them."""
    tasks = list(
        Environment.objects.tasks()
        .filter(studies=study, current__isnull=False)
        .select_related("current")
        .only("code", "current__digest")
        .order_by("code")
    )
    same = _same(tuple((one.code, one.current.digest) for one in tasks if one.current))
    return Redundancy(same, tuple(_reviewed(tasks)))


@lru_cache(maxsize=8)
def _same(tasks: tuple[tuple[str, str], ...]) -> tuple[Same, ...]:
    """Compares tasks, each given by its code and the digest of its version, which says all of its grids."""
    digests = [digest for _, digest in tasks]
    sources = dict(Version.objects.filter(digest__in=digests).values_list("digest", "source"))
    grids = {}
    for code, digest in tasks:
        task = task_of(sources[digest])
        grids[code] = [
            (listed(pair.input), listed(pair.output)) for pair in (*task.demonstrations, *task.tests)
        ]
    return tuple(Same(codes) for codes in duplicates(grids))


def _reviewed(tasks: list[Environment]) -> Iterator[Reviewed]:
    marks = marks_of(tasks)
    within = {one.pk for one in tasks}
    for one in tasks:
        for marked in marks[one.pk]:
            if marked.mark.first_id == one.pk and marked.mark.second_id in within:
                yield Reviewed(marked.mark.first.code, marked.mark.second.code, marked)
