"""The effort rules about a session as a whole."""

from collections.abc import Mapping, Sequence

from playtest.rules.attempt import Outcome
from playtest.rules.effort.evidence import AttemptEvidence, Finding, Norms, Rule, Strength
from playtest.rules.effort.thresholds import Thresholds
from playtest.rules.effort.words import counted, environments, percent, span


def response_time(
    attempts: Sequence[AttemptEvidence], usual: Mapping[int, Norms], limits: Thresholds
) -> Finding | None:
    """Response-time effort (Wise & Kong 2005): the share of environments with an active time of T or longer.

    Who solved an environment tried it, however fast. One that the end of the session cut short before T does
    not count either way.
    """
    rushed = [attempt for attempt in attempts if not _tried(attempt, usual, limits)]
    cut_short = [attempt for attempt in rushed if attempt.outcome == Outcome.SESSION_OVER]
    rushed = [attempt for attempt in rushed if attempt.outcome != Outcome.SESSION_OVER]
    judged = len(attempts) - len(cut_short)
    if judged < max(1, limits.response_least_environments):
        return None
    tried = judged - len(rushed)
    effort = tried / judged
    if not rushed or effort >= limits.response_review_below:
        return None
    listed = [
        {
            "attempt": attempt.attempt,
            "environment": attempt.environment,
            "active_seconds": attempt.active_seconds(limits.idle_gap_seconds),
            "least_seconds": _t(attempt, usual, limits),
        }
        for attempt in rushed
    ]
    return Finding(
        Rule.RESPONSE_TIME,
        Strength.STRONG if effort < limits.response_strong_below else Strength.REVIEW,
        None,
        {"effort": effort, "environments": judged, "tried": tried, "rushed": listed},
        f"Of {judged} environments, {tried} {'was' if tried == 1 else 'were'} tried for long enough"
        f" (response-time effort {effort:.2f}); in {environments(attempt.number for attempt in rushed)} the"
        f" active time was less than {percent(limits.response_mean_share)} of the mean there, or than"
        f" {span(limits.response_most_seconds)}.",
        tuple((attempt.attempt, 0) for attempt in rushed),
    )


def cycling(
    attempts: Sequence[AttemptEvidence], usual: Mapping[int, Norms], limits: Thresholds
) -> Finding | None:
    """Several environments were left at once: within T or a few actions, with no level completed."""
    left = [
        attempt
        for attempt in attempts
        if attempt.outcome in (Outcome.GAVE_UP, Outcome.CONCLUDED)
        and attempt.levels_completed == 0
        and (attempt.seconds <= _t(attempt, usual, limits) or len(attempt.acts) <= limits.cycling_actions)
    ]
    if len(left) < max(1, limits.cycling_environments):
        return None
    listed = [
        {
            "attempt": attempt.attempt,
            "environment": attempt.environment,
            "seconds": attempt.seconds,
            "actions": len(attempt.acts),
        }
        for attempt in left
    ]
    return Finding(
        Rule.CYCLING,
        Strength.REVIEW,
        None,
        {"environments": len(left), "of": len(attempts), "left": listed},
        f"{len(left)} of {len(attempts)} environments were left almost at once, with no level completed: "
        + ", ".join(
            f"{attempt.number} after {span(attempt.seconds)} and {counted(len(attempt.acts), 'action')}"
            for attempt in left
        )
        + ".",
        tuple((attempt.attempt, 0) for attempt in left),
    )


def _tried(attempt: AttemptEvidence, usual: Mapping[int, Norms], limits: Thresholds) -> bool:
    active = attempt.active_seconds(limits.idle_gap_seconds)
    return attempt.outcome == Outcome.COMPLETED or active >= _t(attempt, usual, limits)


def _t(attempt: AttemptEvidence, usual: Mapping[int, Norms], limits: Thresholds) -> float:
    return usual[attempt.version].response_seconds(limits)
