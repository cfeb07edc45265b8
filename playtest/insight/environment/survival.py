"""Survival curves: the share of people who have not given up, over actions and over time."""

import polars as pl

from playtest.insight.figures import Column, Figure, Row
from playtest.insight.results.level_outcomes import QUIT
from playtest.insight.results.version import VersionResults
from playtest.rules.survival import Observation, Step, survival

ACTIONS, TIME = "actions", "time"
_MINUTE = 60.0
_LEFT = ~pl.col("completed") & pl.col("outcome").is_in(list(QUIT))

COLUMNS = (
    Column("curve", "Levels"),
    Column("x", "After"),
    Column("share", "Have not given up"),
    Column("low", "Lower bound"),
    Column("high", "Upper bound"),
    Column("at_risk", "At risk", "people"),
    Column("censored", "Censored", "people"),
)


def observations(results: VersionResults, over: str, level: int | None = None) -> list[Observation]:
    """One observation for each person, from the first frame of the environment or of a level.

    `over` is ACTIONS, or TIME in seconds to the last action. Giving up and concluding are events, also with
    few actions; every other end is censored.
    """
    levels = results.levels if level is None else results.levels.filter(pl.col("level") == level)
    column = "actions" if over == ACTIONS else "seconds"
    people = (
        levels.sort("level")
        .group_by("attempt", maintain_order=True)
        .agg(pl.col(column).sum().cast(pl.Float64).alias("at"), _LEFT.last().alias("left"))
    )
    return [Observation(at, left) for at, left in people.select("at", "left").iter_rows()]


def survival_figure(results: VersionResults, over: str, level: int | None = None) -> Figure:
    """The curve over ACTIONS or TIME (in minutes), of the environment or of one level."""
    steps = survival(observations(results, over, level))
    scale = 1.0 if over == ACTIONS else _MINUTE
    subject = f"Level {level}" if level else "All levels"
    rows: list[Row] = [
        (subject, step.at / scale, step.share, step.low, step.high, step.at_risk, step.censored)
        for step in steps
    ]
    name = f"survival-{over}" + (f"-{level}" if level else "")
    return Figure(
        name=name,
        kind="survival",
        title=_title(steps, over, level),
        caption=_CAPTION,
        columns=COLUMNS,
        rows=rows,
        empty=f"A curve appears here when somebody has {f'reached level {level}' if level else 'played'}.",
        options={"x_label": _X_LABELS[over].format("level" if level else "environment")},
    )


_X_LABELS = {ACTIONS: "Actions on the {}, resets included", TIME: "Minutes on the {}, to the last action"}
_CAPTION = (
    "The share of people who have not given up or concluded (Kaplan-Meier, 95 % band on the log-log scale)."
    " People are censored when they complete it, meet a limit or a fault, are ended by staff, are"
    " excluded, or still play."
)


def _title(steps: tuple[Step, ...], over: str, level: int | None) -> str:
    """How many gave up, and by when half of these had."""
    where = f"level {level}" if level else "the environment"
    if not steps:
        return f"Survival on {where}, over {over}"
    moments = sorted(step.at for step in steps for _ in range(step.left))
    if not moments:
        return f"Nobody has given up on {where}, over {over}"
    people, unit = steps[0].at_risk, _in_actions if over == ACTIONS else _in_minutes
    when = ("at " if len(moments) == 1 else "half of them by ") + unit(moments[(len(moments) - 1) // 2])
    return f"{len(moments)} of {people} gave up on {where}, {when}"


def _in_actions(actions: float) -> str:
    return f"action {actions:.0f}"


def _in_minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"minute {minutes}:{rest:02}"
