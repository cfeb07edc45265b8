"""How long people wait from a press to the painted frame, in milliseconds by their stations."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import NamedTuple

SLOW_MS = 100
"""A station is slow if half of its presses take longer: people notice that."""
FEWEST_PRESSES = 5
"""Of fewer presses no station is called slow."""


class Lag(NamedTuple):
    """Of so many presses: half are painted within `p50` milliseconds, 95 % within `p95`."""

    presses: int
    p50: int
    p95: int

    @property
    def slow(self) -> bool:
        return self.presses >= FEWEST_PRESSES and self.p50 > SLOW_MS


def press_to_paint(previous: Sequence[int | None], reported: Mapping[int, int]) -> list[int | None]:
    """That of each action of an attempt, by seq; None of the opening frame and where no station said.

    `previous` is each entry's `previous_paint_ms`; `reported` what the page reported by seq, because no
    action followed.
    """
    following = [*previous, None][1:]
    return [
        None if not seq else reported.get(seq) if paint is None else paint
        for seq, paint in enumerate(following)
    ]


def lag(paints: Iterable[int | None]) -> Lag | None:
    """Of the presses that are known; None without any."""
    known = sorted(paint for paint in paints if paint is not None)
    if not known:
        return None
    p50, p95 = (known[ceil(share * len(known)) - 1] for share in (0.5, 0.95))
    return Lag(len(known), p50, p95)


EARLY = timedelta(seconds=0.5)
"""Nobody has seen a level for less time and then meant a repeat of a held key for it."""

type Step = tuple[int, int, bool, bool, datetime]
"""Attempt, level, whether another level begins with it, whether a held key repeated it, and when."""


def repeats_at_start(steps: Iterable[Step]) -> set[tuple[int, int]]:
    """The (attempt, level) in which a repeat came within EARLY of the level's first frame.

    `steps` are those that begin a level, and repeats, attempt by attempt in their order.
    """
    found = set()
    begun: dict[int, datetime] = {}
    for attempt, level, begins, repeated, at in steps:
        if repeated and attempt in begun and at - begun[attempt] <= EARLY:
            found.add((attempt, level))
        if begins:
            begun[attempt] = at
    return found
