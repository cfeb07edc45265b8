"""Makes a backup of the installation, and restores one into a fresh place."""

import os
import shutil
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from playtest.operation.backup import databases
from playtest.operation.backup.manifest import (
    FILES,
    Manifest,
    data_files,
    digest_of,
    digests_in,
    read_manifest,
)
from playtest.operation.models import MaintenanceKind
from playtest.operation.services.maintenance import record_maintenance
from playtest.play.clock import machine_now
from playtest.play.errors import Refusal

_MADE_AT_ONCE = "secret_key"
"""Every command creates it in an empty DATA_DIR: a restore replaces it."""


def make_backup(parent: Path) -> tuple[Path, str]:
    """Writes a new backup below this folder; its folder, and the digest of its manifest.

    A backup that was interrupted has no manifest, and its folder's name ends with `.partial`. Refusal:
    backup_failed, backup_place_unusable.
    """
    began = machine_now()
    name = f"playtest-{began:%Y%m%dT%H%M%S}Z"
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
        partial.rename(folder)
    except OSError as error:
        raise Refusal("backup_failed", f"{error.filename or parent}: {error.strerror}") from error
    entries, megabytes = rows["play_entry"], sum(file.stat().st_size for file in folder.rglob("*")) / 1e6
    seconds = (machine_now() - began) / timedelta(seconds=1)
    summary = f"{folder.name}: {entries} entries, {megabytes:.1f} MB, {seconds:.1f} s"
    record_maintenance(MaintenanceKind.BACKUP, began, summary, succeeded=True)
    return folder, digest


def verify_backup(folder: Path) -> Manifest:
    """Reads a backup and checks every digest. Refusal: backup_damaged."""
    return read_manifest(folder)


def restore_backup(folder: Path) -> Manifest:
    """Restores a backup into an empty database and DATA_DIR.

    Refusal: backup_damaged, backup_of_other_database, backup_newer, not_fresh (nothing is overwritten),
    restore_failed.
    """
    manifest = read_manifest(folder)
    if manifest.vendor != connection.vendor:
        message = f"This is a backup of {manifest.vendor}, and DATABASE_URL says {connection.vendor}."
        raise Refusal("backup_of_other_database", message)
    known = MigrationLoader(None).disk_migrations or {}
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
