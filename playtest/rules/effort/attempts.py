"""The effort rules about one attempt."""

from collections.abc import Sequence

import numpy as np

from playtest.rules.attempt import RESET, Outcome
from playtest.rules.effort.evidence import AttemptEvidence, Finding, Norms, Rule, Strength
from playtest.rules.effort.patterns import fixed_order, two_choices
from playtest.rules.effort.randomness import Randomness, randomness
from playtest.rules.effort.thresholds import Thresholds
from playtest.rules.text import counted, percent, span


def no_ops(attempt: AttemptEvidence, norms: Norms, limits: Thresholds) -> Finding | None:
    """Finds the level with the largest share of no-ops, if that is far above the norm there."""
    worst: tuple[float, int] | None = None
    for level, (idle, actions) in attempt.no_ops().items():
        if level not in norms.no_op_median:
            continue
        share = idle / actions
        unusual = norms.no_op_median[level] + limits.no_op_deviations * norms.no_op_deviation[level]
        if actions >= limits.no_op_least_actions and share > limits.no_op_share and share > unusual:
            worst = max(worst or (share, -level), (share, -level))
    if worst is None:
        return None
    share, level = worst[0], -worst[1]
    idle, actions = attempt.no_ops()[level]
    median, deviation = norms.no_op_median[level], norms.no_op_deviation[level]
    first = next(act.seq for act in attempt.acts if act.level == level and act.action and not act.changed)
    return Finding(
        Rule.NO_OPS,
        Strength.REVIEW,
        attempt.attempt,
        {
            "level": level, "no_ops": idle, "actions": actions, "share": share, "median": median,
            "mad": deviation, "others": norms.people,
        },
        f"On level {level} of environment {attempt.number}, {percent(share)} of {actions} actions changed"
        f" nothing; the median of {counted(norms.people, 'other')} who completed something is"
        f" {percent(median)} (median absolute deviation {percent(deviation)}).",
        ((attempt.attempt, first),),
    )  # fmt: skip


def repeats(attempt: AttemptEvidence, norms: Norms, limits: Thresholds) -> Finding | None:
    """Finds runs of one action that are longer than almost all others and mostly had no effect."""
    least = max(norms.long_run + 1, limits.run_least_actions)
    long_ones = [
        run
        for run in attempt.runs()
        if len(run) >= least and sum(not act.changed for act in run) > limits.run_no_op_share * len(run)
    ]
    if not long_ones:
        return None
    longest = max(long_ones, key=len)
    idle, held = sum(not act.changed for act in longest), sum(act.held for act in longest)
    by_holding = f", {held} of them by holding the key" if held else ""
    return Finding(
        Rule.REPEATS,
        Strength.REVIEW,
        attempt.attempt,
        {
            "runs": len(long_ones), "longest": len(longest), "no_ops": idle, "held": held,
            "percentile": norms.long_run, "others": norms.people,
        },
        f"In environment {attempt.number} the same action was made {len(longest)} times in a row, {idle} of"
        f" them without effect{by_holding}; {percent(limits.run_percentile / 100)} of all runs of"
        f" {counted(norms.people, 'other')} who completed something are no longer than {norms.long_run}.",
        tuple((attempt.attempt, run[0].seq) for run in long_ones[:5]),
    )  # fmt: skip


def fast(attempt: AttemptEvidence, limits: Thresholds) -> Finding | None:
    """Finds many actions too fast for a person to decide; repeats of held keys do not count."""
    intervals = attempt.intervals()
    quick = [seq for seq, milliseconds in intervals if milliseconds < limits.fast_milliseconds]
    if len(intervals) < max(1, limits.fast_least_actions) or len(quick) <= limits.fast_share * len(intervals):
        return None
    share, unseen = len(quick) / len(intervals), attempt.unseen(limits.unseen_milliseconds)
    return Finding(
        Rule.FAST,
        Strength.REVIEW,
        attempt.attempt,
        {"fast": len(quick), "unseen": unseen, "intervals": len(intervals), "share": share},
        f"In environment {attempt.number}, {percent(share)} of the actions came less than"
        f" {limits.fast_milliseconds:g} ms after the one before ({len(quick)} of {len(intervals)})."
        f"{_about_unseen(unseen, limits)}",
        ((attempt.attempt, quick[0]),),
    )


def _about_unseen(actions: int, limits: Thresholds) -> str:
    if not actions:
        return ""
    soon = f"less than {limits.unseen_milliseconds:g} ms after another screen appeared"
    return f" {counted(actions, 'action')} came {soon}."


def idle(attempt: AttemptEvidence, limits: Thresholds) -> Finding | None:
    """Finds long pauses that make up most of the attempt, or hardly any actions for its time.

    Time without a connection does not count. Long pauses are a note where more was done than hardly anything:
    whoever acts as often as others and pauses besides tries.
    """
    gaps = [(seq, gap) for seq, gap in attempt.gaps if gap > limits.idle_gap_seconds]
    total, connected, actions = sum(gap for _, gap in gaps), attempt.connected_seconds, len(attempt.acts)
    pauses = bool(gaps) and total > limits.idle_share * connected
    hardly = actions < limits.idle_actions_a_minute * connected / 60
    if not pauses and (not hardly or connected <= limits.idle_least_seconds):
        return None
    longest = max((gap for _, gap in gaps), default=0.0)
    of = span(attempt.seconds)
    if connected < attempt.seconds:
        of = f"the {span(connected)} with a connection"
    done = f"{counted(actions, 'action')} {'was' if actions == 1 else 'were'} made in {of}"
    if pauses:
        done = (
            f"nothing was done for {span(total)} of {of}, in"
            f" {counted(len(gaps), 'pause')} of more than {span(limits.idle_gap_seconds)}; the longest was"
            f" {span(longest)}"
        )
    return Finding(
        Rule.IDLE,
        Strength.REVIEW if hardly else Strength.NOTE,
        attempt.attempt,
        {
            "gaps": len(gaps), "seconds": total, "longest": longest, "actions": actions,
            "attempt_seconds": attempt.seconds, "connected_seconds": connected,
        },
        f"In environment {attempt.number} {done}.",
        tuple((attempt.attempt, seq) for seq, _ in gaps[:5]) or ((attempt.attempt, 0),),
    )  # fmt: skip


def random(attempt: AttemptEvidence, limits: Thresholds, generator: np.random.Generator) -> Finding | None:
    """Finds choices that cannot be told from random ones, uniform or with a favourite.

    Somebody who completed an environment, or more than its first levels, was not lucky but tried. Those with
    a favourite are a note, and so are those with several resets of their own: in one environment alone,
    people who explore or begin afresh come close to it.
    """
    if attempt.outcome == Outcome.COMPLETED or attempt.levels_completed > limits.early_levels:
        return None
    if len(attempt.acts) < limits.random_least_actions:
        return None
    found = randomness(attempt.acts, generator)
    if found is None or found.actions < limits.random_least_actions:
        return None
    uniform = min(found.frequencies, found.transitions) >= limits.random_significance
    ordered = found.order is None or found.order < limits.random_significance
    if not uniform and ordered:
        return None
    afresh = sum(act.action == RESET and act.offered != 1 << RESET for act in attempt.acts)
    levels = counted(attempt.levels_completed, "level") if attempt.levels_completed else "no level"
    return Finding(
        Rule.RANDOM,
        Strength.REVIEW if uniform and afresh < limits.random_resets else Strength.NOTE,
        attempt.attempt,
        {
            "levels_completed": attempt.levels_completed, "actions": found.actions,
            "p_frequencies": found.frequencies, "p_transitions": found.transitions,
            "p_order": found.order, "favourite": found.favourite, "resets": afresh,
        },
        f"In environment {attempt.number}, {levels} {'was' if attempt.levels_completed < 2 else 'were'}"
        f" completed, and {found.actions} actions {_random_how(found, uniform=uniform)}.",
        ((attempt.attempt, attempt.acts[0].seq),),
    )  # fmt: skip


def _random_how(found: Randomness, *, uniform: bool) -> str:
    if uniform:
        return (
            f"cannot be told from random ones (p = {found.frequencies:.2f} for how often each was made,"
            f" {found.transitions:.2f} for which followed which)"
        )
    return (
        f"came in an order that cannot be told from a random one (p = {found.order:.2f}), whatever the action"
        f" before had changed; the most frequent choice was {percent(found.favourite)} of them"
    )


def pattern(attempt: AttemptEvidence, limits: Thresholds) -> Finding | None:
    """Finds that nearly all actions follow one fixed order, or are two of more choices, whatever they change.

    As with random choices: somebody who completed more than the first levels tried.
    """
    if attempt.outcome == Outcome.COMPLETED or attempt.levels_completed > limits.early_levels:
        return None
    least = max(2, limits.pattern_least_actions)
    order, pair = fixed_order(attempt.acts, least), two_choices(attempt.acts)
    if order and order.actions >= least and order.alike > limits.pattern_share:
        actions, share, period = order.actions, order.alike, order.period
        how = f"were the same as the one {period} actions before"
    elif pair and pair[0] >= least and pair[1] > limits.pattern_two_share:
        (actions, share), period = pair, 0
        how = "were two of the choices on offer"
    else:
        return None
    return Finding(
        Rule.PATTERN,
        Strength.REVIEW,
        attempt.attempt,
        {"actions": actions, "share": share, "period": period, "levels_completed": attempt.levels_completed},
        f"In environment {attempt.number}, {percent(share)} of {actions} actions {how}, whatever they"
        " changed.",
        ((attempt.attempt, attempt.acts[0].seq),),
    )


def away(attempt: AttemptEvidence, limits: Thresholds) -> Finding | None:
    """Notes that the page was hidden or unfocused for long; a note never opens a review."""
    if attempt.seconds <= 0 or attempt.away_seconds <= limits.away_share * attempt.seconds:
        return None
    share = attempt.away_seconds / attempt.seconds
    return Finding(
        Rule.AWAY,
        Strength.NOTE,
        attempt.attempt,
        {"seconds": attempt.away_seconds, "attempt_seconds": attempt.seconds, "share": share},
        f"In environment {attempt.number} the page was hidden or out of focus for"
        f" {span(attempt.away_seconds)}, {percent(share)} of the time.",
        ((attempt.attempt, 0),),
    )


def cut_off(attempt: int, number: int, stops: Sequence[float], limits: Thresholds) -> Finding | None:
    """Notes that a lost connection stopped the clock for long or often: time to think that nobody counted.

    `stops` are the seconds of each time; also of static tasks.
    """
    total, times = sum(stops), len(stops)
    if total <= limits.cut_off_seconds and times <= limits.cut_off_times:
        return None
    return Finding(
        Rule.CUT_OFF,
        Strength.NOTE,
        attempt,
        {"times": times, "seconds": total, "longest": max(stops)},
        f"In environment {number} the clock stood still {counted(times, 'time')}, {span(total)} in"
        " all, because the connection was away.",
        ((attempt, 0),),
    )
