"""The figures of a baseline: action counts, numbers by level, and people."""

from collections.abc import Callable

from django.urls import reverse

from playtest.insight.figures import Figure, Row, columns, table
from playtest.insight.pages.baseline.report import BaselineReport, LevelReport
from playtest.insight.pages.environment.distributions import fewer


def runs_figure(report: BaselineReport, *, may_watch: bool) -> Figure:
    """A dot for the actions of each completer, with one row for each level."""
    rows: list[Row] = [
        (level.level, run.actions, run.participant, _replay(run.attempt_id, level.level, may_watch))
        for level in report.levels
        for run in level.runs
    ]
    return Figure(
        name="runs",
        kind="strip",
        title=_title(report),
        caption=(
            "Each dot is one person: the actions from entering a level to completing it, resets included. "
            "Baseline: the upper median of the dots. Best: their minimum. Fewest known: the minimum of these "
            "people, of explorations and of recordings; not always optimal."
        ),
        columns=columns("group Level | value Actions [actions] | label Person | href"),
        rows=rows,
        empty="A dot appears here when somebody completes a level of this version.",
        options={
            "value_label": "Actions",
            "group_label": "Level",
            "lines": [line for level in report.levels for line in _lines(level)],
        },
    )


def _title(report: BaselineReport) -> str:
    known = [level for level in report.levels if level.baseline.upper_median is not None]
    if not known:
        return "Actions for each level"
    hardest = max(known, key=lambda level: level.baseline.upper_median or 0)
    return (
        f"Level {hardest.level} takes the most actions: {hardest.baseline.upper_median} "
        f"(baseline, n = {hardest.baseline.completers})"
    )


def _lines(level: LevelReport) -> list[dict[str, int | str]]:
    values = {
        "baseline": level.baseline.upper_median,
        "best": level.baseline.best,
        "fewest known": fewer(level.fewest, level.baseline.best) if level.baseline.completers else None,
    }
    return [
        {"group": level.level, "name": name, "value": value}
        for name, value in values.items()
        if value is not None
    ]


def levels_figure(report: BaselineReport, *, may_watch: bool) -> Figure:
    """The table of the page."""
    return table(
        "levels",
        "The baseline of each level",
        "level Level | reached Reached [people] | completers Completers [people] | "
        "upper_median Upper median [actions] | low From [actions] | high To [actions] | "
        "coverage Least coverage | more_people More people for ±20 % [people] | "
        "best Best first run [actions] | fewest_known Fewest known [actions] | "
        "fewest_is_proven Proven fewest",
        [_numbers(level) for level in report.levels],
        "The upper median of actions, its interval, and the interval's least coverage.",
    )


def _numbers(level: LevelReport) -> Row:
    found, between = level.baseline, level.interval
    return (
        level.level,
        level.reached,
        found.completers,
        found.upper_median,
        between.low if between else None,
        between.high if between else None,
        between.coverage if between else None,
        level.more.people,
        found.best,
        level.fewest.actions if level.fewest else None,
        level.fewest.proven if level.fewest else False,
    )


def people_figure(report: BaselineReport, *, may_watch: bool) -> Figure:
    """Every level that a person reached: whether it is in the baseline, and if not, why."""
    rows: list[Row] = [
        (
            person.participant, person.attempt_id, person.outcome, person.why_not_counted, run.level,
            run.actions, run.resets, run.actions_since_reset, not run.why_out, run.why_out,
        )
        for person in report.people
        for run in person.runs
    ]  # fmt: skip
    return table(
        "people",
        "Who is in the baseline, and who is not",
        "participant Person | attempt Attempt | outcome Outcome | why_not_counted The whole attempt | "
        "level Level | actions Actions [actions] | resets Resets | "
        "actions_since_reset Since the last reset [actions] | counted In the baseline | why_out Reason",
        rows,
        "One row for each level that a person of this scope reached.",
    )


FIGURES: dict[str, Callable[..., Figure]] = {
    "runs": runs_figure,
    "levels": levels_figure,
    "people": people_figure,
}
"""The figures by name; `may_watch` is whether rows lead to replays."""


def _replay(attempt_id: int, level: int, may_watch: bool) -> str | None:
    return f"{reverse('review:attempt', args=[attempt_id])}#level={level}" if may_watch else None
