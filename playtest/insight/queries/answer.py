"""The answer an environment's page, and a level's, gives in its heading."""

from collections.abc import Iterable

import polars as pl

from playtest.insight.queries.played import FATE_WORDS, FATES, Played
from playtest.rules.attempt import Outcome
from playtest.rules.dropoff import LevelFacts, worst


def answer(played: Played, levels: Iterable[LevelFacts], *, elsewhere: int = 0) -> str:
    """Where people fall off, in a sentence without its full stop.

    `elsewhere` is how many attempts there are at other versions.
    """
    if not played.levels.height:
        return f"Nobody has played {'this version of ' if elsewhere else ''}{_name(played)} yet"
    most = worst(levels)
    if most is not None:
        return f"Level {most.level} {_loses(most, 'most people')}"
    ends = _ends(played)
    people = sum(ends.values())
    if ends.get(Outcome.COMPLETED) == people:
        return "The only person so far solved it" if people == 1 else f"All {people} people solved it"
    words = ", ".join(
        f"{ends[fate]} {'solved it' if fate == Outcome.COMPLETED else FATE_WORDS[fate]}"
        for fate in FATES
        if fate in ends
    )
    return f"Nobody is lost so far: {words}"


def level_answer(facts: LevelFacts) -> str:
    """What became of those who reached one level."""
    if not facts.reached:
        return f"Nobody has reached level {facts.level} yet"
    if facts.lost:
        return f"Level {facts.level} {_loses(facts, 'people')}"
    if facts.completed == facts.reached:
        everyone = "The one person" if facts.reached == 1 else f"All {facts.reached} people"
        return f"{everyone} who reached level {facts.level} completed it"
    return f"Nobody is lost on level {facts.level}: {facts.completed} of {facts.reached} completed it"


def _loses(facts: LevelFacts, whom: str) -> str:
    if facts.reached == 1:
        return "lost the one person who reached it"
    if facts.lost == facts.reached:
        return f"loses everyone: all {facts.reached} who reached it"
    return f"loses {whom}: {facts.lost} of {facts.reached} who reached it"


def _ends(played: Played) -> dict[str, int]:
    """How many people came to each end: the fate of the last level each reached."""
    last = played.levels.sort("level").group_by("attempt").agg(pl.col("fate").last())
    return dict(last["fate"].value_counts().iter_rows())


def _name(played: Played) -> str:
    return played.version.environment.code
