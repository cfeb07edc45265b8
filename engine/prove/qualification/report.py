"""The report on a qualification, as plain data."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from engine.prove.qualification import plan
from engine.prove.qualification.findings import Finding, merged
from engine.prove.qualification.flashes import LONGEST_TURN_SECONDS, MOST_FLASHES

_WINS = (
    "Make the level harder to win by accident: ask for more steps in the right order, more room to go wrong, "
    "or a loss for wrong ones; then explore its state graph again."
)
_REMEDIES = {
    "import_failed": "Run the source in Python by itself, fix what it raises, and import it again.",
    "no_game_class": 'Name the class that derives from ARCBaseGame like "class_name" in metadata.json.',
    "construction_failed": "Make the constructor work without arguments, or with a seed alone.",
    "metadata_invalid": "Complete metadata.json as the official layout asks.",
    "too_few_levels": "Add levels until there are at least six.",
    "prints": "Remove the print calls: nobody sees their output, and they take time.",
    "no_actions": "Offer at least one action in every state in which the level is not over.",
    "level_not_startable": "Let set_level and on_set_level prepare a level from its own data alone.",
    "environment_raised": "Play the recording, find the line in the traceback, and handle the missing case.",
    "deadline_exceeded": "Find the loop that does not end, or the computation that grows too large.",
    "slow_action": "If it is frequent, compute once what does not change; if it is rare, nothing is needed.",
    "action_too_slow": "Compute less in one action, and do not sleep: an animation is frames, not time.",
    "too_few_frames_a_second": (
        "Compute less for each frame: cache what does not change, and use whole arrays instead of cells."
    ),
    "flashes": "Change less of the screen, or less often: flashes can cause a seizure.",
    "long_turn": "Draw fewer frames, or raise default_fps: people skip what they should see.",
    "memory_exceeded": "Find what is never released: a list that grows with each step, a copy of each frame.",
    "forbidden_operation": "Remove files, processes, threads and network: an environment only computes.",
    "code_replaced": "Change only the game's own classes, and nothing that the engine or arcengine defines.",
    "process_ended": "Remove what ends the process: os._exit, a signal, or a native library that crashes.",
    "bad_frame": "Draw 64 by 64 cells of colours 0 to 15: check the camera's size and what is drawn over it.",
    "too_many_frames": "End the animation: call complete_action() once it is over.",
    "bad_state": (
        "Use only the states NOT_FINISHED, WIN and GAME_OVER and the actions 1 to 7, "
        "and call next_level() once for each completed level."
    ),
    "level_revisited": "Never set an earlier level or a lower score while playing.",
    "inconsistent_state": (
        "Keep all state in the game and its level, and set all of it in on_set_level. "
        "Do not use the clock, the address of an object or the order of a set."
    ),
    "reset_leaves_traces": "Set everything that a level changes in on_set_level, unless it is meant to stay.",
    "nondeterministic": "Remove what changes from run to run: clock, object addresses, system randomness.",
    "nondeterministic_in_another_process": "Remove what differs between processes: process id, files, clock.",
    "nondeterministic_with_another_hash_seed": "Sort sets before iterating over them; do not hash strings.",
    "differs_in_live_play": (
        "Play by the same rules everywhere: do not look at modules, the process, its name or its parent."
    ),
    "level_won_by_chance": _WINS,
    "first_level_won_by_chance": "Nothing is needed: a tutorial may be won by chance.",
    "recording_diverges": "Record it again with this version, or find out what has changed.",
    "recording_does_not_win": "Record a run that completes all levels.",
    "recording_does_not_lose": "Record a run that ends without completing all levels.",
    "no_recordings": (
        "Add recordings/win.jsonl and recordings/loss.jsonl to the environment's folder, and import it again."
    ),
}


def remedy(code: str) -> str:
    """What to do about a finding; a general sentence for a code without a remedy of its own."""
    return _REMEDIES.get(code, "Play the recording and find the action after which it goes wrong.")


def report(
    seed: int, steps: int, findings: Iterable[Finding], unfinished: Collection[str] = ()
) -> dict[str, Any]:
    """The report, of which `unfinished` are the regimes that are not complete. It is stored.

    {"passed", "rules", "full", "seed", "steps", "checks": [{"check", "code", "passed", "note", "message",
    "mend": the remedy, "level", "count", "recording"}], "unfinished": [check]}. A check that found nothing
    wrong has one entry whose code is its name; an unfinished one has only its findings.
    """
    found = merged(findings)
    loads = not any(finding.check == plan.LOAD and not finding.note for finding in found)
    open_checks = _checks_of(unfinished) if loads else []
    entries = []
    for check in plan.CHECKS if loads else (plan.LOAD,):
        own = [finding for finding in found if finding.check == check]
        passed = all(finding.note for finding in own)
        if passed and check not in open_checks:
            entries.append(_passed(check, steps))
        entries.extend(map(_entry, own))
    return {
        "passed": all(entry["passed"] for entry in entries) and not open_checks,
        "rules": plan.RULES,
        "full": plan.is_full(steps),
        "seed": seed,
        "steps": steps,
        "checks": entries,
        "unfinished": open_checks,
    }


def _checks_of(regimes: Collection[str]) -> list[str]:
    """The checks that depend on one of these regimes."""
    if plan.STRUCTURE in regimes:
        return list(plan.CHECKS)
    return [
        check
        for check in plan.CHECKS
        if check in regimes or (regimes and check in (plan.SPEED, plan.ANIMATIONS))
    ]


def _entry(finding: Finding) -> dict[str, Any]:
    message = finding.message if finding.message.endswith((".", "!", "?")) else f"{finding.message}."
    times = f" It happened {finding.count:,} times." if finding.count > 1 else ""
    return {
        "check": finding.check,
        "code": finding.code,
        "passed": finding.note,
        "note": finding.note,
        "message": message + times,
        "mend": remedy(finding.code),
        "level": finding.level,
        "count": finding.count,
        "recording": finding.recording,
    }


def _passed(check: str, steps: int) -> dict[str, Any]:
    from_the_start, trace = min(steps, plan.FROM_THE_START_STEPS), min(steps, plan.TRACE_STEPS)
    drawn = (
        f", and every level draws at least {plan.FRAMES_A_SECOND:,} frames a second"
        if plan.is_full(steps)
        else ""
    )
    message = {
        plan.LOAD: "It loads and starts.",
        plan.METADATA: "Its metadata is complete.",
        plan.LEVELS: f"It has at least {plan.FEWEST_LEVELS} levels, and each can be started and played.",
        plan.DETERMINISM: (
            f"{trace:,} random steps give equal states in every process and with another hash seed,"
            " and a sample of all parts gives them where people play."
        ),
        plan.RECORDINGS: "Every recording replays exactly.",
        plan.FROM_THE_START: f"{from_the_start:,} random steps from the start won no level beyond the first.",
        plan.BEYOND_THE_FIRST: (
            f"{steps:,} random steps from the starts of all levels beyond the first won none."
        ),
        plan.FUZZ: (
            f"{steps:,} random steps over all levels found no crash, bad frame or inconsistent state."
        ),
        plan.SPEED: f"No action took longer than {plan.SLOW_SECONDS:g} s{drawn}.",
        plan.ANIMATIONS: (
            f"No action flashed the whole screen more than {MOST_FLASHES} times in a second"
            f" or took more than {LONGEST_TURN_SECONDS:g} s to show."
        ),
    }[check]
    return _entry(Finding(check, check, message, note=True)) | {"note": False, "mend": ""}
