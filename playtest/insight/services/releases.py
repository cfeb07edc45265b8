"""Releasing a baseline: stores its numbers and all their inputs under the next number.

Triggers of the database keep a release from being changed or deleted (`play.journal.triggers`).
"""

from django.db import transaction
from django.db.models import Max

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import Release, ReleaseInput
from playtest.insight.pages.baseline.releases import (
    Input,
    has_inputs,
    inputs,
    inputs_digest,
    level_numbers,
)
from playtest.insight.pages.baseline.report import BaselineReport, baseline_report
from playtest.insight.scope import EVERYONE, Scope
from playtest.insight.services.reports import attach_reports, bring_studies_up_to_date
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal, once
from playtest.play.models import Study
from playtest.rules.baseline import RULE_VERSION
from playtest.studio.models import Environment, Version


def next_number(environment: Environment) -> int:
    newest = Release.objects.filter(environment=environment).aggregate(newest=Max("number"))["newest"]
    return (newest or 0) + 1


def release(
    version: Version,
    staff: Staff | None,
    note: str = "",
    *,
    scope: Scope = EVERYONE,
    provisional: bool = False,
    number: int | None = None,
    seen: str | None = None,
) -> Release:
    """Stores today's baseline of a version as its next release.

    `provisional` allows one of fewer people than the protocol asks for; `note` must then say why. `number`
    and `seen` are the number and the digest of the inputs that the page showed.

    Refusal: as `check_kind`, `check_scope` and `check_complete`, baseline_provisional, note_missing,
    inputs_changed, release_taken, release_unchanged.
    """
    check_kind(version)
    check_scope(scope)
    note = note.strip()
    bring_up_to_date(scope.whole.attempts.filter(environment=version.environment))
    played = scope.attempts.filter(version=version)
    studies = list(Study.objects.filter(sessions__attempts__in=played).distinct())
    bring_studies_up_to_date(studies)
    with transaction.atomic():
        report = baseline_report(version)
        check_complete(report)
        check_people(report.counted, report.asked, provisional=provisional)
        if report.provisional and not note:
            raise Refusal(
                "note_missing", "Write in the note why this baseline is released while provisional."
            )
        found = inputs(report)
        digest = inputs_digest(version.digest, found)
        if seen not in (None, digest):
            message = "The baseline has changed since this page was opened. Check it again, then release it."
            raise Refusal("inputs_changed", message)
        _check_number(version, number, found)
        made = _store(report, staff, note, found, digest)
        attach_reports(made, studies)
    return made


def check_kind(version: Version) -> None:
    """Refuses static tasks. Refusal: not_of_tasks."""
    if not version.kind.has_levels:
        message = "A static task has no baseline: it is solved or not, and fewer edits are not better."
        raise Refusal("not_of_tasks", message)


def check_scope(scope: Scope) -> None:
    """Refuses every scope but EVERYONE. Refusal: rehearsal_not_published, scope_not_published."""
    if scope.rehearsal:
        message = "The baseline of a rehearsal is never released or written."
        raise Refusal("rehearsal_not_published", message)
    if scope != EVERYONE:
        message = (
            "A baseline is published from all studies together, without excluded results. "
            "Leave out the study and the exclusions; people under review count."
        )
        raise Refusal("scope_not_published", message)


def check_complete(report: BaselineReport) -> None:
    """Refusal level_without_completer: scores need a baseline of every level."""
    if report.missing:
        message = (
            f"Nobody has completed {report.missing_levels} of this version yet. A baseline needs a "
            "completer of every level."
        )
        raise Refusal("level_without_completer", message)


def check_people(counted: int, asked: int, *, provisional: bool) -> None:
    """Refusal baseline_provisional: too few people for the protocol, and not `provisional`."""
    if counted < asked and not provisional:
        message = (
            f"This baseline is provisional: {counted} of {asked} people count. "
            "Wait for the others, or mark it as provisional."
        )
        raise Refusal("baseline_provisional", message)


def _check_number(version: Version, number: int | None, found: list[Input]) -> None:
    """Prevents a second release by the same form. Refusal: release_taken, release_unchanged."""
    environment = version.environment
    if number is not None and number != next_number(environment):
        raise Refusal("release_taken", f"Baseline {number} of {environment.code} has been released already.")
    last = Release.objects.filter(version=version).order_by("-number").first()
    if last is not None and has_inputs(last, found):
        message = f"Baseline {last.number} has the same inputs: there is nothing new to release."
        raise Refusal("release_unchanged", message)


def _store(
    report: BaselineReport, staff: Staff | None, note: str, found: list[Input], digest: str
) -> Release:
    environment = report.version.environment
    number = next_number(environment)
    with once("release_taken", f"Baseline {number} of {environment.code} has been released already."):
        made = Release.objects.create(
            version=report.version,
            environment=environment,
            number=number,
            rule_version=RULE_VERSION,
            people=report.counted,
            asked=report.asked,
            levels=[level_numbers(level) | {"of_actions": report.scope.undo} for level in report.levels],
            inputs_digest=digest,
            note=note,
            released_at=now(),
            released_by=staff,
        )
    ReleaseInput.objects.bulk_create(
        ReleaseInput(
            release=made,
            attempt_id=row.attempt,
            level=row.level,
            actions=row.actions,
            counted=row.counted,
            why_out=row.why_out,
        )
        for row in found
    )
    return made
