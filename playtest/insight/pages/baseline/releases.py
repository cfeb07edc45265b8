"""Baseline releases, compared with the baseline of today."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet

from playtest.insight.models import Release
from playtest.insight.pages.baseline.report import BaselineReport, LevelReport, baseline_report
from playtest.insight.scope import EVERYONE
from playtest.insight.tables.protocols import Protocols, protocols_with
from playtest.play.errors import Refusal
from playtest.rules.baseline import RULE_VERSION
from playtest.rules.spreadsheets import csv_text
from playtest.studio.models import Environment

COLUMNS = ("rule", "version", "level", "attempt", "actions", "counted", "why_out", "of_actions")


@dataclass(frozen=True, order=True)
class Input:
    """One level that one attempt reached; `counted` if it is in the baseline, else `why_out`."""

    level: int
    attempt: int
    actions: int
    counted: bool
    why_out: str


@dataclass(frozen=True)
class LevelComparison:
    """A level of the release (an object of `Release.levels`) and the same level today."""

    then: dict[str, Any]
    now: dict[str, Any]

    @property
    def same(self) -> bool:
        return bool(self.then["upper_median"] == self.now["upper_median"])


@dataclass(frozen=True)
class Comparison:
    """A release compared with today. `same` is whether today's inputs have the same digest.

    `withdrawn` is whether inputs are missing because a person withdrew. `today` is the current version of the
    rule.
    """

    same: bool
    withdrawn: bool
    today: str
    levels: tuple[LevelComparison, ...]

    @property
    def holds(self) -> bool:
        """Whether every level has the same baseline today."""
        return all(level.same for level in self.levels)


def releases(environment: Environment) -> QuerySet[Release]:
    """An environment's releases, the newest first."""
    return (
        Release.objects.filter(environment=environment)
        .select_related("version", "released_by")
        .order_by("-number")
    )


def find_release(environment_id: str, number: int) -> Release:
    """Refusal 404: release_unknown."""
    found = (
        Release.objects.select_related("environment", "version__environment", "released_by")
        .filter(environment__code=environment_id, number=number)
        .first()
    )
    if found is None:
        message = f"{environment_id} has no baseline release {number}."
        raise Refusal("release_unknown", message, status=404)
    return found


def inputs(report: BaselineReport) -> list[Input]:
    """The inputs of a baseline: every level that anyone in its scope reached, sorted."""
    return sorted(
        Input(run.level, run.attempt_id, run.actions, not run.why_out, run.why_out[:200])
        for person in report.people
        for run in person.runs
    )


def released_inputs(release: Release) -> list[Input]:
    """The stored inputs, without those of people who have withdrawn since."""
    rows = release.inputs.values_list("level", "attempt", "actions", "counted", "why_out")
    return sorted(Input(*row) for row in rows)


def released_protocols(release: Release) -> Protocols:
    """The versions of protocols that the sessions of a release's inputs follow."""
    return protocols_with(set(release.inputs.values_list("attempt__session__protocol", flat=True)))


def release_csv(release: Release, found: Iterable[Input]) -> str:
    """Inputs in the form that the file of a release has, in which it was made."""
    return _csv(release.version.digest, found, release.rule_version, release.of_actions)


def inputs_digest(version_digest: str, found: Iterable[Input]) -> str:
    """The `inputs_digest` of a release that is made today."""
    return _digest(_csv(version_digest, found, RULE_VERSION, EVERYONE.undo))


def has_inputs(release: Release, found: Iterable[Input]) -> bool:
    """Whether these are the inputs of a release. Of its own only a withdrawal deletes any."""
    return _digest(release_csv(release, found)) == release.inputs_digest


def _csv(version_digest: str, found: Iterable[Input], rule_version: str, of_actions: str) -> str:
    """The canonical form of inputs: CSV (RFC 4180) of COLUMNS, sorted by level and attempt.

    Early releases have no `of_actions`, nor the column. The SHA-256 of this text in UTF-8 is a release's
    `inputs_digest`. No cell can be a spreadsheet's formula, because nobody typed any of it.
    """
    rows: Iterable[tuple[object, ...]] = (
        (rule_version, version_digest, one.level, one.attempt, one.actions, int(one.counted), one.why_out)
        for one in sorted(found)
    )
    return (
        csv_text(COLUMNS, ((*row, of_actions) for row in rows))
        if of_actions
        else csv_text(COLUMNS[:-1], rows)
    )


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def level_numbers(report: LevelReport) -> dict[str, Any]:
    """A level as `Release.levels` stores it."""
    return {
        "level": report.level,
        "completers": report.baseline.completers,
        "upper_median": report.baseline.upper_median,
        "best": report.baseline.best,
        "fewest_known": report.fewest.actions if report.fewest else None,
        "fewest_is_proven": report.fewest.proven if report.fewest else False,
        "low": report.interval.low if report.interval else None,
        "high": report.interval.high if report.interval else None,
    }


def compare(release: Release) -> Comparison:
    """Compares a release with the baseline that its version has today."""
    report = baseline_report(release.version)
    return Comparison(
        has_inputs(release, inputs(report)),
        not has_inputs(release, released_inputs(release)),
        RULE_VERSION,
        tuple(
            LevelComparison(old, level_numbers(new))
            for old, new in zip(release.levels, report.levels, strict=True)
        ),
    )
