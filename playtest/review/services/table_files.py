"""Writes rows as tables of a codebook: Parquet or CSV files with a digest, and their ZIP file."""

import json
import zipfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl
from polars._typing import PolarsDataType

from playtest.review.codebook import Table
from playtest.review.queries.dataset import Names, Row
from playtest.rules.spreadsheets import guarded_text

PARQUET, CSV = "parquet", "csv"
FORMATS = (PARQUET, CSV)

_ROWS_A_CHUNK = 50_000
_TIME_FORMAT = "%Y-%m-%dT%H:%M:%S%.6fZ"
_TYPES: dict[str, PolarsDataType] = {
    "integer": pl.Int64(),
    "number": pl.Float64(),
    "text": pl.String(),
    "boolean": pl.Boolean(),
    "time": pl.Datetime("us", "UTC"),
}


NUMBERS = {name: name for name in ("session", "attempt", "event", "decision", "comment")} | dict.fromkeys(
    ("part_of", "answers", "confirms", "settles", "reverses"), "decision"
)
"""The columns that number a row, and what they number."""


class TableWriter:
    """Writes one table to its file, a chunk at a time, and computes the digest of its content.

    With `names`, of a study from outside, rows have the numbers of its source and are in their order.
    """

    def __init__(self, table: Table, folder: Path, form: str, names: Names | None = None) -> None:
        self.table = table
        self.rows = 0
        self._names = names if names is not None and names.renumbers else None
        self._renumbered: list[Row] = []
        self._schema = {column.name: _TYPES[column.kind] for column in table.columns}
        self._path = folder / f"{table.name}.{form}"
        self._form = form
        self._waiting: list[Row] = []
        self._parts: list[Path] = []
        self._content = sha256(digest_line([table.name, *table.column_names]))

    def extend(self, more: Iterable[Row]) -> None:
        if self._names is None:
            self._write(more)
            return
        kinds = [NUMBERS.get(name) for name in self.table.column_names]
        for row in more:
            pairs = zip(kinds, row, strict=True)
            numbers = (self._names.number(kind, one) if kind and one else one for kind, one in pairs)
            self._renumbered.append(tuple(numbers))

    def _write(self, more: Iterable[Row]) -> None:
        for row in more:
            self._content.update(digest_line(row))
            self._waiting.append(row)
            self.rows += 1
            if len(self._waiting) == _ROWS_A_CHUNK:
                self._flush()

    def close(self) -> str:
        """Joins the chunks and returns the table's digest. Rows with one number stay in their order."""
        columns = enumerate(self.table.columns)
        keys = [place for place, one in columns if one.name in self.table.key and one.kind == "integer"]
        self._write(sorted(self._renumbered, key=lambda row: [row[place] or 0 for place in keys]))
        if self._waiting or not self._parts:
            self._flush()
        _JOINERS[self._form](self._parts, self._path)
        for part in self._parts:
            part.unlink()
        return self._content.hexdigest()

    def _flush(self) -> None:
        part = self._path.with_suffix(f".part{len(self._parts):05}")
        chunk = pl.DataFrame(self._waiting, schema=self._schema, orient="row")
        chunk.write_ipc(part)
        self._parts.append(part)
        self._waiting.clear()


def _join_parquet(parts: list[Path], path: Path) -> None:
    whole = pl.scan_ipc(parts)
    whole.sink_parquet(path, compression="zstd", compression_level=3, row_group_size=_ROWS_A_CHUNK)


def write_csv(table: pl.LazyFrame, path: Path) -> None:
    """Writes a table as CSV that spreadsheets open, with the mark of UTF-8 and times as text in UTC."""
    path.parent.mkdir(exist_ok=True)
    guarded_text(table).sink_csv(path, datetime_format=_TIME_FORMAT, include_bom=True)


def _join_csv(parts: list[Path], path: Path) -> None:
    write_csv(pl.scan_ipc(parts), path)


_JOINERS: dict[str, Callable[[list[Path], Path], None]] = {PARQUET: _join_parquet, CSV: _join_csv}


def digest_line(values: Iterable[Any]) -> bytes:
    """A row as the digest covers it: canonical JSON, times in UTC to the microsecond."""
    return json.dumps(list(values), default=_time, separators=(",", ":")).encode() + b"\n"


def _time(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="microseconds")


_EPOCH_OF_ZIP = (1980, 1, 1, 0, 0, 0)


def pack_folder(folder: Path, path: Path) -> None:
    """Writes every file below a folder into a new ZIP file, by name and under a fixed time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(each for each in folder.rglob("*") if each.is_file()):
            info = zipfile.ZipInfo(file.relative_to(folder).as_posix(), date_time=_EPOCH_OF_ZIP)
            info.compress_type = zipfile.ZIP_STORED if file.suffix == ".parquet" else zipfile.ZIP_DEFLATED
            with file.open("rb") as source, packed.open(info, "w", force_zip64=True) as target:
                while piece := source.read(2**20):
                    target.write(piece)
