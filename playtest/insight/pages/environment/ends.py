"""The people who reached a level, the result of each, and those of one fate on it."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from playtest.insight.tables.version import (
    LEVEL_OUTCOMES,
    OPEN,
    OUTCOME_ORDER,
    VersionResults,
    here,
)
from playtest.review.queries.attempts import IN_PROGRESS, NO, YES, LevelStatus
from playtest.rules.attempt import LEFT_AT_ONCE, LOST, Outcome
from playtest.rules.text import persons

LEFT = "left"
"""The fate of everyone who left the level by themselves or because its time ran out."""
LEAVERS = (*LOST, LEFT_AT_ONCE)
FATES = (LEFT, *LEVEL_OUTCOMES)
"""What `level_ends` can be asked for: LEFT, or one outcome of a level."""


type PersonOnLevel = dict[str, Any]
"""The columns of `tables.version` for one person on one level, with what a page says and links to.

`last_seq` is the last action on the level, which shows the next level from its second frame on if it
completes this one: its `last_frame`. `href` leads to the replay at the beginning of the level, `end_href` to
its end.
"""


def people_on(results: VersionResults, level: int) -> list[PersonOnLevel]:
    """First those who did not complete the level, by outcome and then by actions, most first."""
    place = pl.col("level_outcome").replace_strict(OUTCOME_ORDER, return_dtype=pl.Int64)
    rows = here(results, level).sort(place == 0, place, pl.col("actions") * -1, "attempt")
    return [
        row
        | {
            "outcome_label": results.outcome_labels[row["level_outcome"]],
            "last_frame": 1 if row["completed"] else None,
            "href": results.links.replay(row["attempt"], level),
            "end_href": results.links.end(row["attempt"], level),
        }
        for row in rows.iter_rows(named=True)
    ]


@dataclass(frozen=True)
class Fate:
    """How many people of the level have a fate."""

    name: str
    label: str
    people: int


def fates_on(results: VersionResults, level: int) -> list[Fate]:
    """LEFT, and each outcome that somebody has on the level."""
    counts: dict[str, int] = dict(here(results, level)["level_outcome"].value_counts().iter_rows())
    outcomes = [
        Fate(one, results.outcome_labels[one], counts[one]) for one in LEVEL_OUTCOMES if one in counts
    ]
    return [Fate(LEFT, "everyone who left", sum(counts.get(one, 0) for one in LEAVERS)), *outcomes]


def people_of_fate(results: VersionResults, level: int, fate: str) -> list[PersonOnLevel]:
    """They are in the order of `people_on`."""
    wanted = LEAVERS if fate == LEFT else (fate,)
    return [person for person in people_on(results, level) if person["level_outcome"] in wanted]


def ends_heading(results: VersionResults, level: int, fate: str, people: int) -> str:
    """What the page shows, in words."""
    who = persons(people)
    if not people:
        how = "left" if fate == LEFT else f"has this fate: {results.outcome_labels[fate]}"
        return f"Nobody on level {level} {how}"
    if fate == LEFT:
        return f"Where {who} left level {level}"
    if fate == Outcome.COMPLETED:
        return f"How {who} completed level {level}"
    return f"Level {level}, {results.outcome_labels[fate]}: where {who} stopped"


def attempts_of_fate(results: VersionResults, level: int, fate: str) -> str | None:
    """The address of the list of their attempts; None for LEFT, which no filter of the list knows."""
    if fate == LEFT:
        return None
    if fate == Outcome.COMPLETED:
        return results.links.attempts(level=level, status=LevelStatus.COMPLETED)
    if fate == LEFT_AT_ONCE:
        return results.links.attempts(level=level, status=LevelStatus.STOPPED, at_once=YES)
    outcome = IN_PROGRESS if fate == OPEN else fate
    at_once = NO if outcome in LOST else ""
    return results.links.attempts(level=level, status=LevelStatus.STOPPED, outcome=outcome, at_once=at_once)
