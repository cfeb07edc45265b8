"""The figure of where people are among the states of a level."""

from collections.abc import Sequence

from playtest.insight.figures import HREF, Column, Figure, Row
from playtest.insight.results.version import VersionResults
from playtest.insight.states.layout import Layout, Mark, Scale, layout
from playtest.insight.states.level import LevelStates, level_states
from playtest.insight.states.names import OUTLOOK_LABELS, Names, people
from playtest.rules.effort.formatting import counted
from playtest.rules.state_space.outlooks import Outlook

STATES = "states"
_STYLED = (Outlook.OPEN, Outlook.UNKNOWN, Outlook.DEAD_END, Outlook.LOST, Outlook.WON)
"""The order of styles: an outlook looks the same on every level and in both versions."""


def figure_of(results: VersionResults, level: int) -> Figure:
    """The figure of one level."""
    return states_figure(level_states(results, level))


def states_figure(
    states: LevelStates, scale: Scale | None = None, *, name: str = "", title: str = ""
) -> Figure:
    """A mark for each state, or for several that are alike, on a given scale or their own."""
    drawn, names = layout(states, scale), Names(states)
    return Figure(
        name=f"{name or STATES}-{states.level}",
        kind="states",
        title=title or _title(states),
        caption=_caption(states, drawn),
        columns=(
            Column("label", "State"),
            Column("outlook", "What can come of it"),
            Column("x", _axis(drawn)),
            Column("states", "States"),
            Column("people", "People"),
            Column("stopped", "Stopped here"),
            Column("returned", "Came back"),
            HREF,
        ),
        rows=[_row(states, names, mark, drawn.scale) for mark in drawn.marks],
        empty=f"States appear here when somebody has reached level {states.level}.",
        options={
            "outlooks": [OUTLOOK_LABELS[one] for one in _STYLED],
            "bands": [OUTLOOK_LABELS[one] for one in _bands(drawn.marks)],
            "x_label": _axis(drawn),
            "from_start": drawn.from_start,
            "farthest": drawn.scale.farthest,
            "step": drawn.scale.step,
            "most_people": drawn.scale.most_people,
            "moves": drawn.moves,
            "explored": drawn.explored,
            "often_returned": [mark.often_returned for mark in drawn.marks],
            "pictures": [_picture(states, mark) for mark in drawn.marks],
        },
    )


def _bands(marks: Sequence[Mark]) -> list[Outlook]:
    """The outlooks that have a band: a completed level stands among those from which a win can be reached."""
    present = {mark.outlook for mark in marks}
    return [
        one
        for one in OUTLOOK_LABELS
        if one in present and (one != Outlook.WON or Outlook.OPEN not in present)
    ]


def _row(states: LevelStates, names: Names, mark: Mark, scale: Scale) -> Row:
    if len(mark.states) == 1:
        label, href = names.name(mark.states[0]), names.address(mark.states[0])
    else:
        label = f"{len(mark.states)} other states"
        href = names.list_address(mark, mark.x + scale.step)
    return (
        label,
        OUTLOOK_LABELS[mark.outlook],
        mark.x,
        len(mark.states),
        mark.people,
        mark.stopped,
        mark.returned,
        href,
    )


def _picture(states: LevelStates, mark: Mark) -> str | None:
    """The frame of a mark that is one state."""
    if len(mark.states) > 1:
        return None
    return states.results.links.picture(*states.first_seen(mark.states[0]))


def _axis(drawn: Layout) -> str:
    if drawn.from_start:
        return "Actions from the start of the level"
    return "Actions to a win; below, of the last state with a way to one"


def _title(states: LevelStates) -> str:
    return f"{counted(len(states.uses), 'state')} of {people(len(states.stays))}"


def _caption(states: LevelStates, drawn: Layout) -> str:
    parts = ["The larger a mark, the more people were in the state; its core are those who stopped in it."]
    if any(mark.often_returned for mark in drawn.marks):
        parts.append("A dashed ring: at least half of its people came back.")
    if drawn.explored:
        parts.append("Grey columns are all explored states, on a logarithmic scale.")
    if drawn.scale.step > 1:
        parts.append(f"Each column is {drawn.scale.step} actions wide.")
    return " ".join(parts)
