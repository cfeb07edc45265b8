"""The effort rules about a session as a whole."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from statistics import pstdev
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
        _named(attempt)
        | {
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


def _named(attempt: AttemptEvidence) -> dict[str, Any]:
    return {"attempt": attempt.attempt, "environment": attempt.environment}


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
    listed = [_named(one) | {"seconds": one.seconds, "actions": len(one.acts)} for one in left]
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
    actions than most others needed to complete it; or so soon that the number of actions only tells how fast
    they were made. One that the end of the session or staff cut short counts neither way.
    """
    judged = [attempt for attempt in attempts if attempt.outcome not in CUT_SHORT]
    left = [attempt for attempt in judged if _left_early(attempt, norms, limits)]
    if len(judged) < max(1, limits.early_least_environments) or not left:
        return None
    if len(left) < limits.early_share * len(judged):
        return None
    after_levels = [attempt for attempt in left if attempt.levels_completed]
    tutorial = 2 * len(after_levels) >= len(left)
    other = [attempt for attempt in left if not _in_little_time(attempt, limits)]
    how = "soon after the first levels" if tutorial else "early"
    otherwise = ""
    if any(not _soon(attempt, limits) for attempt in other):
        otherwise = ", or fewer actions there than most others needed"
    if any(_soon(attempt, limits) for attempt in other):
        otherwise += f", or in at most {span(limits.early_attempt_seconds)} altogether"
    return Finding(
        Rule.TUTORIAL_ONLY if tutorial else Rule.LEFT_EARLY,
        Strength.STRONG,
        None,
        {
            "environments": len(left),
            "of": len(judged),
            "left": [
                _named(one)
                | {
                    "levels_completed": one.levels_completed,
                    "actions": len(one.on_the_last_level),
                    "others_needed": _others_needed(one, norms),
                    "seconds": one.active_seconds_on_the_last_level(limits.idle_gap_seconds),
                    "attempt_seconds": one.connected_seconds,
                }
                for one in left
            ],
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
        and (
            _soon(attempt, limits)
            or _in_little_time(attempt, limits)
            or (actions <= limits.early_actions and needed is not None and actions < needed)
        )
    )


def _soon(attempt: AttemptEvidence, limits: Thresholds) -> bool:
    return attempt.connected_seconds <= limits.early_attempt_seconds


def _in_little_time(attempt: AttemptEvidence, limits: Thresholds) -> bool:
    seconds = attempt.active_seconds_on_the_last_level(limits.idle_gap_seconds)
    return len(attempt.on_the_last_level) <= limits.early_actions and seconds <= limits.early_seconds


def _others_needed(attempt: AttemptEvidence, norms: Mapping[int, Norms]) -> int | None:
    """How many actions most others needed for the level that was left; None if nobody completed it."""
    norm = norms.get(attempt.version)
    return norm.actions_to_complete.get(attempt.levels_completed + 1) if norm else None


def _leaving(attempt: AttemptEvidence, norms: Mapping[int, Norms], limits: Thresholds) -> str:
    sentence = (
        f"{attempt.number} on level {attempt.levels_completed + 1} after"
        f" {counted(len(attempt.on_the_last_level), 'action')} there"
    )
    if _in_little_time(attempt, limits):
        return sentence
    if _soon(attempt, limits):
        return f"{sentence} ({span(attempt.connected_seconds)} altogether)"
    return f"{sentence} (half of those who completed it needed {_others_needed(attempt, norms)} or more)"


def by_the_clock(attempts: Sequence[AttemptEvidence], limits: Thresholds) -> Finding | None:
    """Finds that nearly all environments were given up after the same few minutes, solved or not.

    Whoever tries gives up when nothing helps any more, which is sooner here and later there, and after as
    much work as it took. By the clock, the times are alike and the numbers of actions are not. At one pace
    everywhere both are alike: such people are passed over, since honest beginners give up like that, too.
    """
    judged = [attempt for attempt in attempts if attempt.outcome not in CUT_SHORT]
    soon = [
        attempt
        for attempt in judged
        if attempt.outcome == Outcome.GAVE_UP and attempt.seconds <= limits.clock_most_seconds
    ]
    alike = max(
        (
            [one for one in soon if 0 <= one.seconds - first.seconds <= limits.clock_spread * first.seconds]
            for first in soon
        ),
        key=len,
        default=[],
    )
    if len(alike) < max(2, limits.clock_least_environments) or len(alike) < limits.clock_share * len(judged):
        return None
    seconds = sorted(attempt.seconds for attempt in alike)
    actions = sorted(len(attempt.acts) for attempt in alike)
    if _deviation(seconds) > limits.clock_beside_actions * _deviation(actions):
        return None
    return Finding(
        Rule.BY_THE_CLOCK,
        Strength.STRONG,
        None,
        {
            "environments": len(alike), "of": len(judged), "shortest": seconds[0], "longest": seconds[-1],
            "fewest_actions": actions[0], "most_actions": actions[-1],
            "attempts": [attempt.attempt for attempt in alike],
        },
        f"{len(alike)} of {len(judged)} environments were given up after about the same time,"
        f" {span(seconds[0])} to {span(seconds[-1])}: {environments(attempt.number for attempt in alike)},"
        f" with {actions[0]:,} to {counted(actions[-1], 'action')}.",
        tuple((attempt.attempt, attempt.acts[-1].seq if attempt.acts else 0) for attempt in alike),
    )  # fmt: skip


def _deviation(values: Sequence[float]) -> float:
    """The standard deviation of the natural logarithms; of what is less than 1 as of 1."""
    return pstdev(log(max(1.0, each)) for each in values)


def solution_known(
    attempts: Sequence[AttemptEvidence],
    norms: Mapping[int, Norms],
    fewest: Mapping[int, Mapping[int, int]],
    limits: Thresholds,
) -> Finding | None:
    """Finds that many levels were won as if their solution was known: at once, with the fewest actions.

    That is without a reset or undo, and with hardly more actions than the fewest that are known or that
    others needed. Levels that are short, that half of the others win at once, or of which no fewest number
    is known, are left out.
    """
    levels, others_at_once, at_once = 0, 0.0, list[int]()
    for attempt in attempts:
        norm, known = norms.get(attempt.version), fewest.get(attempt.version, {})
        for level, actions in attempt.actions_to_complete().items():
            if norm is None or known.get(level, 0) < max(1, limits.known_least_actions):
                continue
            others = norm.straight_actions.get(level, ())
            most = (1 + limits.known_excess) * min([known[level], *(one for one in others if one)])
            share = sum(0 < one <= most for one in others) / max(1, len(others))
            if share >= limits.known_others_share:
                continue
            levels, others_at_once = levels + 1, others_at_once + share
            if attempt.is_straight(level) and actions <= most:
                at_once.append(attempt.attempt)
    share = len(at_once) / max(1, levels)
    if levels < max(1, limits.known_least_levels) or share <= limits.known_share:
        return None
    return Finding(
        Rule.SOLUTION_KNOWN,
        Strength.STRONG,
        None,
        {"levels": len(at_once), "of": levels, "share": share, "others": others_at_once / levels},
        f"{len(at_once)} of {levels} levels were completed at once, without a reset or undo and with at most"
        f" {percent(limits.known_excess)} more actions than the fewest known; others did so at"
        f" {percent(others_at_once / levels)}. The solutions may have been known before.",
        tuple((attempt, 0) for attempt, _ in Counter(at_once).most_common(5)),
    )


def _tried(attempt: AttemptEvidence, norms: Mapping[int, Norms], limits: Thresholds) -> bool:
    active = attempt.active_seconds(limits.idle_gap_seconds)
    return attempt.outcome == Outcome.COMPLETED or active >= _t(attempt, norms, limits)


def _t(attempt: AttemptEvidence, norms: Mapping[int, Norms], limits: Thresholds) -> float:
    """The threshold T; 0 without norms."""
    norm = norms.get(attempt.version)
    return norm.response_seconds(limits) if norm else 0.0
