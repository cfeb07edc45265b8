"""Makes a backup of the installation, and restores one into a fresh place."""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from playtest.operation.backup import databases
from playtest.operation.installation import record_maintenance
from playtest.operation.models import MaintenanceKind
from playtest.operation.retention.services import record
from playtest.people.migrated import migrations_here
from playtest.people.retention import BACKUPS, period
from playtest.play.clock import machine_now
from playtest.play.errors import Refusal
from playtest.play.journal.days import accept_record
from playtest.review.services import withdrawal_list

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


_LEFT_OUT = {"broker", "assets"}
"""Folders of DATA_DIR without a record: messages between processes, and what `prepare` builds."""


def data_files(data: Path) -> Iterator[Path]:
    """The files of DATA_DIR that a backup has: not the database, locks, and `_LEFT_OUT`."""
    for path in sorted(data.rglob("*")):
        first = path.relative_to(data).parts[0]
        left_out = (
            first in _LEFT_OUT
            or first.startswith((_EMBEDDED, "beat", withdrawal_list.NAME))
            or path.suffix == ".lock"
        )
        if path.is_file() and not left_out:
            yield path


_MADE_AT_ONCE = "secret_key"
"""Every command creates it in an empty DATA_DIR: a restore replaces it."""


def make_backup(parent: Path) -> tuple[Path, str]:
    """Writes a new backup below this folder; its folder, and the digest of its manifest.

    The list of withdrawals is kept beside it, since a restore needs the newest one.
    A backup that was interrupted has no manifest, and its folder's name ends with `.partial`. Refusal:
    backup_failed, backup_place_unusable.
    """
    began = machine_now()
    name = f"playtest-{began.strftime(_NAMED)}Z"
    partial, folder = parent / f"{name}.partial", parent / name
    if parent.resolve().is_relative_to(settings.DATA_DIR):
        raise Refusal(
            "backup_place_unusable", f"Choose a folder outside {settings.DATA_DIR}, best on another disk."
        )
    try:
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial.mkdir(mode=0o700)
        migrations = sorted([app, name] for app, name in MigrationRecorder(connection).applied_migrations())
        rows = databases.save(partial / databases.file_name())
        _copy_files(partial / FILES)
        manifest = Manifest(began.isoformat(), connection.vendor, migrations, rows, digests_in(partial))
        digest = manifest.write(partial)
        _sync(partial)
        withdrawal_list.copy_beside(parent)
        partial.rename(folder)
    except OSError as error:
        raise Refusal("backup_failed", f"{error.filename or parent}: {error.strerror}") from error
    entries, megabytes = rows["play_entry"], sum(file.stat().st_size for file in folder.rglob("*")) / 1e6
    seconds = (machine_now() - began) / timedelta(seconds=1)
    summary = f"{folder.name}: {entries} entries, {megabytes:.1f} MB, {seconds:.1f} s"
    record_maintenance(MaintenanceKind.BACKUP, began, summary, succeeded=True)
    return folder, digest


def prune(parent: Path, at: datetime) -> list[str]:
    """Deletes backups below this folder, and interrupted ones, after their period; their names. Recorded.

    The newest whole backup stays, however old it is. Refusal: backup_failed.
    """
    held = period(BACKUPS)
    made = {path: _made_at(path) for path in parent.iterdir() if _is_backup(path)}
    newest = max((moment for path, moment in made.items() if path.suffix == ""), default=at)
    old = [path for path, moment in made.items() if held.days is not None and moment < newest]
    old = [path for path in old if made[path] <= at - timedelta(days=held.days or 0)]
    try:
        for path in old:
            shutil.rmtree(path)
    except OSError as error:
        raise Refusal("backup_failed", f"{error.filename}: {error.strerror}") from error
    if old:
        record(BACKUPS, held, len(old), min(made[path] for path in old), at)
    return sorted(path.name for path in old)


_NAMED = "%Y%m%dT%H%M%S"


def _made_at(folder: Path) -> datetime:
    return datetime.strptime(folder.name[9:24], _NAMED).replace(tzinfo=UTC)


def _is_backup(path: Path) -> bool:
    return path.is_dir() and re.fullmatch(r"playtest-\d{8}T\d{6}Z(\.partial)?", path.name) is not None


def restore_backup(folder: Path) -> Manifest:
    """Restores a backup into an empty database and DATA_DIR.

    The signer goes on from the last day that the backup has. Refusal: backup_damaged,
    backup_of_other_database, backup_newer, not_fresh (nothing is overwritten), restore_failed.
    """
    manifest = read_manifest(folder)
    if manifest.vendor != connection.vendor:
        message = f"This is a backup of {manifest.vendor}, and DATABASE_URL says {connection.vendor}."
        raise Refusal("backup_of_other_database", message)
    known = migrations_here()
    if newer := [name for app, name in manifest.migrations if (app, name) not in known]:
        message = f"It was made by a newer version of the product, which has {newer[0]}. Install that one."
        raise Refusal("backup_newer", message)
    _check_fresh(folder / FILES)
    try:
        shutil.copytree(folder / FILES, settings.DATA_DIR, dirs_exist_ok=True)
        databases.load(folder / databases.file_name())
    except OSError as error:
        raise Refusal("restore_failed", f"{error.filename}: {error.strerror}") from error
    if (found := databases.rows()) != manifest.rows:
        wrong = sorted(table for table, _ in found.items() ^ manifest.rows.items())
        raise Refusal("restore_failed", f"Other numbers of rows than in the backup: {', '.join(wrong)}")
    accept_record()
    return manifest


def _check_fresh(files: Path) -> None:
    """Refusal not_fresh if there is a database, or another file where one would be restored."""
    if not databases.is_empty():
        raise Refusal(
            "not_fresh", "There is a database already. Restore into an empty one, and an empty DATA_DIR."
        )
    for file in data_files(files):
        place = settings.DATA_DIR / file.relative_to(files)
        if place.name != _MADE_AT_ONCE and place.exists() and digest_of(place) != digest_of(file):
            raise Refusal("not_fresh", f"{place} exists already and differs. Restore into an empty DATA_DIR.")


def _copy_files(to: Path) -> None:
    to.mkdir()
    for file in data_files(settings.DATA_DIR):
        place = to / file.relative_to(settings.DATA_DIR)
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copy2(file, place)
        except FileNotFoundError:  # an export was removed meanwhile
            continue


def _sync(folder: Path) -> None:
    """Waits until everything in the folder is on its disk."""
    for path in [*folder.rglob("*"), folder]:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
