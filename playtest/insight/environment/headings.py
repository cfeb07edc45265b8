"""The headings of an environment's page and of a level's: where people stop."""

from collections.abc import Iterable, Sequence

import polars as pl

from playtest.insight.results.level_outcomes import LEVEL_OUTCOMES, OUTCOME_LABELS
from playtest.insight.results.version import VersionResults
from playtest.rules.attempt import LEFT_AT_ONCE, Outcome
from playtest.rules.dropoff import LevelFacts, worst


def environment_heading(results: VersionResults, levels: Iterable[LevelFacts], *, elsewhere: int = 0) -> str:
    """Names the level that lost most people. `elsewhere` counts attempts at other versions."""
    code = results.version.environment.code
    if not results.levels.height:
        return f"Nobody has played {'this version of ' if elsewhere else ''}{code} yet"
    facts = list(levels)
    most = worst(facts)
    if most:
        return _lost(most) + _at_once(sum(level.left_at_once for level in facts))
    return _nobody_lost(results)


def level_heading(facts: LevelFacts) -> str:
    """Says how many of those who reached a level completed it, or were lost."""
    level, reached = facts.level, facts.reached
    if not reached:
        if facts.left_at_once:
            noun = "person" if facts.left_at_once == 1 else "people"
            return f"Level {level}: {facts.left_at_once} {noun} left at once, nobody else reached it"
        return f"Nobody has reached level {level} yet"
    if facts.lost:
        heading = _lost([facts])
    elif facts.completed == reached:
        heading = f"{'The only person' if reached == 1 else f'All {reached} people'} completed level {level}"
    else:
        heading = f"Level {level} lost nobody: {facts.completed} of {reached} completed it"
    return heading + _at_once(facts.left_at_once)


def _lost(most: Sequence[LevelFacts]) -> str:
    """How many people a level lost, or each of several levels that lost equally many."""
    facts = most[0]
    if len(most) > 1:
        levels = [str(level.level) for level in most]
        people = "person" if facts.lost == 1 else "people"
        return f"Levels {', '.join(levels[:-1])} and {levels[-1]} lose {facts.lost} {people} each"
    if facts.reached == 1:
        return f"Level {facts.level} lost the only person who tried it"
    if facts.lost == facts.reached:
        return f"Level {facts.level} loses all {facts.reached} people"
    return f"Level {facts.level} loses {facts.lost} of {facts.reached} people"


def _at_once(people: int) -> str:
    return f"; {people} left at once" if people else ""


def _nobody_lost(results: VersionResults) -> str:
    ends = _ends(results)
    people = sum(ends.values())
    labels = OUTCOME_LABELS | {Outcome.COMPLETED: "solved it"}
    for outcome in (Outcome.COMPLETED, LEFT_AT_ONCE):
        if ends.get(outcome) == people:
            return f"{'The only person' if people == 1 else f'All {people} people'} {labels[outcome]}"
    counts = ", ".join(f"{ends[outcome]} {labels[outcome]}" for outcome in LEVEL_OUTCOMES if outcome in ends)
    return f"Nobody is lost so far: {counts}"


def _ends(results: VersionResults) -> dict[str, int]:
    """How many people ended with each outcome: that of the last level that each reached."""
    last = results.levels.sort("level").group_by("attempt").agg(pl.col("level_outcome").last())
    return dict(last["level_outcome"].value_counts().iter_rows())
