"""How much was solved: of an environment's people, by a person, and at all (ARC-AGI-2, section 5)."""

from dataclasses import dataclass

import polars as pl

from playtest.insight.study.results import StudyResults


@dataclass(frozen=True)
class Shares:
    """Shares (0..1) of counted attempts that are not excluded, also in part; None without any.

    `of_people` is the mean over environments of the share of their people who solved them; `of_environments`
    is the mean over people of the share of their environments that they solved. `solved_by_enough` of the
    `environments` were solved by at least `solvers` people, as many as the protocol requires.
    """

    of_people: float | None
    of_environments: float | None
    environments: int
    people: int
    solved_by_enough: int
    solvers: int


def shares(results: StudyResults) -> Shares:
    """The shares of a study."""
    whole = results.counted.filter("whole")
    by_environment = _solved_by(whole, "environment")
    by_person = _solved_by(whole, "participant")
    solvers = results.protocol.acceptance.solvers
    return Shares(
        of_people=_mean(by_environment),
        of_environments=_mean(by_person),
        environments=by_environment.height,
        people=by_person.height,
        solved_by_enough=by_environment.filter(pl.col("solved") >= solvers).height,
        solvers=solvers,
    )


def _solved_by(attempts: pl.DataFrame, key: str) -> pl.DataFrame:
    return attempts.group_by(key).agg(
        pl.col("solved").sum().cast(pl.Int64), pl.col("solved").mean().alias("share")
    )


def _mean(groups: pl.DataFrame) -> float | None:
    mean = groups["share"].mean()
    return float(mean) if isinstance(mean, int | float) else None
