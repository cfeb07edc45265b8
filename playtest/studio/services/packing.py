"""Packs uploaded environments that are written as several modules into the one source that is imported."""

import shutil
from pathlib import Path

from django.conf import settings

from engine.confine.client import run_worker
from engine.errors import EngineError
from engine.play.packing import ENTRY, SHARED, SOURCE, modules_of, place
from engine.play.source import METADATA, from_parts, metadata_of
from playtest.studio.processes.limits import SECONDS_AROUND, worker_limits
from playtest.studio.services.loading import LoadResult, Report, Waiting, rejection


def pack_folders(directory: Path, report: Report) -> list[LoadResult]:
    """Packs each environment of several modules in a folder; the rejections of those that cannot be packed.

    Those are deleted: an older source beside the modules is not taken for them. Raises what `report` raises.
    """
    rejected: list[LoadResult] = []
    folders = [entry.parent.parent for entry in sorted(directory.rglob(f"{SOURCE}/{ENTRY}.py"))]
    for folder in (one for one in folders if (one / METADATA).is_file()):
        try:
            _pack(folder, lambda: report(len(rejected), len(folders), rejected))
        except EngineError as error:
            rejected.append(rejection(folder.name, error, directory))
            shutil.rmtree(folder)
    return rejected


def _pack(folder: Path, waiting: Waiting) -> None:
    """Packs by the id in the metadata, whatever the folder is called; the library may be left out."""
    name = from_parts(metadata_of(folder), "", str(folder / METADATA)).environment_id
    library = folder.parent / SHARED
    modules = modules_of(folder, name, library if library.is_dir() else settings.GAMES_DIR / SHARED)
    text = run_worker(
        "engine.confine.workers.packing",
        {"name": name, "modules": modules},
        worker_limits(),
        counts=(),
        silence=SECONDS_AROUND,
        seconds=SECONDS_AROUND,
        check=lambda result: str(result["text"]),
        on_progress=lambda counts: waiting(),
    )
    place(folder, name, text)
