"""Action patterns of people on a level, as the rows of its page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import polars as pl

from engine.play.actions import CLICK
from engine.play.frames import PALETTE
from playtest.insight.pages.action_patterns.reading import PatternsOnLevel
from playtest.insight.tables.version import VersionResults
from playtest.rules.action_patterns import (
    FIRST,
    Act,
    Box,
    Node,
    dead_clicks,
    failing_patterns,
    tree,
)
from playtest.rules.labels import ACTION_LABELS, KEY_CAPS
from playtest.rules.text import persons

MOST_NAMED = 12
"""The most people who are named at a branch: everybody is named where they end."""
MOST_ROWS = 20
_OPEN = 3
"""How many branches below each other are open at first."""


@dataclass(frozen=True)
class ActRun:
    """The same action some times in a row. A click has a `fill` (#RRGGBB) and a place instead of a `cap`."""

    cap: str
    label: str
    fill: str
    place: str
    times: int


@dataclass(frozen=True)
class PersonLink:
    """A person, how the level ended for them if it did so here, and the replay at this moment."""

    participant: str
    ended: str
    href: str | None


@dataclass(frozen=True)
class Branch:
    """A node of the tree; `percent` of everyone who acted. `named` has at most MOST_NAMED of the people."""

    runs: tuple[ActRun, ...]
    people: int
    percent: int
    named: tuple[PersonLink, ...]
    ended: tuple[PersonLink, ...]
    children: tuple["Branch", ...]
    is_open: bool


type Row = dict[str, Any]
"""A row of a table, by the names that its template has for the cells."""


class PatternsPage:
    """The parts of the page; `found` is from `patterns_on`."""

    def __init__(self, results: VersionResults, level: int, found: PatternsOnLevel) -> None:
        here = results.levels.filter(pl.col("level") == level)
        facts = here.select("attempt", "participant", "level_outcome").iter_rows()
        self._people = {
            attempt: (label, results.outcome_labels[outcome]) for attempt, label, outcome in facts
        }
        self._links = results.links
        self._found = found
        self.read = len(found.people)
        self.actions = sum(one.actions for one in found.people.values())
        self.no_ops = sum(one.no_ops for one in found.people.values())

    def branches(self) -> tuple[Branch, ...]:
        """The first actions of everyone who acted, most people first."""
        firsts = {attempt: one.first for attempt, one in self._found.people.items() if one.first}
        return tuple(self._branch(node, len(firsts), 1) for node in tree(firsts))

    def patterns(self) -> list[Row]:
        """What people repeated without getting anywhere, at most MOST_ROWS."""
        return [
            {
                "runs": runs_of(one.what),
                "what": "changes nothing" if len(one.what) == 1 else "leads back to the same state",
                "people": one.people,
                "times": one.times,
                "example": self._at(one.example, one.done.first - 1),
            }
            for one in failing_patterns(self._found.people)[:MOST_ROWS]
        ]

    def dead(self) -> list[Row]:
        """What people clicked without effect, at most MOST_ROWS; `action` is the one before the click."""
        return [
            {
                "runs": runs_of([one.what]),
                "people": one.people,
                "times": one.times,
                "at": one.done.at,
                "outline": _outline(one.done.box),
                "example": self._at(one.example, one.done.first - 1),
                "attempt": one.example,
                "action": self._found.entered[one.example] + one.done.first - 1,
            }
            for one in dead_clicks(self._found.people)[:MOST_ROWS]
        ]

    def _branch(self, node: Node, everyone: int, nested: int) -> Branch:
        here = [self._at(attempt, node.depth) for attempt in node.people[:MOST_NAMED]]
        return Branch(
            runs_of(node.acts),
            len(node.people),
            round(100 * len(node.people) / everyone),
            tuple(here),
            tuple(self._at(attempt, node.depth, ended=node.depth < FIRST) for attempt in node.ended),
            tuple(self._branch(child, everyone, nested + 1) for child in node.children),
            nested <= _OPEN,
        )

    def _at(self, attempt: int, actions: int, *, ended: bool = False) -> PersonLink:
        """The person, with the replay after so many actions on the level."""
        participant, outcome = self._people[attempt]
        href = self._links.moment(attempt, self._found.entered[attempt] + actions)
        return PersonLink(participant, outcome if ended else "", href)


def _outline(box: Box) -> str:
    """The edges of a box of cells as a path."""
    return f"M{box.left} {box.top}H{box.right + 1}V{box.bottom + 1}H{box.left}Z"


def runs_of(acts: Iterable[Act]) -> tuple[ActRun, ...]:
    """Equal actions in a row as one run."""
    return tuple(_run(act, len(list(same))) for act, same in groupby(acts))


def _run(act: Act, times: int) -> ActRun:
    if act.action != CLICK or act.colour is None:
        return ActRun(KEY_CAPS[act.action], ACTION_LABELS[act.action], "", "", times)
    place = f"{act.x}, {act.y}"
    label = f"click on colour {act.colour} at {place}"
    return ActRun("", label, f"#{PALETTE[act.colour]}", place, times)


def patterns_heading(level: int, branches: Sequence[Branch], found: PatternsOnLevel) -> str:
    """In how many ways people began."""
    if not found.of_people:
        return f"Nobody has reached level {level} yet"
    if not branches:
        return f"Nobody has acted on level {level} yet"
    acted = sum(branch.people for branch in branches)
    who = persons(acted)
    if len(branches) == 1:
        return f"Level {level}: {who} began alike" if acted > 1 else f"Level {level}: 1 person acted"
    return f"Level {level}: {who} began in {len(branches)} ways"
