"""Loading environments from a folder into immutable versions."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from django.db import transaction
from django.utils import timezone

from engine import source as sources
from engine.errors import EngineError, SourceError
from engine.source import Source
from playtest.studio.inspection import inspect
from playtest.studio.models import Environment, Version

type Status = Literal["imported", "unchanged", "new_version", "rejected"]

NOTE = "NOTE.md"
BASELINE = "baseline_actions"


@dataclass(frozen=True)
class LoadResult:
    """What became of one environment; a rejected one's `reason` is "code: sentence"."""

    environment_id: str
    status: Status
    reason: str = ""


def load_environments(directory: Path) -> list[LoadResult]:
    """Import what is new in a games folder; what is known stays as it is, what is broken is rejected.

    Of several versions of one environment, the one in the last folder by name becomes the current one.
    Raises SourceError folder_missing.
    """
    rejected: list[LoadResult] = []
    latest: dict[str, tuple[Source, Version]] = {}
    for found in sources.find(directory):
        if isinstance(found, SourceError):
            rejected.append(_rejection(_folder(found, directory), found))
            continue
        try:
            latest[found.environment_id] = found, _keep(found)
        except EngineError as error:
            rejected.append(_rejection(found.environment_id, error))
    return rejected + [_make_current(source, version) for source, version in latest.values()]


def _keep(source: Source) -> Version:
    """The version with this digest, imported if it is new. Raises EngineError when its code does not run.

    Of a known one only the published baseline is taken over: it is said of the version, not part of it.
    """
    known = Version.objects.filter(environment__code=source.environment_id, digest=source.digest).first()
    if known:
        _take_baseline(known, source)
        return known
    facts = inspect(source)
    with transaction.atomic():
        environment, _ = Environment.objects.get_or_create(code=source.environment_id)
        return Version.objects.create(
            environment=environment,
            digest=source.digest,
            game_id=source.game_id,
            class_name=source.class_name,
            source=source.text,
            metadata=source.metadata,
            default_fps=source.default_fps,
            levels=facts.levels,
            available_actions=list(facts.available_actions),
            imported_at=timezone.now(),
        )


def _take_baseline(version: Version, source: Source) -> None:
    published = source.metadata.get(BASELINE)
    if version.metadata.get(BASELINE) != published:
        rest = {name: value for name, value in version.metadata.items() if name != BASELINE}
        version.metadata = rest if published is None else {**rest, BASELINE: published}
        version.save(update_fields=["metadata"])


def _make_current(source: Source, version: Version) -> LoadResult:
    environment = Environment.objects.get(code=source.environment_id)
    status: Status = "new_version"
    if environment.current_id is None:
        status = "imported"
    elif environment.current_id == version.pk:
        status = "unchanged"
    note = Path(source.path).with_name(NOTE)
    environment.current = version
    environment.title = source.title[:100]
    environment.note = note.read_text(encoding="utf-8") if note.is_file() else ""
    environment.save()
    return LoadResult(source.environment_id, status)


def _folder(error: SourceError, directory: Path) -> str:
    return Path(error.details["file"]).relative_to(directory).parts[0]


def _rejection(environment_id: str, error: EngineError) -> LoadResult:
    return LoadResult(environment_id, "rejected", f"{error.code}: {error.message}")
