"""What a study from outside came to: `manage.py import_study --json`, and the page of an import."""

from collections.abc import Iterator
from typing import Any

from playtest.insight.outside.importing import Imported
from playtest.insight.pages.baseline.report import baseline_report
from playtest.insight.scope import Scope
from playtest.play.models import OutsideAttempt, Study
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version


def summary(made: Imported) -> dict[str, Any]:
    """In JSON types: how many attempts, wins and participants the study has, what differs, every level.

    `differences` has one object a recording that no version plays as recorded, and one a figure that a
    package publishes and that is another one here; `skipped` one a file that was left out. A level's
    `baseline` is the upper median of its completers here, `metadata` the number that the version's metadata
    gives; each is null where there is none.
    """
    study = made.study
    stored = OutsideAttempt.objects.filter(attempt__session__study=study).select_related("attempt")
    differing = stored.filter(differs_from__isnull=False).order_by("attempt__environment__code", "name")
    return {
        "study": study.name,
        "attempts": stored.count(),
        "wins": stored.filter(attempt__outcome=Outcome.COMPLETED).count(),
        "participants": stored.values("attempt__participant").distinct().count(),
        "skipped": [{"file": one.name, "reason": one.reason} for one in made.skipped],
        "differences": [
            *({"file": one.name, "attempt": one.attempt_id, "action": one.differs_from} for one in differing),
            *({"figure": one} for one in made.differences),
        ],
        "unproven": stored.filter(unproven=True).count(),
        "levels": list(_levels(study)),
    }


def _levels(study: Study) -> Iterator[dict[str, Any]]:
    played = Version.objects.filter(attempts__session__study=study).distinct()
    for version in played.select_related("environment").order_by("environment__code", "pk"):
        given = version.metadata.get("baseline_actions") or []
        for report in baseline_report(version, Scope(study)).levels:
            yield {
                "environment": version.environment.code,
                "version": version.game_id,
                "level": report.level,
                "completers": report.baseline.completers,
                "baseline": report.baseline.upper_median,
                "metadata": given[report.level - 1] if report.level <= len(given) else None,
            }
