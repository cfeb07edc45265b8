"""Which environment a participant plays next."""

from collections.abc import Callable, Collection, Hashable, Iterable
from enum import Enum, auto
from typing import NamedTuple

from playtest.rules.errors import RuleError


class Candidate[Id: Hashable](NamedTuple):
    """An environment of the study's pool (all its versions are one), and the people it has had.

    `counted` people's attempts count; those `in_progress` are still playing and may come to count. Of both,
    `at_position` met it at the position in their session that is to be filled (their second, say).
    """

    environment: Id
    counted: int
    in_progress: int
    at_position: int = 0

    @property
    def people(self) -> int:
        return self.counted + self.in_progress


class Remaining(Enum):
    """What a study has left for one person."""

    SOMETHING = auto()
    STUDY_FULL = auto()  # no environment needs another person
    EVERYTHING_MET = auto()  # some do, and this person has played each of those


def remaining[Id: Hashable](
    candidates: Iterable[Candidate[Id]], met: Collection[Id], target: int
) -> Remaining:
    """Whether `choose` would find an environment for this person, and if not, why."""
    short = [candidate for candidate in candidates if candidate.people < target]
    if not short:
        return Remaining.STUDY_FULL
    if all(candidate.environment in met for candidate in short):
        return Remaining.EVERYTHING_MET
    return Remaining.SOMETHING


def choose[Id: Hashable](
    candidates: Iterable[Candidate[Id]],
    met: Collection[Id],
    target: int,
    pick: Callable[[list[Id]], Id],
) -> Id | None:
    """The environment to play next, or None when there is none left for this person.

    Never one of those `met` in any version, nor one that has its `target` of people. Of the others, one with
    the fewest people; of these, one that the fewest met at this position, so that no environment is mostly
    met by people who are tired or practised; `pick` (for instance `random.SystemRandom().choice`) decides
    among equals.

    Raises RuleError `target_not_positive`.
    """
    if target <= 0:
        raise RuleError("target_not_positive", "The target of people per environment must be at least 1.")
    eligible = [
        candidate
        for candidate in candidates
        if candidate.environment not in met and candidate.people < target
    ]
    if not eligible:
        return None
    best = min((candidate.people, candidate.at_position) for candidate in eligible)
    return pick([one.environment for one in eligible if (one.people, one.at_position) == best])
