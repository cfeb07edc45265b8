"""The figures of the pages of an environment and of its levels, by name."""

from collections.abc import Callable, Mapping
from functools import partial

from playtest.insight.figures import Figure
from playtest.insight.pages.environment.distributions import (
    Standard,
    actions_figure,
    funnel_figure,
    standards,
)
from playtest.insight.pages.environment.dwell import CLICKS, DWELL, takes_clicks, where_figure
from playtest.insight.pages.environment.progression import ACTIONS, TIME, incidence_figure
from playtest.insight.pages.states.figures import BEFORE, STATES, figures_of, sides_of
from playtest.insight.tables.version import VersionResults, cached
from playtest.rules.text import whole_number
from playtest.studio.queries.fewest import fewest_stored_and_proven

type Builder = Callable[[VersionResults], Figure]


@cached
def standards_of(results: VersionResults) -> dict[int, Standard]:
    """The numbers that action counts are compared with, for every level."""
    pk = results.version.pk
    stored, proven = fewest_stored_and_proven([pk])
    return standards(results, stored[pk], proven[pk])


PAGE: Mapping[str, Builder] = {
    "funnel": funnel_figure,
    "actions": lambda results: actions_figure(results, standards_of(results)),
    "incidence-actions": partial(incidence_figure, over=ACTIONS),
    "incidence-time": partial(incidence_figure, over=TIME),
}


def heat_maps(results: VersionResults, level: int) -> dict[str, Builder]:
    """The heat maps of a level. Without clicks in the environment there is one."""
    found = [CLICKS, DWELL] if takes_clicks(results) else [DWELL]
    return {f"{of}-{level}": partial(where_figure, level=level, of=of) for of in found}


def build(results: VersionResults, name: str) -> Figure | None:
    """The figure of this name, or None."""
    kind, _, level = name.rpartition("-")
    number = whole_number(level)
    if number is not None and 1 <= number <= results.version.levels:
        if kind in (STATES, BEFORE):
            return figures_of(sides_of(results, number)).get(name)
        builder = heat_maps(results, number).get(name)
    else:
        builder = PAGE.get(name)
    return builder(results) if builder else None
