"""The score of each person, and how many came to each end by when."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from playtest.insight.figures import Figure, Row, columns
from playtest.insight.pages.environment.distributions import baselines
from playtest.insight.tables.version import QUIT, VersionResults
from playtest.rules.attempt import Outcome
from playtest.rules.baseline import upper_median
from playtest.rules.inference.incidence import Observation, Step, incidence
from playtest.rules.score import LevelRun, environment_score


def score_of(levels: Iterable[Mapping[str, Any]], counts: Mapping[int, Sequence[int]]) -> float | None:
    """The score in percent against the baselines of everyone else; None if there are none.

    `counts` has the actions of all who completed each level, of this person too. The person's own are removed
    before the baselines are computed.
    """
    taken = {row["level"]: row for row in levels}
    runs, compared = [], False
    for level, of_level in counts.items():
        row = taken.get(level)
        completed = bool(row and row["completed"])
        others = list(of_level)
        if row is not None and completed:
            others.remove(row["actions"])
        if completed and not others:
            return None
        compared = compared or bool(others)
        # A level that was not completed scores 0 with any baseline.
        runs.append(LevelRun(completed, row["actions"] if row else 0, upper_median(others) if others else 1))
    return environment_score(runs) if compared else None


def counts_of(results: VersionResults) -> dict[int, tuple[int, ...]]:
    """The actions of everyone who completed each level of the version."""
    return {level: found.actions for level, found in baselines(results).items()}


ACTIONS, TIME = "actions", "time"
_MINUTE = 60.0
SOLVED, GAVE_UP, CUT_OFF = ENDS = "solved", "gave up or concluded", "timed out"
_END = (
    pl.when(pl.col("done"))
    .then(pl.lit(SOLVED))
    .when(~pl.col("completed") & pl.col("outcome").is_in(list(QUIT)))
    .then(pl.lit(GAVE_UP))
    .when(~pl.col("completed") & (pl.col("outcome") == Outcome.TIMED_OUT.value))
    .then(pl.lit(CUT_OFF))
)

COLUMNS = columns(
    "curve End | x After | share Have come to it | low Lower bound | high Upper bound | "
    "at_risk At risk [people] | censored Censored [people]"
)


def observations(results: VersionResults, over: str) -> list[Observation]:
    """One observation for each person, from the first frame of the environment.

    `over` is ACTIONS, or TIME in seconds to the last action. ENDS are those also of who left at once; every
    other end is censored.
    """
    column = "actions" if over == ACTIONS else "seconds"
    solved = pl.col("completed") & (pl.col("level") == results.version.levels)
    people = (
        results.levels.sort("level")
        .with_columns(done=solved)
        .group_by("attempt", maintain_order=True)
        .agg(pl.col(column).sum().cast(pl.Float64).alias("at"), _END.last().alias("end"))
    )
    return [Observation(at, end) for at, end in people.select("at", "end").iter_rows()]


def incidence_figure(results: VersionResults, over: str) -> Figure:
    """The curves of all ENDS over ACTIONS or TIME (in minutes)."""
    curves = incidence(observations(results, over), ENDS)
    scale = 1.0 if over == ACTIONS else _MINUTE
    cut_off = results.outcome_labels[Outcome.TIMED_OUT]
    labels = {SOLVED: SOLVED, GAVE_UP: results.quit_label, CUT_OFF: cut_off}
    rows: list[Row] = [
        (labels[end], step.at / scale, step.share, step.low, step.high, step.at_risk, step.censored)
        for end, steps in curves.items()
        for step in steps
    ]
    ended = (
        "come to the end of the recording"
        if results.of_recordings
        else "given up or concluded (also at once)"
    )
    return Figure(
        name=f"incidence-{over}",
        kind="incidence",
        title=_incidence_title(curves, over, labels),
        caption=_CAPTION.format(ended),
        columns=COLUMNS,
        rows=rows,
        empty="Curves appear here when somebody has played.",
        options={"x_label": _X_LABELS[over], "together": True},
    )


_X_LABELS = {
    ACTIONS: "Actions on the environment, resets included",
    TIME: "Minutes on the environment, to the last action",
}
_CAPTION = (
    "The share of people who have solved it, {}, or timed out by then"
    " (Aalen-Johansen, 95 % band on the log-log scale). People are censored when their session or staff end"
    " it, at a fault, if they are excluded, or still play: who was cut short is taken to be like the others."
)


def _incidence_title(curves: Mapping[str, Sequence[Step]], over: str, labels: Mapping[str, str]) -> str:
    """Over what it is, how many came to each end, and by when half of those who gave up had."""
    heading = f"Ends of the environment by {over}"
    if not curves[SOLVED]:
        return heading
    solved = sum(step.ended for step in curves[SOLVED])
    of = f"{heading}: {solved:,} of {curves[SOLVED][0].at_risk:,} {labels[SOLVED]}"
    moments = [step.at for step in curves[GAVE_UP] for _ in range(step.ended)]
    if not moments:
        return f"{of}, {labels[GAVE_UP]}: 0"
    unit = _in_actions if over == ACTIONS else _in_minutes
    when = ("at " if len(moments) == 1 else "half of them by ") + unit(moments[(len(moments) - 1) // 2])
    return f"{of}, {labels[GAVE_UP]}: {len(moments):,}, {when}"


def _in_actions(actions: float) -> str:
    return f"action {actions:,.0f}"


def _in_minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"minute {minutes}:{rest:02}"
