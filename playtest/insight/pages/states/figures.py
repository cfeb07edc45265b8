"""The figure of where people are among the states of a level, with the names of states and its heading."""

import re
from collections.abc import Sequence
from functools import reduce
from statistics import median_high
from string import ascii_uppercase
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse

from playtest.insight.figures import Figure, Row, columns
from playtest.insight.pages.states.layout import Layout, Mark, Scale, layout, scale_of
from playtest.insight.pages.states.level import LevelStates, level_states
from playtest.insight.tables.version import VersionResults
from playtest.rules.attempt import Outcome
from playtest.rules.state_space.locating import HOPELESS, Outlook
from playtest.rules.text import counted, persons

OUTLOOK_LABELS = {
    Outlook.OPEN: "a win can be reached",
    Outlook.WON: "level completed",
    Outlook.UNKNOWN: "no win is known",
    Outlook.DEAD_END: "no win can be reached",
    Outlook.LOST: "level lost",
}
"""In the order of their bands."""
_HASH = 1 << 64
_KEY = re.compile("[0-9a-f]{16}(-[0-9]+)?")


class Names:
    """The names of the states of people on a level: letters for those where people stopped, most first."""

    def __init__(self, states: LevelStates) -> None:
        self._states = states
        ends = [state for state, use in states.uses.items() if use.stopped]
        ends.sort(key=lambda state: (-len(states.uses[state].stopped), -len(states.uses[state].first), state))
        self.ends = ends
        """The states in which people stopped, most first."""
        self._letters = dict(zip(ends, ascii_uppercase, strict=False))
        known = states.located.space.hashes[: states.located.explored]
        ordinary, counts = np.unique(known, return_counts=True)
        self._shared = set(ordinary[counts > 1].tolist())

    def key(self, state: int) -> str:
        """What names the state in an address: its hash; its number too where explored states share it."""
        hashed = int(self._states.located.space.hashes[state])
        plain = f"{hashed % _HASH:016x}"
        shared = state < self._states.located.explored and hashed in self._shared
        return f"{plain}-{state}" if shared else plain

    def find(self, key: str) -> int | None:
        """The state of people with this key."""
        if not _KEY.fullmatch(key):
            return None
        hashed = np.uint64(int(key[:16], 16))
        same = np.flatnonzero(self._states.located.space.hashes.view(np.uint64) == hashed).tolist()
        return next((state for state in same if state in self._states.uses and self.key(state) == key), None)

    def name(self, state: int) -> str:
        """A letter, or the beginning of its hash."""
        return self._letters.get(state) or self.key(state)[:6]

    def address(self, state: int) -> str:
        """The page of a state."""
        of = self._states.results.version.environment.code
        return self._with_query(reverse("insight:state", args=[of, self._states.level, self.key(state)]))

    def list_address(self, mark: Mark, end: int) -> str:
        """The list of the states of a mark, whose column ends before `end`."""
        of = self._states.results.version.environment.code
        chosen = urlencode({"outlook": mark.outlook.name.lower(), "from": mark.x, "until": end})
        return self._with_query(reverse("insight:states-list", args=[of, self._states.level]), chosen)

    def _with_query(self, address: str, chosen: str = "") -> str:
        results = self._states.results
        query = "&".join(
            filter(None, [urlencode({"version": results.version.digest}), results.scope.query, chosen])
        )
        return f"{address}?{query}"

    def outlook(self, state: int) -> str:
        """What can come of a state, as a part of a sentence."""
        fewest = self._states.fewest(state)
        outlook = self._states.outlook(state)
        if outlook == Outlook.OPEN and fewest is not None:
            return f"{win_in(fewest, exact=self._states.exact(state))}"
        return OUTLOOK_LABELS[outlook]


def win_in(actions: int, *, exact: bool) -> str:
    """ "a win is at most 5 actions away"."""
    return f"a win is {'' if exact else 'at most '}{actions} action{'' if actions == 1 else 's'} away"


STATES, BEFORE = "states", "states-before"
_STYLED = (Outlook.OPEN, Outlook.UNKNOWN, Outlook.DEAD_END, Outlook.LOST, Outlook.WON)
"""The order of styles: an outlook looks the same on every level and in both versions."""


def sides_of(results: VersionResults, level: int) -> list[LevelStates]:
    """The level, and the same one in the version that is compared, if there is one with the level."""
    versions = [results, results.before] if results.before else [results]
    return [level_states(one, level) for one in versions if level <= one.version.levels]


def figures_of(sides: Sequence[LevelStates]) -> dict[str, Figure]:
    """A figure of each of `sides_of`, by name, all on one scale."""
    scale = reduce(Scale.joined, map(scale_of, sides))
    made = (states_figure(side, scale, name) for name, side in zip((STATES, BEFORE), sides, strict=False))
    return {figure.name: figure for figure in made}


def states_figure(states: LevelStates, scale: Scale, name: str) -> Figure:
    """A mark for each state, or for several that are alike."""
    drawn, names = layout(states, scale), Names(states)
    return Figure(
        name=f"{name}-{states.level}",
        kind="states",
        title=_title(states, name),
        caption=_caption(states, drawn),
        columns=columns(
            f"label State | outlook What can come of it | x {_axis(drawn)} | states States | people People | "
            "stopped Stopped here | returned Came back | href"
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


def _title(states: LevelStates, name: str) -> str:
    which = f"Version {states.results.version.digest[:8]}: " if name == BEFORE else ""
    return f"{which}{counted(len(states.uses), 'state')} of {persons(len(states.stays))}"


def _caption(states: LevelStates, drawn: Layout) -> str:
    parts = ["The larger a mark, the more people were in the state; its core are those who stopped in it."]
    if any(mark.often_returned for mark in drawn.marks):
        parts.append("A dashed ring: at least half of its people came back.")
    if drawn.explored:
        parts.append("Grey columns are all explored states, on a logarithmic scale.")
    if drawn.scale.step > 1:
        parts.append(f"Each column is {drawn.scale.step} actions wide.")
    return " ".join(parts)


def states_heading(states: LevelStates) -> str:
    """Where those who did not finish the level stopped."""
    level, stopped = states.level, states.stopped
    if not states.stays:
        return f"Nobody has reached level {level} yet"
    if not stopped:
        done = sum(outcome == Outcome.COMPLETED for _, outcome in states.people.values())
        return f"Nobody has stopped on level {level}: {persons(done)} completed it"
    among = states.by_outlook()
    hopeless = sum(among[one] for one in HOPELESS)
    if hopeless:
        return f"Level {level}: {who_stopped(hopeless, len(stopped))} could no longer win"
    if among[Outlook.OPEN] >= among[Outlook.UNKNOWN]:
        near = among[Outlook.OPEN]
        was = "was" if near == 1 else "were"
        return f"Level {level}: {who_stopped(near, len(stopped))} {was} {away(states)} from a win"
    return f"Level {level}: {who_stopped(among[Outlook.UNKNOWN], len(stopped))} had no known way to a win"


def who_stopped(count: int, of: int) -> str:
    return f"{count} of {of} who stopped"


def away(states: LevelStates) -> str:
    """How far from a win those stopped who could still reach one: the upper median."""
    known = [state for state in states.stopped.values() if states.outlook(state) == Outlook.OPEN]
    fewest = sorted(int(states.outlooks.fewest[state]) for state in known)
    if not fewest:
        return ""
    typically = "typically " if fewest[0] != fewest[-1] else ""
    most = "" if all(states.exact(state) for state in known) else "at most "
    middle = median_high(fewest)
    plural = "" if middle == 1 else "s"
    return f"{typically}{most}{middle} action{plural}"
