"""Importing environments in the official layout as immutable versions."""

import json
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from engine import source as sources
from engine.errors import EngineError, SourceError
from engine.source import Source
from playtest.studio.inspection import LONGEST_REASON, Facts, inspect
from playtest.studio.models import Environment, Version
from playtest.studio.services.recordings import keep_recordings

type Status = Literal["imported", "unchanged", "new_version", "rejected"]

NOTE = "NOTE.md"
BASELINE = "baseline_actions"
LARGEST_SOURCE = 16 * 1024 * 1024
FASTEST = 1_000
"""Frames per second."""
_LONGEST_NOTE = 100_000
_UNCHECKED = ["environment", "available_actions", "metadata"]


@dataclass(frozen=True)
class LoadResult:
    """What became of one environment; a rejected one's `reason` is "code: sentence".

    Of another one `reason` tells what was left out: recordings that cannot be read.
    """

    environment_id: str
    status: Status
    reason: str = ""

    def as_json(self) -> dict[str, str]:
        """As `manage.py import_environments --json` tells it."""
        return {"id": self.environment_id, "status": self.status, "reason": self.reason}


def load_environments(directory: Path) -> list[LoadResult]:
    """Import what is new in a games folder; what is known stays as it is, what is broken is rejected.

    Of several versions of one environment, the one in the last folder by name becomes the current one.
    Raises SourceError folder_missing.
    """
    rejected: list[LoadResult] = []
    loaded: list[Source] = []
    for found in sources.find(directory):
        if isinstance(found, SourceError):
            rejected.append(_rejection(_folder(found, directory), found))
        else:
            loaded.append(found)
    latest: dict[str, tuple[Source, Version]] = {}
    for source, facts in _inspected(loaded):
        try:
            if isinstance(facts, EngineError):
                raise facts
            latest[source.environment_id] = source, _keep(source, facts)
        except EngineError as error:
            rejected.append(_rejection(source.environment_id, error))
    return rejected + [_make_current(source, version) for source, version in latest.values()]


def _inspected(loaded: list[Source]) -> Iterable[tuple[Source, Facts | EngineError | None]]:
    """Each with what running it tells, or why it does not run; None for what is known already."""
    known = set(Version.objects.values_list("environment__code", "digest"))

    def facts(source: Source) -> Facts | EngineError | None:
        if (source.environment_id, source.digest) in known:
            return None
        try:
            return inspect(_small_enough(source))
        except EngineError as error:
            return error

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as workers:
        yield from zip(loaded, workers.map(facts, loaded), strict=True)


def _small_enough(source: Source) -> Source:
    if len(source.text) > LARGEST_SOURCE:
        message = f"a source has at most {LARGEST_SOURCE // 1024 // 1024} MB."
        raise SourceError("source_too_large", message, file=source.path)
    return source


def _keep(source: Source, facts: Facts | None) -> Version:
    """The version with this digest, stored if it is new. Raises SourceError metadata_invalid.

    Of a known one only the published baseline is taken over: it is said of the version, not part of it.
    """
    _check_metadata(source)
    known = Version.objects.filter(environment__code=source.environment_id, digest=source.digest).first()
    if known:
        _take_baseline(known, source)
        return known
    assert facts is not None
    with transaction.atomic():
        environment, _ = Environment.objects.get_or_create(code=source.environment_id)
        version = Version(
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
        try:
            version.clean_fields(exclude=_UNCHECKED)
        except ValidationError as error:
            reasons = ", ".join(f"{name}: {' '.join(said)}" for name, said in error.message_dict.items())
            raise SourceError("metadata_invalid", reasons, file=source.path) from error
        version.save()
    return version


def _check_metadata(source: Source) -> None:
    """What some database could not store: half characters, zero characters, numbers that are none."""
    try:
        if source.default_fps > FASTEST:
            raise ValueError(f'"default_fps" is at most {FASTEST}')
        text = json.dumps(source.metadata, ensure_ascii=False, allow_nan=False)
        text.encode()
        if "\\u0000" in text:
            raise ValueError("it holds a zero character")
    except ValueError as error:
        raise SourceError("metadata_invalid", f"this cannot be stored: {error}.", file=source.path) from error


def _take_baseline(version: Version, source: Source) -> None:
    published = source.metadata.get(BASELINE)
    if version.metadata.get(BASELINE) != published:
        rest = {name: value for name, value in version.metadata.items() if name != BASELINE}
        version.metadata = rest if published is None else {**rest, BASELINE: published}
        version.save(update_fields=["metadata"])


def _make_current(source: Source, version: Version) -> LoadResult:
    """Takes over the folder's note, and with a version its title; else both stay as staff wrote them."""
    environment = Environment.objects.get(code=source.environment_id)
    status: Status = "new_version"
    if environment.current_id is None:
        status = "imported"
    elif environment.current_id == version.pk:
        status = "unchanged"
    folder = Path(source.path).parent
    environment.current = version
    if status != "unchanged" or not environment.title:
        environment.title = source.title[:100]
    environment.note = _note(folder) or environment.note
    environment.save(update_fields=["current", "title", "note"])
    return LoadResult(source.environment_id, status, "; ".join(keep_recordings(version, folder)))


def _note(folder: Path) -> str:
    """The designer's note, as far as it can be read."""
    path = folder / NOTE
    if not path.is_file():
        return ""
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(_LONGEST_NOTE).replace("\0", "")


def _folder(error: SourceError, directory: Path) -> str:
    return Path(error.details["file"]).relative_to(directory).parts[0]


def _rejection(environment_id: str, error: EngineError) -> LoadResult:
    message = error.message
    if len(message) > LONGEST_REASON:
        message = message[:LONGEST_REASON] + "…"
    return LoadResult(environment_id, "rejected", f"{error.code}: {message}")
