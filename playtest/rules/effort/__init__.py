"""Effort flags: signs that a person did not try, with the figures behind them.

Nothing here is about success: a person who tries and fails raises no flag. A flag excludes nobody; a strong
one, or two independent ones, open a review (`opens_review`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from playtest.rules.attempt import Outcome
from playtest.rules.effort import attempts as attempt_rules
from playtest.rules.effort import sessions as session_rules
from playtest.rules.effort.evidence import (
    Act,
    AttemptEvidence,
    Finding,
    Norms,
    Rule,
    Strength,
    independent,
    opens_review,
    without_pauses,
)
from playtest.rules.effort.norms import NormSample
from playtest.rules.effort.presence import Absence, Connection, absences
from playtest.rules.effort.thresholds import RULE_VERSION, Thresholds, thresholds

__all__ = [
    "RULE_VERSION",
    "Absence",
    "Act",
    "AttemptEvidence",
    "Connection",
    "Finding",
    "NormSample",
    "Norms",
    "Rule",
    "Strength",
    "Thresholds",
    "absences",
    "findings",
    "independent",
    "opens_review",
    "thresholds",
    "without_pauses",
]


def findings(
    attempts: Sequence[AttemptEvidence],
    norms: Mapping[int, Norms],
    limits: Thresholds,
    seeds: Mapping[int, int],
) -> list[Finding]:
    """The findings about a session's ended attempts: first about the session, then by attempt.

    `norms` are those of the versions met (`norms.NormSample.without` this person); without norms, what
    rests on them is not judged. `seeds` has a seed for each attempt, so that the random policy's plays are
    the same each time. Attempts that ended by a fault are passed over: what a broken environment does to
    people says nothing about them.
    """
    judged = [attempt for attempt in attempts if attempt.outcome != Outcome.FAULT]
    found = [
        session_rules.response_time(judged, norms, limits),
        session_rules.cycling(judged, norms, limits),
        session_rules.left_early(judged, limits),
    ]
    random = []
    for attempt in judged:
        norm = norms.get(attempt.version)
        found += [
            attempt_rules.no_ops(attempt, norm, limits) if norm else None,
            attempt_rules.repeats(attempt, norm, limits) if norm else None,
            attempt_rules.fast(attempt, limits),
            attempt_rules.idle(attempt, limits),
            attempt_rules.away(attempt, limits),
        ]
        random.append(attempt_rules.random(attempt, limits, np.random.default_rng(seeds[attempt.attempt])))
    found += _strong_together([finding for finding in random if finding], len(judged), limits)
    return [finding for finding in found if finding is not None]


def _strong_together(random: Sequence[Finding], environments: int, limits: Thresholds) -> list[Finding]:
    """Makes findings of random play strong if they cover most environments."""
    several = len(random) >= max(1, limits.random_strong_environments)
    if several and len(random) > limits.random_strong_share * environments:
        return [replace(finding, strength=Strength.STRONG) for finding in random]
    return list(random)
