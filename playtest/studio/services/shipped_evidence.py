"""Evidence that the product's makers have of an environment of theirs: in a file beside its source.

A new installation takes it. It counts there like its own, for exactly that version, and was asked for by
nobody, before the version was imported.
"""

import json
from pathlib import Path
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils.dateparse import parse_datetime

from engine.prove.chance import Question
from playtest.jobs.models import JobStatus
from playtest.rules.errors import RuleError
from playtest.rules.protocol import DEFAULT
from playtest.studio.models import Qualification, RandomPlay, Version
from playtest.studio.processes.random_play import checked

EVIDENCE_FILE = "evidence.json"
_MOMENTS = ("requested_at", "started_at", "finished_at")
_SHARED = ("seed", "total", "done", "report", *_MOMENTS)
_QUALIFICATION = (*_SHARED, "steps", "full", "passed")
_PLAY = (*_SHARED, "level", "number", "budget")


def write_evidence(version: Version, file: Path) -> None:
    """Writes the latest full qualification that passed, and all random play of a version."""
    done = {"version": version, "status": JobStatus.DONE}
    passed = Qualification.objects.filter(full=True, passed=True, **done).order_by("pk")
    stored = {
        "version": version.digest,
        "qualification": _without_recordings(passed.values(*_QUALIFICATION).last()),
        "plays": list(RandomPlay.objects.filter(**done).order_by("level", "pk").values(*_PLAY)),
    }
    file.write_text(json.dumps(stored, cls=DjangoJSONEncoder, separators=(",", ":")) + "\n")


def _without_recordings(qualified: dict[str, Any] | None) -> dict[str, Any] | None:
    """The recordings of its notes stay where it was made."""
    for check in qualified["report"]["checks"] if qualified else ():
        check["recording"] = None
    return qualified


def take_evidence(version: Version, file: Path) -> bool:
    """Stores what a file says of this version; False if it is about another one, or jobs were done here.

    RuleError evidence_malformed.
    """
    try:
        stored = json.loads(file.read_bytes())
        if stored["version"] != version.digest:
            return False
        passed, plays = stored["qualification"], [_play(row) for row in stored["plays"]]
        qualified = [_done(row, _QUALIFICATION) for row in [passed] if row]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise RuleError("evidence_malformed", f"{file}: {error!r}") from error
    with transaction.atomic():
        locked = Version.objects.select_for_update().get(pk=version.pk)
        if locked.qualifications.exists() or locked.randomplays.exists():
            return False
        Qualification.objects.bulk_create(Qualification(version=version, **one) for one in qualified)
        RandomPlay.objects.bulk_create(RandomPlay(version=version, **one) for one in plays)
    return True


def _play(row: dict[str, Any]) -> dict[str, Any]:
    question = Question(row["level"], row["seed"], row["budget"], DEFAULT.random_player.chance)
    return _done(row, _PLAY) | {"report": checked(row["report"], question)}


def _done(row: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    moments = {name: parse_datetime(row[name]) for name in _MOMENTS}
    if None in moments.values():
        raise ValueError("a moment is missing")
    return {name: row[name] for name in names} | moments | {"status": JobStatus.DONE}
