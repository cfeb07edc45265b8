"""Attempts as the effort rules see them, written by hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from playtest.rules.attempt import Outcome
from playtest.rules.effort.evidence import Act, AttemptEvidence

DIRECTIONS = 0b11111
"""Reset and the four directions."""


def acts(
    actions: Sequence[int],
    *,
    apart: float = 2.0,
    changed: bool = True,
    held: bool = False,
    level: int = 1,
    offered: int = DIRECTIONS,
) -> tuple[Act, ...]:
    """These actions, `apart` seconds between them, the first one after the first frame."""
    return tuple(
        Act(seq, action, None, level, changed, seq * apart, seq * apart, held, offered)
        for seq, action in enumerate(actions, start=1)
    )


def attempt(made: Sequence[Act] = (), **facts: Any) -> AttemptEvidence:
    """An attempt with these actions that was given up a moment after the last of them."""
    last = made[-1].at if made else 0.0
    return AttemptEvidence(
        **{
            "attempt": 1,
            "number": facts.get("attempt", 1),
            "version": 7,
            "environment": "wk01",
            "outcome": Outcome.GAVE_UP,
            "levels_completed": 0,
            "seconds": last,
            "away_seconds": 0.0,
            **facts,
        },
        acts=tuple(made),
    )


def with_a_favourite(seed: int, count: int = 120, share: float = 0.6) -> tuple[Act, ...]:
    """Action 1 for this share of the actions, and any of the four otherwise; half of all have an effect."""
    chance = np.random.default_rng(seed)
    made = [1 if chance.random() < share else int(chance.integers(1, 5)) for _ in range(count)]
    return tuple(act._replace(changed=bool(chance.random() < 0.5)) for act in acts(made))
