"""Effort flags: what in a session suggests that the person was not trying, with the figures that say so.

Nothing here is about success: whoever tries and fails raises no flag. A flag excludes nobody; two independent
ones ask a person to look (`independent`).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from playtest.rules.attempt import Outcome
from playtest.rules.effort import attempts as one
from playtest.rules.effort import sessions as whole
from playtest.rules.effort.evidence import (
    Act,
    AttemptEvidence,
    Finding,
    Norms,
    Rule,
    Strength,
    independent,
    norms,
)
from playtest.rules.effort.presence import Absence, Connection, absences
from playtest.rules.effort.thresholds import RULE_VERSION, Thresholds, thresholds

__all__ = [
    "RULE_VERSION",
    "Absence",
    "Act",
    "AttemptEvidence",
    "Connection",
    "Finding",
    "Norms",
    "Rule",
    "Strength",
    "Thresholds",
    "absences",
    "findings",
    "independent",
    "norms",
    "thresholds",
]


def findings(
    attempts: Sequence[AttemptEvidence],
    usual: Mapping[int, Norms],
    limits: Thresholds,
    seeds: Mapping[int, int],
) -> list[Finding]:
    """Everything the rules find in a session's ended attempts: first about the session, then about each.

    `usual` has the norms of every version met; `seeds` a seed for each attempt, so
    that the random policy's plays are the same each time. Attempts that ended by a fault are passed over:
    what a broken environment does to people says nothing about them.
    """
    judged = [attempt for attempt in attempts if attempt.outcome != Outcome.FAULT]
    found = [whole.response_time(judged, usual, limits), whole.cycling(judged, usual, limits)]
    for attempt in judged:
        norm = usual[attempt.version]
        found += [
            one.no_ops(attempt, norm, limits),
            one.repeats(attempt, norm, limits),
            one.fast(attempt, limits),
            one.idle(attempt, limits),
            one.random(attempt, limits, np.random.default_rng(seeds[attempt.attempt])),
            one.away(attempt, limits),
        ]
    return [finding for finding in found if finding is not None]
