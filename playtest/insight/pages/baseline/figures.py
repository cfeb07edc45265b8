"""The tables of a baseline as files: numbers by level, and people."""

from collections.abc import Callable

from playtest.insight.figures import Figure, Row, table
from playtest.insight.pages.baseline.report import BaselineReport, LevelReport
from playtest.insight.pages.environment.distributions import DOUBTED


def levels_table(report: BaselineReport) -> Figure:
    """The table of the page."""
    return table(
        "levels",
        "The baseline of each level",
        "level Level | ended Ended it [people] | completers Completers [people] | "
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
        level.ended,
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


def people_table(report: BaselineReport) -> Figure:
    """Every level that a person reached: whether it is in the baseline, and if not, why."""
    rows: list[Row] = [
        (
            person.participant, person.attempt_id, person.outcome, person.why_not_counted, run.level,
            run.actions, run.resets, run.actions_since_reset, not run.why_out, run.why_out,
            person.under_review,
        )
        for person in report.people
        for run in person.runs
    ]  # fmt: skip
    return table(
        "people",
        "Who is in the baseline, and who is not",
        "participant Person | attempt Attempt | outcome Outcome | why_not_counted The whole attempt | "
        "level Level | actions Actions [actions] | resets Resets | "
        "actions_since_reset Since the last reset [actions] | counted In the baseline | why_out Reason"
        f"{DOUBTED}",
        rows,
        "One row for each level that a person of this scope reached.",
    )


TABLES: dict[str, Callable[[BaselineReport], Figure]] = {"levels": levels_table, "people": people_table}
