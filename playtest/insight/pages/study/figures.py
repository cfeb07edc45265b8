"""The figures of a study's page, by name."""

from collections.abc import Callable

import polars as pl

from playtest.insight.figures import Figure, Row, columns, table
from playtest.insight.pages.environment.distributions import DOUBTED, DOUBTED_SHARE
from playtest.insight.pages.study.histograms import BARS, MINUTES, PERCENT, completions_by_percent
from playtest.insight.pages.study.lag import lag_figure
from playtest.insight.pages.study.links import StudyLinks
from playtest.insight.pages.study.order import order_figure
from playtest.insight.pages.study.people import associations, breakdowns, by_person, sentence
from playtest.insight.pages.study.results import StudyNumbers, StudyResults, doubted
from playtest.insight.tables.acceptance import percents
from playtest.review.queries.attempts import NOT_CUT_SHORT
from playtest.rules.inference.shares import ONE_EACH, share
from playtest.rules.rasch import FEWEST_PEOPLE, Fit
from playtest.rules.text import persons
from playtest.studio.models import Environment
from playtest.studio.pictures import address_of_picture

type Builder = Callable[[StudyResults, StudyNumbers, StudyLinks], Figure]


def success_figure(results: StudyResults, _numbers: StudyNumbers, links: StudyLinks) -> Figure:
    """The share of attempts that solved each environment, the highest first."""
    found = {
        str(code): (share(here.filter("solved").height, here.height), doubted(here))
        for (code,), here in results.judged.group_by("environment")
    }
    known = Environment.objects.filter(code__in=list(found)).values_list("code", "pk", "current__digest")
    ids = {code: pk for code, pk, _ in known}
    fit = results.abilities
    rows: list[Row] = [
        (
            code,
            100 * one.value,
            100 * one.low,
            100 * one.high,
            one.count,
            one.people,
            *under_review,
            *percents(fit.adjusted(code) if fit else None),
            links.attempts(environment=ids[code], outcome=NOT_CUT_SHORT),
        )
        for code, (one, under_review) in sorted(found.items(), key=lambda pair: (-pair[1][0].value, pair[0]))
    ]
    return Figure(
        name="success",
        kind="bars",
        title=_success_title([one.value for one, _ in found.values()], results.judged.height),
        caption=(
            "The share of counted attempts that solved it, without those that were cut short or excluded in"
            f" part. The table has it adjusted for who came, too. {_adjusting(fit)}"
        ),
        columns=columns(
            "label Environment | value Solved [%] | low Lower bound [%] | high Upper bound [%] | "
            f"solved Solved [attempts] | people Counted [attempts]{DOUBTED_SHARE} | "
            "adjusted Adjusted for who came [%] | adjusted_low Its lower bound [%] | "
            "adjusted_high Its upper bound [%] | href"
        ),
        rows=rows,
        empty="A bar for each environment appears here with its first attempt that counts.",
        assumes=ONE_EACH,
        options={
            "value_label": "% of attempts solved",
            "pictures": {code: address_of_picture(code, digest) for code, _, digest in known},
        },
    )


def _adjusting(fit: Fit[str] | None) -> str:
    """What adjusted success rests on."""
    if fit is None:
        return f"That needs {FEWEST_PEOPLE} people who have attempts on two environments."
    if fit.groups > 1:
        return (
            f"People and environments are in {fit.groups} groups that share nobody: between them, adjusted"
            " success assumes that equally able people came."
        )
    return "Adjusted is the success of all these people, had each met every environment (Rasch model)."


def _success_title(shares: list[float], attempts: int) -> str:
    if not shares:
        return "Success by environment"
    most = sum(value >= 0.5 for value in shares)
    noun = "environment was" if len(shares) == 1 else "environments were"
    return f"{most} of {len(shares)} {noun} solved in at least half of the attempts (n = {attempts:,})"


def time_figure(results: StudyResults, numbers: StudyNumbers, links: StudyLinks) -> Figure:
    rows: list[Row] = [
        (*MINUTES.ends(bar), count, waiting, group, links.bar("time", bar, group))
        for bar, group, count, waiting in BARS["time"].counts(results).iter_rows()
    ]
    medians = ((numbers.solved_duration, "solved"), (numbers.unsolved_duration, "not solved"))
    parts = [
        f"{one.minutes:.1f} min {how} (n = {one.attempts:,})"
        for one, how in medians
        if one.minutes is not None
    ]
    return Figure(
        name="time",
        kind="histogram",
        title=f"Median time: {', '.join(parts)}" if parts else "Time on an environment by outcome",
        caption="Counted attempts that were neither cut short nor excluded in part, by time from the first"
        " frame to the last action.",
        columns=columns(
            "low From [minutes] | high To under [minutes] | "
            f"people Attempts [attempts]{DOUBTED} [attempts] | "
            "group Outcome | href"
        ),
        rows=rows,
        empty="A bar appears here with the first attempt that counts.",
        options={"x_label": "Minutes on the environment", "y_label": "Attempts"},
    )


def efficiency_figure(results: StudyResults, numbers: StudyNumbers, links: StudyLinks) -> Figure:
    found = completions_by_percent(results)
    rows: list[Row] = [
        (*PERCENT.ends(bar), count, waiting, links.bar("efficiency", bar))
        for bar, _, count, waiting in BARS["efficiency"].counts(results).iter_rows()
    ]
    return Figure(
        name="efficiency",
        kind="histogram",
        title=_efficiency_title(found),
        caption=(
            f"{numbers.level_completions:,} level completions by efficiency = human baseline / actions. The"
            " human baseline is the upper median of actions over all completions of that level in this study."
            f" More than 100 % is fewer actions than the baseline (report, figure 6).{_open_bar(found)}"
        ),
        columns=columns(
            "low From [% efficiency] | high To under [% efficiency] | people Level completions [completions]"
            f"{DOUBTED} [completions] | href"
        ),
        rows=rows,
        empty="A bar appears here when somebody has completed a level.",
        options={
            "x_label": "Efficiency: human baseline / actions, in %",
            "y_label": "Level completions",
            "line": {"name": "human baseline", "value": 100},
        },
    )


def _open_bar(found: pl.DataFrame) -> str:
    """A sentence about the last bar, if it counts anything."""
    last = PERCENT.count - 1
    if not (found["bar"] == last).any():
        return ""
    return f" The last bar has everything from {PERCENT.ends(last)[0]:.0f} % up."


def _efficiency_title(found: pl.DataFrame) -> str:
    if found.is_empty():
        return "Efficiency on each level relative to the human baseline"
    low, high = (found["percent"].quantile(at, "linear") or 0.0 for at in (0.25, 0.75))
    return f"Half of {found.height:,} level completions had an efficiency of {low:.0f} to {high:.0f} %"


def people_figure(results: StudyResults, _numbers: StudyNumbers, links: StudyLinks) -> Figure:
    """Accuracy against speed, one dot for each person (ARC-AGI-2, figure 4)."""
    people = by_person(results).filter(pl.col("speed").is_finite())  # others have no times
    rows: list[Row] = [
        (person, speed, 100 * solved, attempts, pace, waiting, links.person(person, sessions))
        for person, speed, solved, attempts, pace, waiting, sessions in people.select(
            "participant", "speed", "share", "attempts", "pace", "under_review", "sessions"
        ).iter_rows()
    ]
    return Figure(
        name="people",
        kind="scatter",
        title=_people_title(people),
        caption=(
            "Each dot is one person: environments solved per minute of interaction over their counted"
            " attempts (speed), and the share of these attempts that solved theirs (accuracy)."
        ),
        columns=columns(
            "label Participant | x Speed [solved per minute] | y Solved [%] | attempts Attempts | "
            f"pace Pace [seconds per action]{DOUBTED} | href"
        ),
        rows=rows,
        empty="A dot for each person appears here with their first attempt that counts.",
        options={"x_label": "Environments solved per minute", "y_label": "% of attempts solved"},
    )


def _people_title(people: pl.DataFrame) -> str:
    if people.is_empty():
        return "Speed and accuracy of each person"
    speed, solved = people.select(pl.col("speed").median(), 100 * pl.col("share").median()).row(0)
    whom = f"The median of {persons(people.height)}"
    return f"{whom} solves {speed:.2f} environments a minute and {solved:.0f} % of attempts"


def survey_table(results: StudyResults) -> Figure:
    """Results by answers to the survey; small groups have no figures."""
    rows: list[Row] = [
        (
            breakdown.question.name,
            group.answer,
            group.people,
            group.attempts,
            None if group.solved is None else 100 * group.solved,
            group.minutes,
        )
        for breakdown in breakdowns(results)
        for group in breakdown.groups
    ]
    return table(
        "survey",
        "Results by answers to the survey",
        "question Question | answer Answer | people People | attempts Attempts | solved Solved [%] | "
        "minutes Median time [minutes]",
        rows,
    )


def associations_table(results: StudyResults) -> Figure:
    """The tests of association as one table, for its file."""
    found = associations(results, breakdowns(results))
    rows: list[Row] = [
        (
            one.question.name,
            *((test.method, test.people, test.statistic, test.p) if (test := one.test) else (None,) * 4),
            one.corrected,
        )
        for one in found
    ]
    return table(
        "associations",
        sentence(found),
        "question Question | method Test | people People | statistic Statistic | p p | "
        "corrected p, corrected by Holm",
        rows,
    )


DRAWN: dict[str, Builder] = {
    "success": success_figure,
    "time": time_figure,
    "efficiency": efficiency_figure,
    "people": people_figure,
    "order": order_figure,
    "lag": lag_figure,
}
"""In the order of the page."""
TABS = {
    "success": "Success", "time": "Time", "efficiency": "Efficiency", "people": "People", "order": "Order",
    "lag": "Delay",
}  # fmt: skip
"""What the page's tabs call them."""


def drawn_for(results: StudyResults) -> dict[str, Builder]:
    """The figures of this study's page: static tasks have no efficiency."""
    return {name: build for name, build in DRAWN.items() if name != "efficiency" or results.has_levels}


OF_ANSWERS: dict[str, Builder] = {
    "survey": lambda results, _numbers, _links: survey_table(results),
    "associations": lambda results, _numbers, _links: associations_table(results),
}
"""About answers to the survey, which need a right of their own."""
FIGURES: dict[str, Builder] = DRAWN | OF_ANSWERS
