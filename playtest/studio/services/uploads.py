"""Unpacks uploaded files: an archive in the official layout, the files of one environment, static tasks.

Nothing in an archive decides where on this machine a file is written, nor how much: only the files that
belong to an environment are taken out, by names that are checked, up to limits that hold whatever it says.
"""

import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import IO, Any

from django.core.files.uploadedfile import UploadedFile

from engine.play.source import METADATA
from playtest.rules.errors import RuleError
from playtest.studio.services.loading import NOTE
from playtest.studio.services.recordings import FOLDER
from playtest.studio.services.tasks import MOST_TASKS
from playtest.studio.services.tasks import SUFFIXES as TASK_SUFFIXES

MEGABYTE = 1024 * 1024
LARGEST_UPLOAD = 32 * MEGABYTE
LARGEST_UNPACKED = 256 * MEGABYTE
MOST_FILES = 2_000
MOST_ENVIRONMENTS = 50
MOST_FILES_WITH_TASKS = 2 * MOST_TASKS
"""Archives of some systems hold a second, hidden file beside each."""
_CHUNK = MEGABYTE
_LONGEST_NAME = 100
_DEEPEST = 10
_ID = re.compile(r"[A-Za-z0-9]{4}")
type _Wanted = Callable[[PurePosixPath], bool]
_UNREADABLE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError)


def unpack(uploads: "Sequence[UploadedFile[Any]]", folder: Path) -> None:
    """Writes uploaded files into an empty folder.

    RuleError: upload_empty, upload_too_large, upload_unknown, archive_unreadable, archive_unsafe,
    archive_too_large, too_many_environments.
    """
    archive = _archive(uploads, "Choose an archive, or the files of one environment.")
    if archive is None:
        _place(uploads, folder)
        return
    places = _unpack(archive, folder, _wanted, MOST_FILES)
    if sum(place.name == METADATA for place in places) > MOST_ENVIRONMENTS:
        message = f"At most {MOST_ENVIRONMENTS} environments can be uploaded at once."
        raise RuleError("too_many_environments", message)


def unpack_tasks(uploads: "Sequence[UploadedFile[Any]]", folder: Path) -> None:
    """Writes uploaded static tasks into an empty folder: .json files, or an archive with folders of them.

    RuleError: upload_empty, upload_too_large, upload_unknown, archive_unreadable, archive_unsafe,
    archive_too_large, too_many_tasks.
    """
    archive = _archive(uploads, "Choose .json files of tasks, or a .zip of them.")
    if archive is not None:
        places = _unpack(archive, folder, _wanted_task, MOST_FILES_WITH_TASKS)
    else:
        places = [PurePosixPath(PurePosixPath(upload.name or "").name) for upload in uploads]
        if not all(map(_wanted_task, places)):
            raise RuleError("upload_unknown", "Tasks are .json files, or .jsonl files with one a line.")
        _check_names(places)
        for upload, place in zip(uploads, places, strict=True):
            _write(_content(upload), folder / place, LARGEST_UPLOAD)
    if not places:
        raise RuleError("upload_unknown", "The archive holds no .json file: each task is one.")
    if len(places) > MOST_TASKS:
        raise RuleError("too_many_tasks", f"At most {MOST_TASKS:,} tasks can be uploaded at once.")


def _archive(uploads: "Sequence[UploadedFile[Any]]", when_empty: str) -> IO[bytes] | None:
    """The archive that was uploaded; None if other files were."""
    if not uploads:
        raise RuleError("upload_empty", when_empty)
    if sum(upload.size or 0 for upload in uploads) > LARGEST_UPLOAD:
        most = LARGEST_UPLOAD // MEGABYTE
        raise RuleError("upload_too_large", f"That is more than {most} MB: upload fewer at once.")
    archives = [upload for upload in uploads if (upload.name or "").lower().endswith(".zip")]
    if archives and len(uploads) > 1:
        raise RuleError("upload_unknown", "Upload one archive, and nothing else with it.")
    return _content(archives[0]) if archives else None


def _check_names(names: "Sequence[object]") -> None:
    if len(set(names)) < len(names):
        raise RuleError("upload_unknown", "Two of these files have the same name: choose one of them.")


def _content(upload: "UploadedFile[Any]") -> IO[bytes]:
    assert upload.file is not None
    return upload.file


def _place(uploads: "Sequence[UploadedFile[Any]]", folder: Path) -> None:
    names = [PurePosixPath(upload.name or "").name for upload in uploads]
    if METADATA not in names or sum(name.endswith(".py") for name in names) != 1:
        message = f"One environment is one .py file and its {METADATA}; several come as a .zip."
        raise RuleError("upload_unknown", message)
    _check_names(names)
    own = folder / _named(names)
    for upload, name in zip(uploads, names, strict=True):
        place = PurePosixPath(FOLDER, name) if name.endswith(".jsonl") else PurePosixPath(name)
        if _wanted(place):
            _write(_content(upload), own / place, LARGEST_UPLOAD)


def _named(names: Iterable[str]) -> str:
    """The folder name of one environment: its source's, so that its owner recognises it."""
    stems = [name.removesuffix(".py") for name in names if name.endswith(".py")]
    return stems[0] if len(stems) == 1 and _sound(stems[0]) else "upload"


def _unpack(file: IO[bytes], folder: Path, wanted: _Wanted, most_files: int) -> list[PurePosixPath]:
    """The paths of the files that were taken out."""
    left = LARGEST_UNPACKED
    places = []
    try:
        with zipfile.ZipFile(file) as archive:
            for entry, place in _entries(archive, wanted, most_files):
                with archive.open(entry) as packed:
                    left -= _write(packed, folder / place, left)
                places.append(place)
    except _UNREADABLE as error:
        raise RuleError("archive_unreadable", f"This archive cannot be read: {_why(error)}.") from error
    return places


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return "one of its files stands where another needs a folder, or cannot be written"
    locked = isinstance(error, RuntimeError) and not isinstance(error, NotImplementedError)
    return "it is locked with a password" if locked else str(error).strip(".")


def _entries(
    archive: zipfile.ZipFile, wanted: _Wanted, most_files: int
) -> Iterator[tuple[zipfile.ZipInfo, PurePosixPath]]:
    """The files that are wanted, each with its path."""
    entries = archive.infolist()
    if len(entries) > most_files:
        raise RuleError("archive_too_large", f"An archive has at most {most_files:,} files.")
    seen: set[PurePosixPath] = set()
    for entry in entries:
        name = entry.filename.replace("\\", "/")  # as some programs of Windows write it
        if name.endswith("/"):
            continue
        place = PurePosixPath(name)
        if place.is_absolute() or ".." in place.parts:
            raise _unsafe(entry, "leads out of it")
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise _unsafe(entry, "is a link")
        if not wanted(place):
            continue
        if place in seen:
            raise _unsafe(entry, "is in it twice")
        seen.add(place)
        yield entry, place


def _unsafe(entry: zipfile.ZipInfo, problem: str) -> RuleError:
    return RuleError("archive_unsafe", f"“{entry.filename[:100]}” in the archive {problem}.")


def _wanted(place: PurePosixPath) -> bool:
    """Whether it is a source, its metadata, its note or a recording."""
    recording = place.suffix == ".jsonl" and place.parent.name == FOLDER
    return _named_soundly(place) and (place.suffix == ".py" or place.name in {METADATA, NOTE} or recording)


def _wanted_task(place: PurePosixPath) -> bool:
    """Whether it is a static task."""
    return _named_soundly(place) and place.suffix.lower() in TASK_SUFFIXES


def _named_soundly(place: PurePosixPath) -> bool:
    return len(place.parts) <= _DEEPEST and all(map(_sound, place.parts))


def _sound(name: str) -> bool:
    """Whether a file or folder may have this name: printable, not hidden, not too long."""
    return name.isprintable() and name[:1] not in ("", ".") and len(name.encode()) <= _LONGEST_NAME


def _write(source: IO[bytes], place: Path, most: int) -> int:
    """Writes a file up to a limit, whatever size the archive states; returns the bytes written."""
    place.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with place.open("xb") as target:
        while chunk := source.read(_CHUNK):
            written += len(chunk)
            if written > most:
                limit = f"{LARGEST_UNPACKED // MEGABYTE} MB"
                raise RuleError("archive_too_large", f"Unpacked, an archive has at most {limit}.")
            target.write(chunk)
    return written


def root(folder: Path) -> Path:
    """The folder of environments: without an outer folder, and with one around a source at the top."""
    if (folder / METADATA).exists():
        own = folder / _named(path.name for path in folder.glob("*.py"))
        own.mkdir(exist_ok=True)
        for path in list(folder.iterdir()):
            if path != own:
                path.rename(own / path.name)
        return folder
    inside = [path for path in folder.iterdir() if path.is_dir()]
    only = inside[0] if len(inside) == 1 else None
    if only and not (only / METADATA).exists():
        around = not _ID.fullmatch(only.name) or next(only.glob(f"*/*/{METADATA}"), None)
        return root(only) if around else folder
    return folder
