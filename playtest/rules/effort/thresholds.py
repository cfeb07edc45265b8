"""The thresholds of the effort rules and their default values; a study may change any."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from playtest.rules.document import added
from playtest.rules.errors import RuleError

RULE_VERSION = "6"
"""Names the rule set in every flag and decision; raise it whenever a rule finds something else.

What each version found:
6: a fixed order that another one follows now and then; leaving most environments within two minutes, however
many actions; light flags where somebody got beyond the first levels are notes.
5: a fixed order, or two choices alone; most environments given up after the same minutes; levels won at once
with the fewest actions; and any light flag about attempts in most environments is strong.
4: norms come from people who completed something; leaving early is also leaving with fewer actions than
others needed, however slowly; random play is also found after a first level and with a favourite; idling in
most environments is strong.
3: nearly everything left early, with no level completed or after the first ones, is a strong flag, and so is
random play in most environments; what is usual comes from other people alone, without those whom reviewers
excluded.
2: time without a connection is neither idle nor active. 1: it was both.
"""

FIRST_LEVELS = 2
"""The first levels of an environment teach its controls; nearly everybody completes them."""


def _share(default: float) -> Any:
    return field(default=default, metadata={"most": 1})


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Shares are 0..1. A figure must be beyond a threshold to raise a flag; at it, it does not.

    Only "least", the counts of environments, actions, tasks, submissions and returns, and the share and
    seconds of leaving early, are reached when they are equalled.
    """

    response_most_seconds: float = 60.0
    """T is no longer than this,"""
    response_mean_share: float = _share(0.10)
    """nor than this share of the environment's mean active time."""
    response_review_below: float = _share(0.90)
    response_strong_below: float = _share(0.50)
    response_least_environments: int = 2
    """One environment says nothing about a session."""
    cycling_environments: int = 2
    cycling_actions: int = 10
    early_least_environments: int = 3
    early_share: float = _share(0.65)
    """Of the environments, so many left early are most of them: about two of three."""
    early_actions: int = 40
    """Left early: given up with no more actions on the last level than this,"""
    early_seconds: float = 75.0
    """no more active seconds there, or fewer actions than most others needed to complete it,"""
    early_levels: int = FIRST_LEVELS
    """and no more levels completed: the first ones teach."""
    early_attempt_seconds: float = added(120.0)
    """Or so left in no more time altogether, whatever was pressed: who tries looks at a board for longer."""
    norm_least_people: int = 2
    """Fewer other people than this make nothing usual."""
    no_op_share: float = _share(0.60)
    no_op_deviations: float = 3.0
    """Median absolute deviations above the median of the level."""
    no_op_least_actions: int = 20
    run_percentile: float = field(default=99.0, metadata={"most": 100})
    run_least_actions: int = 10
    run_no_op_share: float = _share(0.50)
    fast_milliseconds: float = 100.0
    fast_share: float = _share(0.10)
    fast_least_actions: int = 30
    unseen_milliseconds: float = added(150.0)
    """Nobody has taken in another screen sooner than this: so many actions are told with fast ones."""
    idle_gap_seconds: float = 60.0
    idle_share: float = _share(0.50)
    random_least_actions: int = 60
    random_significance: float = _share(0.05)
    random_strong_environments: int = 2
    random_strong_share: float = _share(0.50)
    """A light flag is strong in so many environments, when they are more than this share."""
    random_resets: int = added(5)
    """So many resets of one's own make random choices in one environment a note."""
    idle_actions_a_minute: float = added(5.0)
    """Fewer actions than this are hardly any; with more, long pauses are a note."""
    idle_least_seconds: float = added(180.0)
    """Hardly any actions are idling by themselves in a longer attempt than this."""
    pattern_least_actions: int = added(40)
    """Also the length of the stretches, each of which may repeat something else."""
    pattern_share: float = added(0.70, most=1)
    """Of the actions, so many equal the one a period before;"""
    pattern_two_share: float = added(0.90, most=1)
    """or so many are two of three or more choices."""
    clock_least_environments: int = added(4)
    clock_share: float = added(0.75, most=1)
    """Of the environments, so many given up after the same time are nearly all,"""
    clock_spread: float = added(0.50)
    """the same being at most this share longer than the shortest,"""
    clock_beside_actions: float = added(0.73)
    """which differ less than so many times as the numbers of actions do (deviations of logarithms),"""
    clock_most_seconds: float = added(300.0)
    """and soon: whoever gives each environment ten minutes tries."""
    known_least_levels: int = added(8)
    known_least_actions: int = added(8)
    """Shorter levels are won at once by chance."""
    known_excess: float = added(0.05)
    known_share: float = added(0.35, most=1)
    """Of the levels, so many won at once are more than insight explains;"""
    known_others_share: float = added(0.50, most=1)
    """those that this share of the others wins at once are left out."""
    away_share: float = _share(0.10)
    cut_off_seconds: float = added(120.0)
    cut_off_times: int = added(3)
    unedited_tasks: int = added(2)
    """So many static tasks viewed without an edit are a sign: one alone may have been too hard to begin."""
    repeated_submissions: int = added(1)
    empty_submissions: int = added(1)
    idle_returns: int = added(3)
    """So many returns to tasks, with nothing edited then, are a sign: to look again once is to check."""

    def __post_init__(self) -> None:
        """Raises RuleError effort_threshold_invalid, effort_thresholds_crossed."""
        for each in fields(self):
            _check(each.name, getattr(self, each.name), each.type, each.metadata.get("most", math.inf))
        if self.response_strong_below > self.response_review_below:
            raise RuleError(
                "effort_thresholds_crossed",
                "response_strong_below must not be above response_review_below: strong cases are reviewed.",
            )


def thresholds(changes: object) -> Thresholds:
    """The default thresholds with a study's changes, given as values by name.

    Raises RuleError effort_thresholds_malformed, effort_threshold_unknown, effort_threshold_invalid,
    effort_thresholds_crossed.
    """
    if not isinstance(changes, Mapping):
        raise RuleError(
            "effort_thresholds_malformed",
            'Write thresholds as names with values, such as {"no_op_share": 0.7}.',
        )
    known = {each.name for each in fields(Thresholds)}
    if unknown := sorted(set(changes) - known):
        raise RuleError(
            "effort_threshold_unknown",
            f"There is no effort threshold {unknown[0]!r}. Known are: {', '.join(sorted(known))}.",
        )
    return Thresholds(**changes)


def _check(name: str, value: Any, kind: Any, most: float) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not is_number or not 0 <= value <= most or (kind is int and not isinstance(value, int)):
        noun = "a whole number" if kind is int else "a number"
        limit = f" from 0 to {most}" if most < math.inf else " that is not negative"
        raise RuleError("effort_threshold_invalid", f"{name} must be {noun}{limit}.")
