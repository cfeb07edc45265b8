"""Finds the environments of a folder, and starts each source once to see what it is.

What is kept of them is for the caller: an import (`services.importing`), an upload (`services.sandbox`).
"""

import json
import os
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from threading import Event
from typing import Literal

from django.core.exceptions import ValidationError
from django.utils import timezone

from engine.errors import LONGEST_LINE, EngineError, SourceError, one_line
from engine.play import source as sources
from engine.play.module_lines import in_modules
from engine.play.source import METADATA, Source, from_parts, plain_text
from playtest.studio.models import Environment, Version
from playtest.studio.processes.game import Facts, first_frames, inspect
from playtest.studio.services.first_frames import store_first_frames

type Status = Literal["imported", "unchanged", "new_version", "older_version", "waits", "asks", "rejected"]

NOTE = "NOTE.md"
LARGEST_SOURCE = 16 * 1024 * 1024
FASTEST = 1_000
"""Frames per second."""
_LONGEST_NOTE = 100_000
_PRINTS = "prints: {:,} bytes when it starts, which nobody sees"
_UNCHECKED = ["environment", "available_actions", "metadata"]
_SECONDS_BETWEEN_REPORTS = 0.5


@dataclass(frozen=True)
class LoadResult:
    """The result for one version of an environment; a rejected one's `reason` is "code: sentence".

    Of several versions in a folder the last becomes current, the others are an "older_version".
    Of another one `reason` tells of its recordings (what is left out or not played), that it prints, and
    that its `baseline_actions` are not used.
    An uploaded one "waits" for its approval; one that "asks" changes nothing before it is confirmed.
    """

    environment_id: str
    status: Status
    reason: str = ""

    def as_json(self) -> dict[str, str]:
        """As the commands that import print it with `--json`."""
        return {"id": self.environment_id, "status": self.status, "reason": self.reason}


type Report = Callable[[int, int, list[LoadResult]], None]
"""Receives how many sources are done, of how many, and their results; may raise, which ends the import.

After each environment, and several times a second while one is awaited.
"""
type Inspected = tuple[Source, Facts | EngineError | None]
"""A source, and its facts or the error when it is started; None for a version that was imported before."""
type Waiting = Callable[[], None]
"""Called several times a second; may raise."""
type Keep = Callable[[list[Inspected], Waiting], tuple[list[LoadResult], list[LoadResult]]]
"""Stores the versions of one environment: the rejections, and the results of the others."""


def load(directory: Path, report: Report, keep: Keep) -> list[LoadResult]:
    """Finds and starts the sources of a folder, and keeps each environment as a whole before the next.

    Raises SourceError folder_missing, and what `report` raises.
    """
    found = list(sources.find(directory))
    results = [
        rejection(folder_of(one.details["file"], directory), one, directory)
        for one in found
        if isinstance(one, SourceError)
    ]
    loaded: dict[str, list[Source]] = {}
    for one in found:
        if not isinstance(one, SourceError):
            loaded.setdefault(one.environment_id, []).append(one)
    loaded = {code: _identified(code, group) for code, group in loaded.items()}
    done = len(results)
    successes: list[LoadResult] = []

    def report_now() -> None:
        report(done, len(found), results + successes)

    report_now()
    with closing(
        _inspected([source for group in loaded.values() for source in group], report_now)
    ) as inspected:
        for group in loaded.values():
            rejected, stored = keep(list(islice(inspected, len(group))), report_now)
            results += rejected
            successes += stored
            done += len(group)
            report_now()
    return results + successes


def _identified(code: str, group: list[Source]) -> list[Source]:
    """The sources of an environment, each as the first of those that have the same plain text."""
    stored = Version.objects.filter(environment__code=code).order_by("pk")
    digests = set(stored.values_list("digest", flat=True))
    if digests.issuperset(source.digest for source in group):
        return group
    known: dict[str, str] = {}
    for text in stored.values_list("source", flat=True):
        known.setdefault(plain_text(text), text)
    identified = []
    for source in group:
        text = (
            source.text
            if source.digest in digests
            else known.setdefault(plain_text(source.text), source.text)
        )
        identified.append(source if text == source.text else from_parts(source.metadata, text, source.path))
    return identified


def _inspected(loaded: list[Source], waiting: Waiting) -> Generator[Inspected]:
    """Inspects several at once, in order."""
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


def inspected_facts(source: Source, stop: Event | None = None) -> Facts:
    """What starting a source shows, first frames too. Raises EngineError, also for what cannot be stored."""
    check_metadata(source)
    if len(source.text) > LARGEST_SOURCE:
        message = f"a source has at most {LARGEST_SOURCE // 1024 // 1024} MB."
        raise SourceError("source_too_large", message, file=source.path)
    try:
        facts = inspect(source, stop)
    except EngineError as error:
        error.message = in_modules(error.message, source)
        raise
    return replace(facts, first_frames=first_frames(source, facts.levels, stop))


def printing(facts: Facts | None) -> list[str]:
    """A remark if the environment prints when it starts."""
    return [_PRINTS.format(facts.printed_bytes)] if facts and facts.printed_bytes else []


def store_version(
    environment: Environment, source: Source, facts: Facts, *, is_draft: bool = False
) -> Version:
    """A new version, stored with its first frames. Raises SourceError metadata_invalid."""
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
        is_draft=is_draft,
    )
    try:
        version.clean_fields(exclude=_UNCHECKED)
    except ValidationError as error:
        reasons = ", ".join(f"{name}: {' '.join(said)}" for name, said in error.message_dict.items())
        raise _bad_metadata(source, reasons) from error
    version.save()
    store_first_frames(version, facts.first_frames)
    return version


def check_metadata(source: Source) -> None:
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


def note_in(folder: Path) -> str:
    """The designer's note; unreadable characters are replaced."""
    path = folder / NOTE
    if not path.is_file():
        return ""
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(_LONGEST_NOTE).replace("\0", "")


def folder_of(file: str, directory: Path) -> str:
    """The folder that a file is in, or that it is, as it is called in `directory`."""
    folder = Path(file) if Path(file).is_dir() else Path(file).parent
    return one_line(directory.name if folder == directory else str(folder.relative_to(directory)))


def rejection(environment_id: str, error: EngineError, directory: Path) -> LoadResult:
    """A rejection with paths relative to `directory`; long enough for an error's line and where it was."""
    message = error.message.replace(f"{directory}/", "").replace(str(directory), directory.name)
    return LoadResult(environment_id, "rejected", f"{error.code}: {one_line(message, 2 * LONGEST_LINE)}")
