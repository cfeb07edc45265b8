"""A study's static tasks by pair, task and person, as the ARC-AGI-2 paper counts them (section 4.3)."""

from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl

from playtest.insight.results.pairs import ambiguous_pairs, pair_attempts
from playtest.insight.results.tables import IS_TASK
from playtest.insight.study.results import StudyResults
from playtest.play.models import Event, EventKind
from playtest.rules.association import RankTest, spearman
from playtest.rules.tasks.success import accepted


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
        """environment, version, level, people, solved, first (solved at the first try), share, minutes."""
        return (
            self.pairs.group_by("environment", "version", "level")
            .agg(
                pl.len().alias("people"),
                pl.col("completed").sum().cast(pl.Int64).alias("solved"),
                (pl.col("solved_at") == 1).sum().cast(pl.Int64).alias("first"),
                pl.col("completed").mean().alias("share"),
                pl.col("minutes").median(),
            )
            .sort("environment", "version", "level")
        )

    @cached_property
    def by_task(self) -> pl.DataFrame:
        """environment, version, levels, people, solved, partly, share, partial, minutes, accepted."""
        found = (
            self.tasks.group_by("environment", "version", "levels")
            .agg(
                pl.len().alias("people"),
                pl.col("solved").sum().cast(pl.Int64),
                (pl.col("solved_pairs") > 0).sum().cast(pl.Int64).alias("partly"),
                pl.col("solved").mean().alias("share"),
                pl.col("partial").mean(),
                pl.col("minutes").median(),
            )
            .sort("environment", "version")
        )
        solvers = self.results.protocol.acceptance.solvers
        verdicts = [accepted(partly, solvers) for partly in found["partly"]]
        return found.with_columns(pl.Series("accepted", verdicts, pl.Boolean))

    @cached_property
    def by_person(self) -> pl.DataFrame:
        """participant, sessions (ids), tasks, solved, share (0..1), pairs, solved_pairs, pair_share, speed.

        `speed` is the tasks solved per minute of the person's attempts, null without time; `pair_share` is
        null for who has viewed no pair long enough.
        """
        of_pairs = self.pairs.group_by("participant").agg(
            pl.len().alias("pairs"),
            pl.col("completed").sum().cast(pl.Int64).alias("solved_pairs"),
            pl.col("completed").mean().alias("pair_share"),
        )
        minutes = pl.col("minutes").sum()
        of_tasks = self.tasks.group_by("participant").agg(
            pl.col("session").unique().sort().alias("sessions"),
            pl.len().alias("tasks"),
            pl.col("solved").sum().cast(pl.Int64),
            pl.col("solved").mean().alias("share"),
            pl.when(minutes > 0).then(pl.col("solved").sum() / minutes).alias("speed"),
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
