"""The figures of the pages of an environment and of its levels, by name."""

from collections.abc import Callable, Mapping
from functools import partial

from playtest.insight.figures import Figure
from playtest.insight.pages.action_patterns.page import DEAD, dead_figure
from playtest.insight.pages.environment.distributions import (
    Standard,
    actions_figure,
    funnel_figure,
    standards,
    time_figure,
)
from playtest.insight.pages.environment.dwell import CLICKS, DWELL, takes_clicks, where_figure
from playtest.insight.pages.environment.progression import ACTIONS, TIME, progression_figure, survival_figure
from playtest.insight.pages.states.figures import STATES, figure_of
from playtest.insight.tables.version import VersionResults, cached
from playtest.rules.text import whole_number
from playtest.studio.queries.fewest import fewest_proven, fewest_stored

type Builder = Callable[[VersionResults], Figure]


@cached
def standards_of(results: VersionResults) -> dict[int, Standard]:
    """The numbers that action counts are compared with, for every level."""
    version = results.version
    return standards(results, fewest_stored([version.pk])[version.pk], fewest_proven(version))


PAGE: Mapping[str, Builder] = {
    "funnel": funnel_figure,
    "survival-actions": partial(survival_figure, over=ACTIONS),
    "survival-time": partial(survival_figure, over=TIME),
    "actions": lambda results: actions_figure(results, standards_of(results)),
    "progression": lambda results: progression_figure(results, standards_of(results)),
    "time": time_figure,
}


def heat_maps(results: VersionResults, level: int) -> dict[str, Builder]:
    """The heat maps of a level. Without clicks in the environment there is one."""
    found = [CLICKS, DWELL] if takes_clicks(results) else [DWELL]
    return {f"{of}-{level}": partial(where_figure, level=level, of=of) for of in found}


def survival_curves(level: int) -> dict[str, Builder]:
    """The survival curves of a level."""
    return {
        f"survival-{over}-{level}": partial(survival_figure, over=over, level=level)
        for over in (ACTIONS, TIME)
    }


def dead_clicks(results: VersionResults, level: int) -> dict[str, Builder]:
    """The clicks on a level that did nothing; none without clicks in the environment."""
    return {f"{DEAD}-{level}": partial(dead_figure, level=level)} if takes_clicks(results) else {}


def build(results: VersionResults, name: str) -> Figure | None:
    """The figure of this name, or None."""
    kind, _, level = name.rpartition("-")
    number = whole_number(level)
    if number is not None and 1 <= number <= results.version.levels:
        of_level = heat_maps(results, number) | survival_curves(number) | dead_clicks(results, number)
        of_level[f"{STATES}-{number}"] = partial(figure_of, level=number)
        builder = of_level.get(f"{kind}-{number}")
    else:
        builder = PAGE.get(name)
    return builder(results) if builder else None
