"""The answer an environment's page, and a level's, gives in its heading."""

from collections.abc import Iterable, Sequence

import polars as pl

from playtest.insight.results.level_outcomes import LEVEL_OUTCOMES, OUTCOME_LABELS
from playtest.insight.results.version import VersionResults
from playtest.rules.attempt import LEFT_AT_ONCE, Outcome
from playtest.rules.dropoff import FEWEST_PEOPLE, LevelFacts, worst

_MOST_LEVELS = 3
"""So many levels that lose equally many are told with their shares."""


def answer(results: VersionResults, levels: Iterable[LevelFacts], *, elsewhere: int = 0) -> str:
    """Where people fall off, in a sentence without its full stop; who left at once is told apart.

    `elsewhere` is how many attempts there are at other versions.
    """
    if not results.levels.height:
        return f"Nobody has played {'this version of ' if elsewhere else ''}{_name(results)} yet"
    facts = list(levels)
    at_once = sum(level.left_at_once for level in facts)
    most = worst(facts)
    if most:
        return _lose(most) + _more_at_once(at_once)
    ends = _ends(results)
    people = sum(ends.values())
    for outcome, words in ((Outcome.COMPLETED, "solved it"), (LEFT_AT_ONCE, "left at once")):
        if ends.get(outcome) == people:
            return f"The only person so far {words}" if people == 1 else f"All {people} people {words}"
    words = ", ".join(
        f"{ends[outcome]} {'solved it' if outcome == Outcome.COMPLETED else OUTCOME_LABELS[outcome]}"
        for outcome in LEVEL_OUTCOMES
        if outcome in ends
    )
    return f"Nobody is lost so far: {words}"


def level_answer(facts: LevelFacts) -> str:
    """What became of those who reached one level."""
    if not facts.reached:
        if facts.left_at_once:
            noun = "person" if facts.left_at_once == 1 else "people"
            return f"Level {facts.level}: {facts.left_at_once} {noun} left at once, nobody else reached it"
        return f"Nobody has reached level {facts.level} yet"
    if facts.lost:
        return _loses(facts, "people") + _more_at_once(facts.left_at_once)
    if facts.completed == facts.reached:
        everyone = "The one person" if facts.reached == 1 else f"All {facts.reached} people"
        words = f"{everyone} who tried level {facts.level} completed it"
    else:
        words = f"Nobody is lost on level {facts.level}: {facts.completed} of {facts.reached} completed it"
    return words + _more_at_once(facts.left_at_once)


def _lose(most: Sequence[LevelFacts]) -> str:
    """Of one level how many it lost, of several that they lost equally many; "most" takes a few people."""
    if len(most) > 1:
        levels = _listed([str(facts.level) for facts in most])
        alike = len({facts.reached for facts in most}) == 1
        told = len(most) <= _MOST_LEVELS and not alike
        shares = _listed([f"{facts.lost} of {facts.reached}" for facts in most]) if told else ""
        return f"Levels {levels} lose equally many: {shares or f'{most[0].lost} each'}"
    return _loses(most[0], "most people")


def _loses(facts: LevelFacts, whom: str) -> str:
    if facts.reached == 1:
        return f"Level {facts.level} lost the one person who tried it"
    if facts.lost == facts.reached:
        return f"Level {facts.level} loses everyone: all {facts.reached} who tried it"
    if facts.lost < FEWEST_PEOPLE:
        return f"Level {facts.level} loses {facts.lost} of {facts.reached} people"
    return f"Level {facts.level} loses {whom}: {facts.lost} of {facts.reached} who tried it"


def _listed(words: Sequence[str]) -> str:
    """1, 2 and 3"""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _more_at_once(people: int) -> str:
    return f"; {people} left at once" if people else ""


def _ends(results: VersionResults) -> dict[str, int]:
    """How many people came to each end: the fate of the last level each reached."""
    last = results.levels.sort("level").group_by("attempt").agg(pl.col("level_outcome").last())
    return dict(last["level_outcome"].value_counts().iter_rows())


def _name(results: VersionResults) -> str:
    return results.version.environment.code
