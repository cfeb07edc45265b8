"""The report on a qualification, as plain data."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from engine.prove.qualification.findings import Finding, merged
from engine.prove.qualification.plan import (
    BEYOND_THE_FIRST,
    CHECKS,
    DETERMINISM,
    FEWEST_LEVELS,
    FRAMES_A_SECOND,
    FROM_THE_START,
    FROM_THE_START_STEPS,
    FUZZ,
    LEVELS,
    LOAD,
    METADATA,
    RECORDINGS,
    RULES,
    SLOW_SECONDS,
    SPEED,
    STRUCTURE,
    TRACE_STEPS,
    is_full,
)
from engine.prove.qualification.remedies import remedy


def report(
    seed: int, steps: int, findings: Iterable[Finding], unfinished: Collection[str] = ()
) -> dict[str, Any]:
    """The report, of which `unfinished` are the regimes that are not complete. It is stored.

    {"passed", "rules", "full", "seed", "steps", "checks": [{"check", "code", "passed", "note", "message",
    "mend": the remedy, "level", "count", "recording"}], "unfinished": [check]}. A check that found nothing
    wrong has one entry whose code is its name; an unfinished one has only its findings.
    """
    found = merged(findings)
    loads = not any(finding.check == LOAD and not finding.note for finding in found)
    open_checks = _checks_of(unfinished) if loads else []
    entries = []
    for check in CHECKS if loads else (LOAD,):
        own = [finding for finding in found if finding.check == check]
        passed = all(finding.note for finding in own)
        if passed and check not in open_checks:
            entries.append(_passed(check, steps))
        entries.extend(map(_entry, own))
    return {
        "passed": all(entry["passed"] for entry in entries) and not open_checks,
        "rules": RULES,
        "full": is_full(steps),
        "seed": seed,
        "steps": steps,
        "checks": entries,
        "unfinished": open_checks,
    }


def _checks_of(regimes: Collection[str]) -> list[str]:
    """The checks that depend on one of these regimes."""
    if STRUCTURE in regimes:
        return list(CHECKS)
    return [check for check in CHECKS if check in regimes or (regimes and check == SPEED)]


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
    from_the_start, trace = min(steps, FROM_THE_START_STEPS), min(steps, TRACE_STEPS)
    drawn = f", and every level draws at least {FRAMES_A_SECOND:,} frames a second" if is_full(steps) else ""
    message = {
        LOAD: "It loads and starts.",
        METADATA: "Its metadata is complete.",
        LEVELS: f"It has at least {FEWEST_LEVELS} levels, and each can be started and played.",
        DETERMINISM: f"{trace:,} random steps give equal states in every process and with another hash seed.",
        RECORDINGS: "Every recording replays exactly.",
        FROM_THE_START: f"{from_the_start:,} random steps from the start won no level beyond the first.",
        BEYOND_THE_FIRST: f"{steps:,} random steps from the starts of all levels beyond the first won none.",
        FUZZ: f"{steps:,} random steps over all levels found no crash, bad frame or inconsistent state.",
        SPEED: f"No action took longer than {SLOW_SECONDS:g} s{drawn}.",
    }[check]
    return _entry(Finding(check, check, message, note=True)) | {"note": False, "mend": ""}
