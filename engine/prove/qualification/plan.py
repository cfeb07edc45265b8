"""The plan of a qualification (report 3.5.1, environment qualification): its parts, their seeds and sizes.

Each part has a fixed size and a seed of its own, so the result does not depend on how parts are divided over
processes. `random_checks` and `fixed_checks` do a part, `engine.confine.workers.qualification` does so
confined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b

RULES = 2
"""The version of the checks: 1 required neither recordings nor a number of frames a second."""
FULL_STEPS = 1_000_000
FROM_THE_START_STEPS = 50_000
TRACE_STEPS = 2_000
PART_STEPS = 50_000
FEWEST_LEVELS = 6
SLOW_SECONDS = 0.25
"""People notice a longer action; official environments take up to 0.13 s for one action."""
FRAMES_A_SECOND = 1_000
"""The fewest frames that a level may draw in a second of computing."""
LARGEST_SEED = 2**31 - 1

STRUCTURE, DETERMINISM, RECORDINGS = "structure", "determinism", "recordings"
FROM_THE_START, BEYOND_THE_FIRST, FUZZ = "from_the_start", "beyond_the_first", "fuzz"
LOAD, METADATA, LEVELS, SPEED, ANIMATIONS = "load", "metadata", "levels", "speed", "animations"

CHECKS = (
    LOAD,
    METADATA,
    LEVELS,
    DETERMINISM,
    RECORDINGS,
    FROM_THE_START,
    BEYOND_THE_FIRST,
    FUZZ,
    SPEED,
    ANIMATIONS,
)


type Progress = Callable[[int], None]
"""Called after every step with the number of steps of the part that are done."""


@dataclass(frozen=True, slots=True)
class Part:
    """A share of one regime, which is a kind of test: `steps` random steps from `seed`."""

    regime: str
    number: int
    seed: int
    steps: int


def plan(seed: int, steps: int = FULL_STEPS) -> list[Part]:
    """The parts of a qualification with at most `steps` random steps in each regime.

    Raises ValueError unless 1 <= steps <= FULL_STEPS and 0 <= seed <= LARGEST_SEED.
    """
    if not 1 <= steps <= FULL_STEPS:
        raise ValueError(f"between 1 and {FULL_STEPS:,} steps can be asked for, not {steps:,}")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"a seed is a whole number from 0 to {LARGEST_SEED}")
    lengths = {
        STRUCTURE: [0],
        RECORDINGS: [0],
        DETERMINISM: [min(steps, TRACE_STEPS)],
        FROM_THE_START: [min(steps, FROM_THE_START_STEPS)],
        BEYOND_THE_FIRST: _divided(steps),
        FUZZ: _divided(steps),
    }
    return [
        Part(regime, number, derived_seed(seed, regime, number), length)
        for regime, parts in lengths.items()
        for number, length in enumerate(parts)
    ]


def is_full(steps: int) -> bool:
    """Whether a qualification of so many steps is the full one."""
    return steps == FULL_STEPS


def derived_seed(seed: int, name: str, number: int) -> int:
    """The seed of one numbered part of something that has a seed: 0 to LARGEST_SEED."""
    digest = blake2b(f"{seed}/{name}/{number}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "little") & LARGEST_SEED


def shares(steps: int, levels: Iterable[int]) -> list[tuple[int, int]]:
    """(level, steps) for each level: equal shares, the remainder to the earlier levels."""
    wanted = list(levels)
    each, rest = divmod(steps, len(wanted)) if wanted else (0, 0)
    return [(level, each + (index < rest)) for index, level in enumerate(wanted)]


def _divided(steps: int) -> list[int]:
    whole, rest = divmod(steps, PART_STEPS)
    return [PART_STEPS] * whole + ([rest] if rest else [])
