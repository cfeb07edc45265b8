"""The effort rules about a session as a whole."""

from collections.abc import Mapping, Sequence
from typing import Any

from playtest.rules.attempt import CUT_SHORT, Outcome
from playtest.rules.effort.evidence import AttemptEvidence, Finding, Norms, Rule, Strength
from playtest.rules.effort.thresholds import Thresholds
from playtest.rules.text import counted, environments, percent, span


def response_time(
    attempts: Sequence[AttemptEvidence], norms: Mapping[int, Norms], limits: Thresholds
) -> Finding | None:
    """Response-time effort (Wise & Kong 2005): the share of environments with an active time of T or longer.

    Who solved an environment tried it, however fast. One that the end of the session or staff cut short
    before T does not count either way, nor does one without norms.
    """
    attempts = [attempt for attempt in attempts if attempt.version in norms]
    rushed = [attempt for attempt in attempts if not _tried(attempt, norms, limits)]
    cut_short = [attempt for attempt in rushed if attempt.outcome in CUT_SHORT]
    rushed = [attempt for attempt in rushed if attempt.outcome not in CUT_SHORT]
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
            "least_seconds": _t(attempt, norms, limits),
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
    attempts: Sequence[AttemptEvidence], norms: Mapping[int, Norms], limits: Thresholds
) -> Finding | None:
    """Finds several environments left within T or a few actions, with no level completed."""
    left = [
        attempt
        for attempt in attempts
        if attempt.outcome in (Outcome.GAVE_UP, Outcome.CONCLUDED)
        and attempt.levels_completed == 0
        and (attempt.seconds <= _t(attempt, norms, limits) or len(attempt.acts) <= limits.cycling_actions)
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


def left_early(
    attempts: Sequence[AttemptEvidence], norms: Mapping[int, Norms], limits: Thresholds
) -> Finding | None:
    """Finds that most environments were given up on one of their first levels.

    Early is with few actions on the level that was left, and either in little active time or with fewer
    actions than most others needed to complete it. One that the end of the session or staff cut short counts
    neither way.
    """
    judged = [attempt for attempt in attempts if attempt.outcome not in CUT_SHORT]
    left = [attempt for attempt in judged if _left_early(attempt, norms, limits)]
    if len(judged) < max(1, limits.early_least_environments) or not left:
        return None
    if len(left) < limits.early_share * len(judged):
        return None
    after_levels = [attempt for attempt in left if attempt.levels_completed]
    tutorial = 2 * len(after_levels) >= len(left)
    slowly = any(not _in_little_time(attempt, limits) for attempt in left)
    how = "soon after the first levels" if tutorial else "early"
    otherwise = ", or fewer actions there than most others needed" if slowly else ""
    return Finding(
        Rule.TUTORIAL_ONLY if tutorial else Rule.LEFT_EARLY,
        Strength.STRONG,
        None,
        {
            "environments": len(left),
            "of": len(judged),
            "left": [_figures_of_leaving(attempt, norms, limits) for attempt in left],
        },
        f"{len(left)} of {len(judged)} environments were given up {how}, each with at most"
        f" {limits.early_actions} actions and {span(limits.early_seconds)} on the level that was"
        f" left{otherwise}: {', '.join(_leaving(attempt, norms, limits) for attempt in left)}.",
        tuple((attempt.attempt, attempt.acts[-1].seq if attempt.acts else 0) for attempt in left),
    )


def _left_early(attempt: AttemptEvidence, norms: Mapping[int, Norms], limits: Thresholds) -> bool:
    actions, needed = len(attempt.on_the_last_level), _others_needed(attempt, norms)
    return (
        attempt.outcome == Outcome.GAVE_UP
        and attempt.levels_completed <= limits.early_levels
        and actions <= limits.early_actions
        and (_in_little_time(attempt, limits) or (needed is not None and actions < needed))
    )


def _in_little_time(attempt: AttemptEvidence, limits: Thresholds) -> bool:
    return attempt.active_seconds_on_the_last_level(limits.idle_gap_seconds) <= limits.early_seconds


def _others_needed(attempt: AttemptEvidence, norms: Mapping[int, Norms]) -> int | None:
    """How many actions most others needed for the level that was left; None if nobody completed it."""
    norm = norms.get(attempt.version)
    return norm.actions_to_complete.get(attempt.levels_completed + 1) if norm else None


def _figures_of_leaving(
    attempt: AttemptEvidence, norms: Mapping[int, Norms], limits: Thresholds
) -> dict[str, Any]:
    return {
        "attempt": attempt.attempt,
        "environment": attempt.environment,
        "levels_completed": attempt.levels_completed,
        "actions": len(attempt.on_the_last_level),
        "others_needed": _others_needed(attempt, norms),
        "seconds": attempt.active_seconds_on_the_last_level(limits.idle_gap_seconds),
    }


def _leaving(attempt: AttemptEvidence, norms: Mapping[int, Norms], limits: Thresholds) -> str:
    sentence = (
        f"{attempt.number} on level {attempt.levels_completed + 1} after"
        f" {counted(len(attempt.on_the_last_level), 'action')} there"
    )
    if _in_little_time(attempt, limits):
        return sentence
    return f"{sentence} (half of those who completed it needed {_others_needed(attempt, norms)} or more)"


def _tried(attempt: AttemptEvidence, norms: Mapping[int, Norms], limits: Thresholds) -> bool:
    active = attempt.active_seconds(limits.idle_gap_seconds)
    return attempt.outcome == Outcome.COMPLETED or active >= _t(attempt, norms, limits)


def _t(attempt: AttemptEvidence, norms: Mapping[int, Norms], limits: Thresholds) -> float:
    """The threshold T; 0 without norms."""
    norm = norms.get(attempt.version)
    return norm.response_seconds(limits) if norm else 0.0
