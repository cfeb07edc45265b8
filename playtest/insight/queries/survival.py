"""How long people stay at it: survival curves over actions and over time."""

from collections.abc import Callable

import polars as pl

from playtest.insight.figures import Column, Figure, Row
from playtest.insight.queries.played import LEFT, Played
from playtest.rules.survival import Observation, Step, median, share_at, survival

ACTIONS, TIME = "actions", "time"
_MINUTE = 60.0

_COLUMNS = (
    Column("curve", "Of"),
    Column("x", "After"),
    Column("share", "Still at it"),
    Column("low", "At least"),
    Column("high", "At most"),
    Column("at_risk", "Watched until then", "people"),
    Column("censored", "Watched no longer", "people"),
)


def observations(played: Played, over: str, level: int | None = None) -> list[Observation]:
    """One for each person: on the environment from its first frame, or on a level from entering it.

    `over` ACTIONS, or TIME in seconds to the last action. Only who gave up or concluded left.
    """
    levels = played.levels if level is None else played.levels.filter(pl.col("level") == level)
    column = "actions" if over == ACTIONS else "seconds"
    people = (
        levels.sort("level")
        .group_by("attempt", maintain_order=True)
        .agg(pl.col(column).sum().cast(pl.Float64).alias("at"), pl.col("fate").last())
    )
    return [Observation(at, fate in LEFT) for at, fate in people.select("at", "fate").iter_rows()]


def survival_figure(played: Played, over: str, level: int | None = None) -> Figure:
    """The curve over ACTIONS or TIME (in minutes), of the environment or of one level."""
    steps = survival(observations(played, over, level))
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
        title=_title(steps, over, scale, level),
        caption=_CAPTION,
        columns=_COLUMNS,
        rows=rows,
        empty=f"A curve appears here once somebody has {f'reached level {level}' if level else 'played'}.",
        options={"x_label": _X_LABELS[over].format("level" if level else "environment")},
    )


_X_LABELS = {ACTIONS: "Actions on the {}, resets included", TIME: "Minutes on the {}, to the last action"}
_CAPTION = (
    "Kaplan-Meier, with Greenwood's 95 % band on the log-log scale. Leaving is giving up or concluding."
    " Everyone else is watched only until then: who completed it (leaving by success is not giving up), ran"
    " into a limit, met an environment fault, was left out from a moment on, or is still playing."
)


def _title(steps: tuple[Step, ...], over: str, scale: float, level: int | None) -> str:
    where = f"level {level}" if level else "the environment"
    if not steps:
        return f"How long people stay at {where}, over {over}"
    unit: Callable[[float], str] = _in_actions if over == ACTIONS else _in_minutes
    if not any(step.left for step in steps):
        return f"Nobody has given up on {where}, over {over}"
    middle, last = median(steps), steps[-1].at
    if middle is not None:
        return f"Half of the people would have given up on {where} by {unit(middle)}"
    return f"{100 * share_at(steps, last):.0f} % have not given up on {where} by {unit(last)}"


def _in_actions(actions: float) -> str:
    return f"action {actions:.0f}"


def _in_minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"minute {minutes}:{rest:02}"
