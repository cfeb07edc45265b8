"""Packs uploaded environments of several modules into one source, and gives a version's modules back."""

import json
import re
import shutil
import zipfile
from io import BytesIO
from pathlib import Path

from django.conf import settings

from engine.confine.client import run_worker
from engine.errors import EngineError
from engine.play.actions import CLICK
from engine.play.packing import ENTRY, PACKAGE, SHARED, SOURCE, modules_of, place, unpack
from engine.play.source import METADATA, from_parts, metadata_of
from playtest.studio.models import DEVELOPERS, Version
from playtest.studio.processes.limits import SECONDS_AROUND, worker_limits
from playtest.studio.services.loading import NOTE, LoadResult, Report, Waiting, rejection
from playtest.studio.services.recordings import FOLDER


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


def archive_of(version: Version) -> bytes:
    """A ZIP archive of the folder that a version would be uploaded from: modules, metadata, note, recordings.

    Recordings are lists of actions; one of another seed than 0 is left out. SourceError as `unpack`.
    """
    code = version.environment.code
    files = {
        f"{code}.py": version.source,
        METADATA: json.dumps(version.metadata, indent=2, ensure_ascii=False) + "\n",
        NOTE: version.environment.note,
    }
    for one in version.recordings.filter(kind__in=DEVELOPERS, level=1, seed=0):
        acts = [{"id": act, "x": x, "y": y} if act == CLICK else act for act, x, y in one.actions]
        if re.fullmatch(r"[\w-]+", one.name):
            files[f"{FOLDER}/{one.name}.jsonl"] = json.dumps(acts) + "\n"
    packed = {f"{PACKAGE}/{code}/{name}": text for name, text in files.items() if text}
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (packed | unpack(version.source)).items():
            archive.writestr(name, text)
    return made.getvalue()
