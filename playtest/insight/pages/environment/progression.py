"""The progress of each person: levels against actions with the score, and how many came to each end."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import polars as pl

from playtest.insight.figures import Figure, Row, columns
from playtest.insight.pages.environment.distributions import Standard, baselines
from playtest.insight.tables.version import QUIT, VersionResults
from playtest.rules.attempt import Outcome
from playtest.rules.baseline import upper_median
from playtest.rules.inference.incidence import Observation, Step, incidence
from playtest.rules.score import LevelRun, environment_score

MOST_PEOPLE = 60
"""A figure has at most this many lines, those of the newest attempts."""


def progression_figure(results: VersionResults, standards: Mapping[int, Standard]) -> Figure:
    """A stepped line for each person, labelled with the score of these actions."""
    newest = results.levels["attempt"].unique().sort(descending=True).head(MOST_PEOPLE)
    shown = results.levels.filter(pl.col("attempt").is_in(newest.implode())).sort("attempt", "level")
    rows: list[Row] = []
    counts = counts_of(results)
    for attempt, levels in groupby(shown.iter_rows(named=True), key=itemgetter("attempt")):
        steps = list(levels)
        score = score_of(steps, counts)
        name = steps[0]["participant"]
        label = name if score is None else f"{name}, {score:.0f} %"
        rows += [(name, x, y, label, results.links.replay(attempt)) for x, y in _staircase(steps)]
    return Figure(
        name="progression",
        kind="progression",
        title=_title(results),
        caption=_caption(standards, results.levels["attempt"].n_unique()),
        columns=columns(
            "series Participant | x Actions so far [actions] | y Levels completed [levels] | label Score | "
            "href"
        ),
        rows=rows,
        empty="A line for each person appears here when somebody has played.",
        options={"x_label": "Actions so far, resets included", "y_label": "Levels completed"},
    )


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


def _staircase(levels: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """Points from (0, 0) to the last action, with a step up where a level is completed."""
    points, actions, completed = [(0, 0)], 0, 0
    for row in levels:
        actions += row["actions"]
        if row["completed"]:
            points.append((actions, completed))
            completed = row["level"]
        points.append((actions, completed))
    return list(dict.fromkeys(points))


def _title(results: VersionResults) -> str:
    if not results.levels.height:
        return "Progress of each person"
    solved = results.levels.filter(pl.col("completed"), pl.col("level") == results.version.levels)["attempt"]
    if solved.is_empty():
        furthest = max(results.levels["level"].to_list())
        return f"Nobody has completed all levels; the highest level reached is {furthest}"
    theirs = results.levels.filter(pl.col("attempt").is_in(solved.implode()))
    totals = theirs.group_by("attempt").agg(pl.col("actions").sum())["actions"].to_list()
    if len(totals) == 1:
        return f"One person completed all levels, in {totals[0]} actions"
    return f"{len(totals)} people completed all levels, in {min(totals)} to {max(totals)} actions"


def _caption(standards: Mapping[int, Standard], people: int) -> str:
    caption = "Each line is one person, with a step up for each level completed."
    if any(standard.baseline is not None for standard in standards.values()):
        caption += (
            " The percentage is the score that a run with these actions would get against the baseline of the"
            " other people (as the toolkit computes it, with level scores of at most 115 %)."
        )
    else:
        caption += " There is no baseline yet to compute scores."
    if people > MOST_PEOPLE:
        caption += f" Only the {MOST_PEOPLE} newest of {people} attempts are shown."
    return caption


ACTIONS, TIME = "actions", "time"
_MINUTE = 60.0
SOLVED, GAVE_UP, CUT_OFF = ENDS = "solved", "gave up", "cut off by the hard limit"
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


def observations(results: VersionResults, over: str, level: int | None = None) -> list[Observation]:
    """One observation for each person, from the first frame of the environment or of a level.

    `over` is ACTIONS, or TIME in seconds to the last action. To solve, to give up (or conclude, also with few
    actions) and to be cut off by the hard limit are ends; every other end is censored.
    """
    levels = results.levels if level is None else results.levels.filter(pl.col("level") == level)
    column = "actions" if over == ACTIONS else "seconds"
    solved = pl.col("completed") & (pl.lit(level is not None) | (pl.col("level") == results.version.levels))
    people = (
        levels.sort("level")
        .with_columns(done=solved)
        .group_by("attempt", maintain_order=True)
        .agg(pl.col(column).sum().cast(pl.Float64).alias("at"), _END.last().alias("end"))
    )
    return [Observation(at, end) for at, end in people.select("at", "end").iter_rows()]


def survival_figure(results: VersionResults, over: str, level: int | None = None) -> Figure:
    """The curves of all ENDS over ACTIONS or TIME (in minutes), of the environment or of one level."""
    curves = incidence(observations(results, over, level), ENDS)
    scale = 1.0 if over == ACTIONS else _MINUTE
    rows: list[Row] = [
        (end, step.at / scale, step.share, step.low, step.high, step.at_risk, step.censored)
        for end, steps in curves.items()
        for step in steps
    ]
    name = f"survival-{over}" + (f"-{level}" if level else "")
    return Figure(
        name=name,
        kind="survival",
        title=_survival_title(curves, over, level),
        caption=_CAPTION,
        columns=COLUMNS,
        rows=rows,
        empty=f"Curves appear here when somebody has {f'reached level {level}' if level else 'played'}.",
        options={"x_label": _X_LABELS[over].format("level" if level else "environment"), "together": True},
    )


_X_LABELS = {ACTIONS: "Actions on the {}, resets included", TIME: "Minutes on the {}, to the last action"}
_CAPTION = (
    "The share of people who have solved it, given up or concluded, or been cut off by the hard limit by then"
    " (Aalen-Johansen, 95 % band on the log-log scale). People are censored when their session or staff end"
    " it, at a fault, if they are excluded, or still play: who was cut short is taken to be like the others."
)


def _survival_title(curves: Mapping[str, Sequence[Step]], over: str, level: int | None) -> str:
    """How many came to each end, and by when half of those who gave up had."""
    where = f"level {level}" if level else "the environment"
    if not curves[SOLVED]:
        return f"Ends of {where}, over {over}"
    numbers = {end: sum(step.ended for step in steps) for end, steps in curves.items()}
    of = f"{numbers[SOLVED]} of {curves[SOLVED][0].at_risk} solved {where}"
    moments = [step.at for step in curves[GAVE_UP] for _ in range(step.ended)]
    if not moments:
        return f"{of}; nobody gave up"
    unit = _in_actions if over == ACTIONS else _in_minutes
    when = ("at " if len(moments) == 1 else "half of them by ") + unit(moments[(len(moments) - 1) // 2])
    return f"{of}; {len(moments)} gave up, {when}"


def _in_actions(actions: float) -> str:
    return f"action {actions:.0f}"


def _in_minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"minute {minutes}:{rest:02}"
