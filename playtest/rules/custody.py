"""Custody of sets: which facts about an environment may leave, by its release set (report 3.5 and 4.3).

A set is named as `studio.models.ReleaseSet` stores it. What is not known to be public is private.
"""

from collections.abc import Iterable
from enum import StrEnum

PUBLIC, SEMI_PRIVATE, PRIVATE = "public", "semi_private", "private"


class Fact(StrEnum):
    """What somebody with an API key could be told beside the frames of their own play."""

    TITLE = "title"
    TAGS = "tags"
    BASELINE_ACTIONS = "baseline_actions"
    SOURCE = "source"
    RECORDING = "recording"
    """A run as a file, with all its frames: to whoever has played it, and in exports by staff."""
    SCORE_BY_ENVIRONMENT = "score_by_environment"
    """Scores of one environment or level; otherwise a scorecard answers with its total only."""
    SCORE_OF_OPEN_CARD = "score_of_open_card"


_MAY_LEAVE = {
    PUBLIC: frozenset(Fact),
    # The official LLM harness takes its budget from it. It plays 10 actions in all without.
    SEMI_PRIVATE: frozenset({Fact.BASELINE_ACTIONS}),
}
_SETS = (PUBLIC, SEMI_PRIVATE, PRIVATE)
"""From the least to the most strict."""


def may_disclose(release_set: str, fact: Fact) -> bool:
    """Whether somebody with a key for this set may be told this fact about its environments."""
    return fact in _MAY_LEAVE.get(release_set, frozenset())


def all_may_disclose(release_sets: Iterable[str], fact: Fact) -> bool:
    """Whether the fact may be told about all of these sets together; true of none."""
    return all(may_disclose(one, fact) for one in release_sets)


def enforces_budget(release_set: str) -> bool:
    """Whether a level's budget holds in every mode: all but the public set.

    What is not public is shown for as few actions as a score needs, as far as that tells no baseline.
    """
    return release_set != PUBLIC


def hides_budget(release_set: str) -> bool:
    """Whether no play ends at the budget, which shows in the score alone: its end would tell the baseline."""
    return not may_disclose(release_set, Fact.BASELINE_ACTIONS)


def stricter(one: str, other: str) -> str:
    """Of two sets the one that discloses less. What is in no set counts as private."""
    return max((name if name in _SETS else PRIVATE for name in (one, other)), key=_SETS.index)
