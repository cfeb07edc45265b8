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
from playtest.rules.effort.attempts import cut_off
from playtest.rules.effort.evidence import (
    Absence,
    Act,
    AttemptEvidence,
    Connection,
    Finding,
    Norms,
    Rule,
    Strength,
    absences,
    independent,
    opens_review,
    without_pauses,
)
from playtest.rules.effort.norms import NormSample, completed_something
from playtest.rules.effort.thresholds import FIRST_LEVELS, RULE_VERSION, Thresholds, thresholds

__all__ = [
    "FIRST_LEVELS",
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
    "completed_something",
    "cut_off",
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
        session_rules.left_early(judged, norms, limits),
    ]
    random: list[Finding | None] = []
    idle: list[Finding | None] = []
    for attempt in judged:
        norm = norms.get(attempt.version)
        found += [
            attempt_rules.no_ops(attempt, norm, limits) if norm else None,
            attempt_rules.repeats(attempt, norm, limits) if norm else None,
            attempt_rules.fast(attempt, limits),
            attempt_rules.away(attempt, limits),
        ]
        # Who completes an environment or gets beyond its first levels tries, however long the pauses.
        tries = attempt.outcome == Outcome.COMPLETED or attempt.levels_completed > limits.early_levels
        (found if tries else idle).append(attempt_rules.idle(attempt, limits))
        random.append(attempt_rules.random(attempt, limits, np.random.default_rng(seeds[attempt.attempt])))
    found += _strong_together(random, len(judged), limits) + _strong_together(idle, len(judged), limits)
    return [finding for finding in found if finding is not None]


def _strong_together(
    findings_of_a_rule: Sequence[Finding | None], environments: int, limits: Thresholds
) -> list[Finding]:
    """Makes one rule's findings about attempts strong if they cover most environments."""
    found = [finding for finding in findings_of_a_rule if finding]
    several = len(found) >= max(1, limits.random_strong_environments)
    if several and len(found) > limits.random_strong_share * environments:
        return [replace(finding, strength=Strength.STRONG) for finding in found]
    return found
