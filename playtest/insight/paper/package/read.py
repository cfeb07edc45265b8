"""Reads a data package that is to be imported: whole, undamaged, of a form that is known."""

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from playtest.insight.paper.package.for_import import ENVIRONMENTS, FOLDER, FORMAT, FRAMES, RECORDINGS, STUDY
from playtest.play.errors import Refusal

SUMS = "SHA256SUMS"
_TABLES = ("sessions", "attempts", "debriefs", "entries", "events", "flags", "decisions", "comments")
type Row = dict[str, Any]


@dataclass(frozen=True)
class PackageFiles:
    """A package whose files are as they were written. `digest` is the SHA-256 of its list of digests."""

    folder: Path
    digest: str
    facts: Row
    tables: dict[str, pl.DataFrame]

    @property
    def is_public(self) -> bool:
        return bool(self.facts["public"])

    @property
    def environments(self) -> Path:
        """The folder of sources in the official layout, if the package has one."""
        return self.folder / FOLDER / ENVIRONMENTS

    @cached_property
    def recordings(self) -> dict[str, Row]:
        """What is known of recordings from outside, by the number of the attempt."""
        name = f"{FOLDER}/{RECORDINGS}"
        return self.document(name) if (self.folder / name).is_file() else {}

    def document(self, name: str) -> Row:
        """One of its JSON documents."""
        found: Row = json.loads((self.folder / name).read_text())
        return found

    def rows(self, name: str, **key: int) -> list[Row]:
        """The rows of a table with this session or attempt, in order; entries with their `frames`."""
        ((column, value),) = key.items()
        found = self.tables[name].filter(pl.col(column) == value)
        if name == "entries" and found.height:
            files = pl.scan_parquet(self.folder / FOLDER / FRAMES).filter(pl.col(column) == value)
            frames = files.select("seq", "frames").collect()
            found = found.join(frames, on="seq", how="left", maintain_order="left")
        return found.to_dicts()


@contextmanager
def opened(path: Path) -> Iterator[PackageFiles]:
    """The package in a folder or in a ZIP file of one.

    Refusal: package_missing, package_damaged, package_unknown.
    """
    if not path.is_file():
        yield _read(path)
        return
    with TemporaryDirectory() as made:
        try:
            with zipfile.ZipFile(path) as packed:
                packed.extractall(made)
        except (zipfile.BadZipFile, EOFError) as error:
            raise Refusal("package_damaged", f"{path.name} is no whole ZIP file: {error}.") from error
        yield _read(next(iter(sorted(Path(made).rglob(SUMS))), Path(made) / SUMS).parent)


def is_package(path: Path) -> bool:
    """Whether this folder or ZIP file is a data package, not another kind of study."""
    if path.is_dir():
        return (path / SUMS).is_file()
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as packed:
        return any(Path(name).name == SUMS for name in packed.namelist())


def _read(folder: Path) -> PackageFiles:
    sums = folder / SUMS
    if not sums.is_file():
        message = f"{folder} is no data package: it has no {SUMS}. Name the folder that export_study wrote."
        raise Refusal("package_missing", message)
    listed = sums.read_bytes()
    _check(folder, listed.decode(errors="replace"))
    document = folder / FOLDER / STUDY
    if not document.is_file():
        message = "This package was written by a version that wrote none to import: export the study again."
        raise Refusal("package_unknown", message)
    facts = json.loads(document.read_text())
    if facts["format"] != FORMAT:
        raise Refusal("package_unknown", f"This package has the form {facts['format']!r}, not {FORMAT!r}.")
    tables = {name: pl.read_parquet(folder / "parquet" / f"{name}.parquet") for name in _TABLES}
    return PackageFiles(folder, sha256(listed).hexdigest(), facts, tables)


def _check(folder: Path, listed: str) -> None:
    """Compares every file with its digest. What is not listed is not read. Refusal: package_damaged."""
    for line in listed.splitlines():
        digest, _, name = line.partition("  ")
        file = folder / name
        inside = file.resolve().is_relative_to(folder.resolve())
        if not inside or not file.is_file():
            raise Refusal("package_damaged", f"{name} is missing: fetch the package again.")
        with file.open("rb") as content:
            if file_digest(content, "sha256").hexdigest() != digest:
                raise Refusal("package_damaged", f"{name} is not as it was written: fetch the package again.")
