"""What a study from outside came to: `manage.py import_study --json`, and the page of an import."""

from collections.abc import Iterator
from typing import Any

from playtest.insight.outside.check import SourceCheck
from playtest.insight.outside.importing import Imported
from playtest.play.models import OutsideAttempt
from playtest.rules.attempt import Outcome


def summary(made: Imported) -> dict[str, Any]:
    """In JSON types: how many attempts, wins and participants the study has, what differs, every level.

    `differences` has one object a recording that no version plays as recorded, and one a figure that a
    package publishes and that is another one here; `skipped` one a file that was left out. A level's
    `baseline` is the upper median of its completers here, `metadata` the number that the version's metadata
    gives; each is null where there is none; `reason` is the likely one of a difference. `counts` has one
    object for each number that the last line of a recording has otherwise than we, `undo` how both count.
    """
    study = made.study
    check = SourceCheck(study)
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
        "undo": check.scope.undo,
        "levels": list(_levels(check)),
        "counts": [
            {
                "file": one.recording.name,
                "attempt": one.recording.attempt_id,
                "what": one.what,
                "ours": one.ours,
                "source": one.theirs,
                "reason": one.reason,
            }
            for one in check.counts
        ],
    }


def _levels(check: SourceCheck) -> Iterator[dict[str, Any]]:
    for one in check.levels:
        yield {
            "environment": one.version.environment.code,
            "version": one.version.game_id,
            "level": one.level,
            "completers": one.completers,
            "baseline": one.baseline,
            "metadata": one.metadata,
            "reason": one.reason,
        }
