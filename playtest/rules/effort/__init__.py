"""Effort flags: signs that a person did not try, with the figures behind them.

Nothing here is about success: a person who tries and fails raises no flag. A flag excludes nobody; a strong
one, or two independent ones, open a review (`opens_review`).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from playtest.rules.attempt import Outcome
from playtest.rules.effort import attempts as attempt_rules
from playtest.rules.effort import sessions as session_rules
from playtest.rules.effort.evidence import AttemptEvidence, Finding, Norms, Rule, Strength, evidence_of
from playtest.rules.effort.thresholds import Thresholds

NOTHING_KNOWN: Mapping[int, Mapping[int, int]] = MappingProxyType({})


def findings(
    attempts: Sequence[AttemptEvidence],
    norms: Mapping[int, Norms],
    limits: Thresholds,
    seeds: Mapping[int, int],
    fewest: Mapping[int, Mapping[int, int]] = NOTHING_KNOWN,
) -> list[Finding]:
    """The findings about a session's ended attempts: first about the session, then by attempt.

    `norms` are those of the versions met (`norms.NormSample.without` this person); without norms, what
    rests on them is not judged. `seeds` has a seed for each attempt, so that the random policy's plays are
    the same each time. `fewest` has, by version and level, the fewest actions that are known to win it.
    Attempts that ended by a fault are passed over: what a broken environment does to people says nothing
    about them.
    """
    judged = [attempt for attempt in attempts if attempt.outcome != Outcome.FAULT]
    found = [
        session_rules.response_time(judged, norms, limits),
        session_rules.cycling(judged, norms, limits),
        session_rules.left_early(judged, norms, limits),
        session_rules.by_the_clock(judged, limits),
        session_rules.solution_known(judged, norms, fewest, limits),
        *(attempt_rules.away(attempt, limits) for attempt in judged),
    ]
    light: defaultdict[Rule, list[Finding]] = defaultdict(list)
    for attempt in judged:
        norm = norms.get(attempt.version)
        of_attempt = [
            attempt_rules.no_ops(attempt, norm, limits) if norm else None,
            attempt_rules.repeats(attempt, norm, limits) if norm else None,
            attempt_rules.fast(attempt, limits),
            attempt_rules.idle(attempt, limits),
            attempt_rules.random(attempt, limits, np.random.default_rng(seeds[attempt.attempt])),
            attempt_rules.pattern(attempt, limits),
        ]
        # Who completes an environment or gets beyond its first levels tries, whatever the light flags say:
        # in a hurry, or where a level resists, actions in vain are how they learn. So they are notes.
        tries = attempt.outcome == Outcome.COMPLETED or attempt.levels_completed > limits.early_levels
        for finding in filter(None, of_attempt):
            if tries:
                found.append(replace(finding, strength=Strength.NOTE))
            elif (finding.rule, finding.strength) == (Rule.IDLE, Strength.NOTE):
                found.append(finding)
            else:
                light[evidence_of(finding.rule)].append(finding)
    for of_evidence in light.values():
        found += _strong_together(of_evidence, len(judged), limits)
    return [finding for finding in found if finding is not None]


def _strong_together(found: Sequence[Finding], environments: int, limits: Thresholds) -> Sequence[Finding]:
    """Makes one kind of evidence about attempts strong if it covers most environments."""
    covered = len({finding.attempt for finding in found})
    several = covered >= max(1, limits.random_strong_environments)
    if several and covered > limits.random_strong_share * environments:
        return [replace(finding, strength=Strength.STRONG) for finding in found]
    return found
