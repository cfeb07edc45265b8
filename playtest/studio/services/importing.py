"""Imports environments in the official layout as immutable versions."""

import json
import os
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Event
from typing import Literal

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from engine import source as sources
from engine.errors import EngineError, SourceError, one_line
from engine.source import METADATA, Source
from playtest.studio.models import Environment, Version
from playtest.studio.models.environments import ReleaseSet
from playtest.studio.processes.game import Facts, inspect
from playtest.studio.services.recordings import keep_recordings

type Status = Literal["imported", "unchanged", "new_version", "older_version", "rejected"]

NOTE = "NOTE.md"
BASELINE = "baseline_actions"
LARGEST_SOURCE = 16 * 1024 * 1024
FASTEST = 1_000
"""Frames per second."""
_LONGEST_NOTE = 100_000
_UNCHECKED = ["environment", "available_actions", "metadata"]


@dataclass(frozen=True)
class LoadResult:
    """The result for one version of an environment; a rejected one's `reason` is "code: sentence".

    Of several versions in a folder the last becomes current, the others are an "older_version".
    Of another one `reason` tells of its recordings (what is left out or not played), and that it prints.
    """

    environment_id: str
    status: Status
    reason: str = ""

    def as_json(self) -> dict[str, str]:
        """As `manage.py import_environments --json` prints it."""
        return {"id": self.environment_id, "status": self.status, "reason": self.reason}


type Report = Callable[[int, int, list[LoadResult]], None]
"""Receives how many sources are done, of how many, and their results; may raise, which ends the import.

After each environment, and several times a second while one is awaited.
"""
_SECONDS_BETWEEN_REPORTS = 0.5


def load_environments(
    directory: Path,
    report: Report = lambda done, total, results: None,
    *,
    only_new: bool = False,
    release_set: ReleaseSet = ReleaseSet.NONE,
) -> list[LoadResult]:
    """Imports what is new in a games folder; known versions stay as they are, broken ones are rejected.

    Importing a known version again makes it the current one, with the folder's note. With `only_new` it does
    not, and what staff have imported or written since stays. Of several versions of one
    environment, the one in the last folder by name becomes the current one. An environment is imported as a
    whole before the next: wherever this ends, none is left half-done. `release_set` is the set of those
    that did not exist; the others remain in theirs.
    Raises SourceError folder_missing, and what `report` raises.
    """
    found = list(sources.find(directory))
    results = [
        _rejection(_folder(one.details["file"], directory), one, directory)
        for one in found
        if isinstance(one, SourceError)
    ]
    loaded: dict[str, list[Source]] = {}
    for one in found:
        if not isinstance(one, SourceError):
            loaded.setdefault(one.environment_id, []).append(one)
    done = len(results)
    imported: list[LoadResult] = []

    def report_now() -> None:
        report(done, len(found), results + imported)

    report_now()
    with closing(
        _inspected([source for group in loaded.values() for source in group], report_now)
    ) as inspected:
        for group in loaded.values():
            found_now = list(islice(inspected, len(group)))
            rejected, stored = _import(found_now, directory, only_new, release_set, report_now)
            results += rejected
            imported += stored
            done += len(group)
            report_now()
    return results + imported


_PRINTS = "prints: {:,} bytes when it starts, which nobody sees"

type _Inspected = tuple[Source, Facts | EngineError | None]
"""A source, and its facts or the error when it is started; None for a known version."""


def _import(
    inspected: list[_Inspected],
    directory: Path,
    only_new: bool,
    release_set: ReleaseSet,
    waiting: Callable[[], None],
) -> tuple[list[LoadResult], list[LoadResult]]:
    """Imports the versions of one environment: the rejections, and the results of the others."""
    rejected: list[LoadResult] = []
    stored: list[tuple[Source, Version, Facts | None]] = []
    with transaction.atomic():
        for source, facts in inspected:
            try:
                if isinstance(facts, EngineError):
                    raise facts
                stored.append((source, _keep(source, facts, release_set), facts))
            except EngineError as error:
                rejected.append(_rejection(source.environment_id, error, directory))
        status: Status = "unchanged"
        if stored and (stored[-1][2] is not None or not only_new):
            status = _make_current(*stored[-1][:2])
    several = len({version.pk for _, version, _ in stored}) > 1
    results = []
    for source, version, facts in stored:
        last = version.pk == stored[-1][1].pk
        if last and source is not stored[-1][0]:
            continue
        notes = [f"version {version.digest[:8]} in {_where(source, directory)}"] if several else []
        notes += [_PRINTS.format(facts.printed_bytes)] if facts and facts.printed_bytes else []
        notes += _claims([source for source, _ in inspected], directory) if last else []
        reason = "; ".join([*notes, *keep_recordings(version, Path(source.path).parent, waiting)])
        results.append(LoadResult(source.environment_id, status if last else "older_version", reason))
    return rejected, results


def _inspected(loaded: list[Source], waiting: Callable[[], None]) -> Generator[_Inspected]:
    """Inspects several at once, in order; `waiting` is called several times a second and may raise."""
    known = set(Version.objects.filter(is_draft=False).values_list("environment__code", "digest"))
    stop = Event()

    def facts(source: Source) -> Facts | EngineError | None:
        if (source.environment_id, source.digest) in known:
            return None
        try:
            return inspected_facts(source, stop)
        except EngineError as error:
            return error

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as workers:
        try:
            for source, future in [(source, workers.submit(facts, source)) for source in loaded]:
                while not wait([future], _SECONDS_BETWEEN_REPORTS).done:
                    waiting()
                yield source, future.result()
        finally:
            stop.set()
            workers.shutdown(wait=False, cancel_futures=True)


def _small_enough(source: Source) -> Source:
    if len(source.text) > LARGEST_SOURCE:
        message = f"a source has at most {LARGEST_SOURCE // 1024 // 1024} MB."
        raise SourceError("source_too_large", message, file=source.path)
    return source


def _keep(source: Source, facts: Facts | None, release_set: ReleaseSet) -> Version:
    """The version with this digest, stored if it is new. Raises SourceError metadata_invalid.

    Of a known one only the published baseline is taken over: it is said of the version, not part of it.
    """
    _check_metadata(source)
    with transaction.atomic():
        Environment.objects.get_or_create(code=source.environment_id, defaults={"release_set": release_set})
        environment = Environment.objects.select_for_update().get(code=source.environment_id)
        if known := environment.versions.filter(digest=source.digest).first():
            _take_baseline(known, source)
            if known.is_draft:
                known.is_draft, known.imported_at = False, timezone.now()
                known.save(update_fields=["is_draft", "imported_at"])
            return known
        assert facts is not None
        version = new_version(environment, source, facts)
        version.save()
    return version


def new_version(environment: Environment, source: Source, facts: Facts) -> Version:
    """A version that is not stored yet. Raises SourceError metadata_invalid."""
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
        raise _bad_metadata(source, reasons) from error
    return version


def inspected_facts(source: Source, stop: Event | None = None) -> Facts:
    """What starting a source once shows. Raises EngineError, also for what cannot be stored."""
    _check_metadata(source)
    return inspect(_small_enough(source), stop)


def _check_metadata(source: Source) -> None:
    """Refuses what some database cannot store: lone surrogates, zero characters, NaN."""
    try:
        if source.default_fps > FASTEST:
            raise ValueError(f'"default_fps" is at most {FASTEST}')
        text = json.dumps(source.metadata, ensure_ascii=False, allow_nan=False)
        text.encode()
        if "\\u0000" in text:
            raise ValueError("it holds a zero character")
    except (ValueError, RecursionError) as error:
        raise _bad_metadata(source, f"this cannot be stored: {error}.") from error


def _bad_metadata(source: Source, message: str) -> SourceError:
    return SourceError("metadata_invalid", message, file=str(Path(source.path).parent / METADATA))


def _take_baseline(version: Version, source: Source) -> None:
    published = source.metadata.get(BASELINE)
    if version.metadata.get(BASELINE) != published:
        rest = {name: value for name, value in version.metadata.items() if name != BASELINE}
        version.metadata = rest if published is None else {**rest, BASELINE: published}
        version.save(update_fields=["metadata"])


def _make_current(source: Source, version: Version) -> Status:
    """Makes it current; takes the folder's note and a new version's title, else keeps staff's texts."""
    environment = Environment.objects.get(code=source.environment_id)
    status: Status = "new_version"
    if environment.current_id is None:
        status = "imported"
    elif environment.current_id == version.pk:
        status = "unchanged"
    environment.current = version
    if status != "unchanged" or not environment.title:
        environment.title = source.title[:100]
    environment.note = _note(Path(source.path).parent) or environment.note
    environment.save(update_fields=["current", "title", "note"])
    return status


def _note(folder: Path) -> str:
    """The designer's note; unreadable characters are replaced."""
    path = folder / NOTE
    if not path.is_file():
        return ""
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(_LONGEST_NOTE).replace("\0", "")


def _claims(found: list[Source], directory: Path) -> list[str]:
    """A remark if several folders have one id: most likely a copy with the metadata of its original."""
    folders = dict.fromkeys(_folder(source.path, directory) for source in found)
    return (
        [f"the folders {' and '.join(folders)} have this id, the last is current"] if len(folders) > 1 else []
    )


def _folder(file: str, directory: Path) -> str:
    """The name of the folder in `directory` that a file is in, or its own if it is one environment."""
    parts = Path(file).relative_to(directory).parts
    return one_line(parts[0] if parts and (directory / parts[0]).is_dir() else directory.name)


def _where(source: Source, directory: Path) -> str:
    """The folder of a source, as it is called in `directory`."""
    return one_line(str(Path(source.path).parent.relative_to(directory)))


def _rejection(environment_id: str, error: EngineError, directory: Path) -> LoadResult:
    """A rejection with paths relative to `directory`."""
    message = error.message.replace(f"{directory}/", "").replace(str(directory), directory.name)
    return LoadResult(environment_id, "rejected", f"{error.code}: {one_line(message)}")
