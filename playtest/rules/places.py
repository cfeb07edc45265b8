"""How many further sessions a study has something to play for: its places.

An environment has an open place for each person that it still needs. A session plays several different
environments, so open places become sessions only if they are spread over enough environments.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from heapq import nlargest
from statistics import median_high

from playtest.rules.errors import RuleError

USUAL_ENVIRONMENTS = 9
"""Environments of one session, before a study has a figure of its own (report 5.1: about nine)."""
LEAST_SESSIONS = 5
"""Finished sessions from which on a study's own figure is used."""


def environments_per_session(finished: Sequence[int], pool: int) -> int:
    """How many environments a session is expected to play: at least 1, at most the pool.

    `finished` has the number that each finished session played. The upper median is used, because an
    estimate that is too high promises too few sessions, and one that is too low promises too many.
    """
    usual = median_high(finished) if len(finished) >= LEAST_SESSIONS else USUAL_ENVIRONMENTS
    return max(1, min(usual, pool))


def sessions_needed(open_places: Collection[int], environments: int) -> int:
    """How many sessions fill every open place, if each plays up to so many different environments.

    Each of them finds at least one environment when the next is always one with the most open places, as
    `rules.assignment.choose` does. Raises RuleError `places_invalid`.
    """
    _check(open_places, environments)
    return max(max(open_places, default=0), -(-sum(open_places) // environments))


def full_sessions(open_places: Collection[int], environments: int) -> int:
    """How many sessions can each play so many different environments: at most `sessions_needed`.

    `sessions` are possible exactly if the sum of min(open, sessions) over the environments is at least
    sessions * environments. Raises RuleError `places_invalid`.
    """
    _check(open_places, environments)
    possible, impossible = 0, sum(open_places) // environments + 1
    while impossible - possible > 1:
        sessions = (possible + impossible) // 2
        if sum(min(places, sessions) for places in open_places) >= sessions * environments:
            possible = sessions
        else:
            impossible = sessions
    return possible


def left_by[Id: Hashable](
    under_way: Iterable[tuple[Collection[Id], int]], open_places: Mapping[Id, int]
) -> dict[Id, int]:
    """The open places after sessions under way have played on.

    Of each session under way: what the person has met, and how many environments it is expected to play yet.
    """
    left = {environment: places for environment, places in open_places.items() if places > 0}
    for met, environments in under_way:
        unmet = (environment for environment, places in left.items() if places and environment not in met)
        for environment in nlargest(environments, unmet, key=left.__getitem__):
            left[environment] -= 1
    return left


def _check(open_places: Collection[int], environments: int) -> None:
    if environments < 1 or min(open_places, default=0) < 0:
        raise RuleError("places_invalid", "Open places cannot be below zero, nor environments below one.")
