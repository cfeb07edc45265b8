"""The files of data from elsewhere: of a zip, which is read as a stream, or of a folder."""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO, Any
from zipfile import BadZipFile, ZipFile, is_zipfile

from engine.errors import RecordingError
from engine.texts import decoded
from playtest.play.errors import Refusal
from playtest.rules.sheets import rows_of

LONGEST_LINE = 64 * 1024 * 1024
LARGEST_FILE = 4 * 1024 * 1024 * 1024
LARGEST_TABLE = 32 * 1024 * 1024
_RECORDINGS = {".jsonl", ".ndjson", ".json", ".pkl", ".pickle"}
"""Pickles are among them, so that each is refused by name."""
_NO_RECORDINGS = {"metadata.json", "manifest.json"}
UNREADABLE = (BadZipFile, EOFError, OSError, RuntimeError, zlib.error)
"""What reading a damaged or encrypted zip raises."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What tables beside the recordings say: who played a file and when it began, and ratings by guid.

    `people` and `started` are by the file's name; of `started` the texts are as they stand.
    """

    people: Mapping[str, str] = field(default_factory=dict)
    started: Mapping[str, str] = field(default_factory=dict)
    ratings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Data:
    """A zip or a folder of recordings."""

    path: Path

    @classmethod
    def at(cls, path: Path) -> "Data":
        """Refusal: data_missing, data_unknown."""
        if not path.exists():
            raise Refusal("data_missing", f"There is nothing at {path}.", status=404)
        if not path.is_dir() and not is_zipfile(path):
            raise Refusal("data_unknown", f"{path.name} is neither a folder nor a zip.", status=400)
        return cls(path)

    @cached_property
    def names(self) -> list[str]:
        """The paths of all files within, in order, without the shadow files of macOS and hidden ones."""
        if self.path.is_dir():
            found = (one.relative_to(self.path).as_posix() for one in self.path.rglob("*") if one.is_file())
        else:
            with ZipFile(self.path) as archive:
                found = (one.filename.replace("\\", "/") for one in archive.infolist() if not one.is_dir())
        return sorted(name for name in found if not _is_shadow(name))

    @property
    def recordings(self) -> list[str]:
        """The paths within of what may be recordings."""
        paths = map(PurePosixPath, self.names)
        return [
            str(one) for one in paths if one.suffix.lower() in _RECORDINGS and one.name not in _NO_RECORDINGS
        ]

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a file within. Raises RecordingError recording_too_long, and UNREADABLE."""
        read = 0
        with self._opened(name) as file:
            while line := file.readline(LONGEST_LINE + 1):
                read += len(line)
                if len(line) > LONGEST_LINE or read > LARGEST_FILE:
                    message = "It has a line of more than 64 MB, or more than 4 GB in all."
                    raise RecordingError("recording_too_long", message)
                yield line

    def beside(self) -> Beside:
        """Every table in the data, and beside a zip, that has one of the known headings."""
        people, started, ratings = {}, {}, {}
        for rows in self._tables():
            for row in rows:
                if file := row.get("file"):
                    name = PurePosixPath(file.replace("\\", "/")).name
                    people[name] = (row.get("participant") or "").strip()
                    started[name] = (row.get("started") or "").strip()
                elif session := row.get("session_id"):
                    ratings[session] = {
                        key: value
                        for key, value in row.items()
                        if key not in ("session_id", "game_id") and value
                    }
        return Beside(people, started, ratings)

    def _tables(self) -> Iterator[Iterable[Mapping[str, Any]]]:
        for name in self.names:
            if name.lower().endswith(".csv"):
                with self._opened(name) as file:
                    yield _rows(file.read(LARGEST_TABLE))
        if not self.path.is_dir():
            for table in sorted(self.path.parent.glob("*.csv")):
                if table.stat().st_size <= LARGEST_TABLE and not _is_shadow(table.name):
                    yield _rows(table.read_bytes())

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        if self.path.is_dir():
            with (self.path / name).open("rb") as file:
                yield file
            return
        with ZipFile(self.path) as archive:
            names = {one.replace("\\", "/"): one for one in archive.namelist()}
            with archive.open(names[name]) as packed:
                yield packed


def _is_shadow(name: str) -> bool:
    return any(part == "__MACOSX" or part.startswith(".") for part in PurePosixPath(name).parts)


_HEADINGS = {"file", "sessionid", "gameid", "participant", "started"}


def _rows(content: bytes) -> list[dict[str, Any]]:
    """The rows of a CSV by its headings, lower case."""
    rows = rows_of(decoded(content), _HEADINGS)
    names = [name.strip().lower() for name in rows[0].cells or ()] if rows else []
    return [dict(zip(names, row.cells or (), strict=False)) for row in rows[1:]]
