"""The manifest of a backup: what it consists of, by which it is verified before and after a restore."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from playtest.play.errors import Refusal

FORMAT = 1
NAME = "manifest.json"
FILES = "files"
_EMBEDDED = "playtest.sqlite3"


@dataclass(frozen=True)
class Manifest:
    """`digests` are the SHA-256 of each file by its path in the backup, `rows` the rows of each table."""

    made_at: str
    vendor: str
    migrations: list[list[str]]
    rows: dict[str, int]
    digests: dict[str, str]

    def write(self, folder: Path) -> str:
        """Writes it into the folder; returns its own digest."""
        path = folder / NAME
        path.write_text(json.dumps({"format": FORMAT, **asdict(self)}, indent=1, sort_keys=True))
        return digest_of(path)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a backup, every file of which has its digest. Refusal: backup_damaged."""
    try:
        fields: dict[str, Any] = json.loads((folder / NAME).read_text())
        if fields.pop("format") != FORMAT:
            raise ValueError("another format")
        manifest = Manifest(**fields)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refusal("backup_damaged", f"{folder} is not a complete backup: {error}") from error
    if manifest.digests != (found := digests_in(folder)):
        wrong = sorted(path for path, _ in manifest.digests.items() ^ found.items())
        raise Refusal("backup_damaged", f"Missing, changed or added in {folder}: {', '.join(wrong[:5])}")
    return manifest


def digests_in(folder: Path) -> dict[str, str]:
    """The digest of every file of a backup but its manifest."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): digest_of(path) for path in paths if path != folder / NAME}


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def data_files(data: Path) -> Iterator[Path]:
    """The files of DATA_DIR that a backup has: not the database, the broker's messages, and locks."""
    for path in sorted(data.rglob("*")):
        first = path.relative_to(data).parts[0]
        left_out = first == "broker" or first.startswith((_EMBEDDED, "beat")) or path.suffix == ".lock"
        if path.is_file() and not left_out:
            yield path
