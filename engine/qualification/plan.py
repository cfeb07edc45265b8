"""What a qualification consists of, and what is said about it (report 3.5.1, environment qualification).

A qualification is a plan of parts, each of a fixed size with a seed of its own, so that it comes to the same
however the parts are divided over processes. `random_checks` plays a part, `engine.workers.qualification`
does so confined.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from typing import Any

from engine.actions import Action
from engine.qualification.remedies import mend

RULES = 2
"""Of what a qualification asks: 1 passed without recordings and without a look at frames per second."""
FULL_STEPS = 1_000_000
FROM_THE_START_STEPS = 50_000
TRACE_STEPS = 2_000
PART_STEPS = 50_000
FEWEST_LEVELS = 6
SLOW_SECONDS = 0.25
"""Longer than that a person notices; official environments take up to 0.13 s for one action."""
FRAMES_A_SECOND = 1_000
"""What each level draws at least, in seconds of computing."""
LARGEST_SEED = 2**31 - 1

STRUCTURE, DETERMINISM, RECORDINGS = "structure", "determinism", "recordings"
FROM_THE_START, BEYOND_THE_FIRST, FUZZ = "from_the_start", "beyond_the_first", "fuzz"
LOAD, METADATA, LEVELS, SPEED = "load", "metadata", "levels", "speed"

CHECKS = (LOAD, METADATA, LEVELS, DETERMINISM, RECORDINGS, FROM_THE_START, BEYOND_THE_FIRST, FUZZ, SPEED)


@dataclass(frozen=True, slots=True)
class Part:
    """A share of one regime: `steps` random steps from `seed`."""

    regime: str
    number: int
    seed: int
    steps: int


@dataclass(frozen=True, slots=True)
class Tape:
    """Actions that show something when played from `seed` and the start of `level`.

    `hashes`: the state hash after the opening and after each action, as far as there was one. `as_arcengine`:
    they are played as arcengine plays them (`Game.start`).
    """

    seed: int
    level: int
    actions: tuple[Action, ...]
    hashes: tuple[bytes, ...] = ()
    as_arcengine: bool = False

    def as_json(self) -> dict[str, Any]:
        """The fields of a stored recording."""
        return {
            "seed": self.seed,
            "level": self.level,
            "actions": [[action.id, action.x, action.y] for action in self.actions],
            "state_hashes": [named.hex() for named in self.hashes],
            "as_arcengine": self.as_arcengine,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a check found, `count` times. A note is worth knowing but fails nothing."""

    check: str
    code: str
    message: str
    level: int | None = None
    note: bool = False
    count: int = 1
    recording: dict[str, Any] | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Finding:
        """The finding that `as_json` described."""
        return cls(**stored)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def plan(seed: int, steps: int = FULL_STEPS) -> list[Part]:
    """The parts of a qualification in which no regime plays more than `steps` random steps.

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
    """Whether a qualification of so many steps is the whole of it."""
    return steps == FULL_STEPS


def derived_seed(seed: int, name: str, number: int) -> int:
    """A seed of its own for something that is done within a seeded whole: 0 to LARGEST_SEED."""
    digest = blake2b(f"{seed}/{name}/{number}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "little") & LARGEST_SEED


def shares(steps: int, levels: Iterable[int]) -> list[tuple[int, int]]:
    """(level, steps) for each level: as equal as whole numbers allow, the earlier levels having the rest."""
    wanted = list(levels)
    each, rest = divmod(steps, len(wanted)) if wanted else (0, 0)
    return [(level, each + (index < rest)) for index, level in enumerate(wanted)]


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each check, code and level, the first, with the count of all; recordings apart."""
    found: dict[tuple[str, str, int | None, str], Finding] = {}
    for finding in findings:
        own = finding.message if finding.check == RECORDINGS else ""
        key = finding.check, finding.code, finding.level, own
        first = found.get(key)
        found[key] = finding if first is None else replace(first, count=first.count + finding.count)
    return list(found.values())


def report(
    seed: int, steps: int, findings: Iterable[Finding], unfinished: Collection[str] = ()
) -> dict[str, Any]:
    """What is said about a qualification, as plain data; `unfinished` are regimes that were not played out.

    {"passed", "rules", "full", "seed", "steps", "checks": [{"check", "code", "passed", "note", "message",
    "mend", "level", "count", "recording"}], "unfinished": [check]}; a check that found nothing wrong has one
    entry whose code is its name, one that was not finished only what it had found.
    """
    found = merged(findings)
    loads = not any(finding.check == LOAD and not finding.note for finding in found)
    open_checks = _checks_of(unfinished) if loads else []
    entries = []
    for check in CHECKS if loads else (LOAD,):
        own = [finding for finding in found if finding.check == check]
        well = all(finding.note for finding in own)
        if well and check not in open_checks:
            entries.append(_passed(check, steps))
        entries.extend(map(_entry, own))
    return {
        "passed": all(entry["passed"] for entry in entries) and not open_checks,
        "rules": RULES,
        "full": is_full(steps),
        "seed": seed,
        "steps": steps,
        "checks": entries,
        "unfinished": open_checks,
    }


def _checks_of(regimes: Collection[str]) -> list[str]:
    """Every check that one of these regimes has a say in."""
    if STRUCTURE in regimes:
        return list(CHECKS)
    return [check for check in CHECKS if check in regimes or (regimes and check == SPEED)]


def _entry(finding: Finding) -> dict[str, Any]:
    message = finding.message if finding.message.endswith((".", "!", "?")) else f"{finding.message}."
    times = f" It happened {finding.count:,} times." if finding.count > 1 else ""
    return {
        "check": finding.check,
        "code": finding.code,
        "passed": finding.note,
        "note": finding.note,
        "message": message + times,
        "mend": mend(finding.code),
        "level": finding.level,
        "count": finding.count,
        "recording": finding.recording,
    }


def _passed(check: str, steps: int) -> dict[str, Any]:
    from_the_start, trace = min(steps, FROM_THE_START_STEPS), min(steps, TRACE_STEPS)
    drawn = f", and every level draws at least {FRAMES_A_SECOND:,} frames a second" if is_full(steps) else ""
    message = {
        LOAD: "It loads and starts.",
        METADATA: "Its metadata is complete.",
        LEVELS: f"It has at least {FEWEST_LEVELS} levels, and each can be started and played.",
        DETERMINISM: f"{trace:,} random steps come out alike in every process and with another hash seed.",
        RECORDINGS: "Every recording replays exactly.",
        FROM_THE_START: f"{from_the_start:,} random steps from the start won no level beyond the first.",
        BEYOND_THE_FIRST: f"{steps:,} random steps from the starts of all levels beyond the first won none.",
        FUZZ: f"{steps:,} random steps over all levels found no crash, bad frame or inconsistent state.",
        SPEED: f"No action took longer than {SLOW_SECONDS:g} s{drawn}.",
    }[check]
    return _entry(Finding(check, check, message, note=True)) | {"note": False, "mend": ""}


def _divided(steps: int) -> list[int]:
    whole, rest = divmod(steps, PART_STEPS)
    return [PART_STEPS] * whole + ([rest] if rest else [])
