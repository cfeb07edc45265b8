"""The states of a figure, and lists for the gallery, with invented values."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.urls import reverse

from playtest.insight.figures import HREF, Figure
from playtest.insight.gallery.samples import bars, funnel, plain, scatter, strip
from playtest.insight.gallery.state_space import state_space

MANY = 3000
PEOPLE_A_PAGE = 5
UNKNOWN_KIND = "unknown"


class State(NamedTuple):
    """A figure in one state; `loading` keeps it from being drawn."""

    figure: Figure
    loading: bool = False


def every_kind() -> list[Figure]:
    """One figure of each kind."""
    return [_within_the_gallery(figure) for figure in (*plain(), state_space())]


def states() -> list[State]:
    """A figure that is empty, loading, failed, and with as much as is ever in one."""
    return [
        State(replace(funnel(), name="empty", title="Nobody has reached level 1 yet", rows=[])),
        State(_named("loading", bars(), "How many complete each environment"), loading=True),
        State(replace(_named("failed", bars(), "How many complete each environment"), kind=UNKNOWN_KIND)),
        State(_named("many-people", strip(6, MANY // 6), "Level 4 takes most actions of 3,000")),
        State(_named("many-bars", bars(30), "30 environments, of which each has its bar")),
        State(_named("many-marks", scatter(600), "600 people, none of whom hides another")),
    ]


def figure_named(name: str) -> Figure | None:
    """The figure of this name on the page, for its files."""
    found = [*every_kind(), *(state.figure for state in states())]
    return next((figure for figure in found if figure.name == name), None)


def people() -> Page[int]:
    """The second page of a long list."""
    return Paginator(range(1, MANY + 1), PEOPLE_A_PAGE).page(2)


def _named(name: str, figure: Figure, title: str) -> Figure:
    return _within_the_gallery(replace(figure, name=name, title=title))


def _within_the_gallery(figure: Figure) -> Figure:
    """The figure, with links that stay here, because nobody has played what it shows."""
    here = reverse("insight:gallery")

    def row(values: tuple[object, ...]) -> Iterator[object]:
        for column, value in zip(figure.columns, values, strict=True):
            yield f"{here}#figure-{figure.name}" if column is HREF and value else value

    return replace(figure, rows=[tuple(row(values)) for values in figure.rows])  # type: ignore[arg-type]
