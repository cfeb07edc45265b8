"""The database of a backup: SQLite's online backup, or a dump by PostgreSQL's own programs.

Both are one moment of the database, taken while people play. Rows are counted at that moment.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.db import connection, transaction

from playtest.play.errors import Refusal

_PAGES_AT_ONCE = 500
_PAUSE_SECONDS = 0.005
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"

type Rows = dict[str, int]


def file_name() -> str:
    """What the database is called in a backup."""
    return "database.sqlite3" if connection.vendor == "sqlite" else "database.dump"


def save(path: Path) -> Rows:
    """Writes the database to a new file; its rows by table. Refusal: backup_failed."""
    return _save_sqlite(path) if connection.vendor == "sqlite" else _save_postgresql(path)


def is_empty() -> bool:
    """Whether there is no database yet, or one without tables."""
    if connection.vendor == "sqlite" and not Path(settings.DATABASES["default"]["NAME"]).exists():
        return True
    try:
        return not connection.introspection.table_names()
    finally:
        connection.close()


def load(path: Path) -> None:
    """Puts a saved database into place, whole or not at all. Refusal: restore_failed."""
    if connection.vendor == "sqlite":
        place = Path(settings.DATABASES["default"]["NAME"])
        partial = place.with_name(f"{place.name}.restoring")
        shutil.copyfile(path, partial)
        partial.rename(place)
        return
    command = ["pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    _run([*command, "--dbname", _name(), str(path)], "restore_failed")


def rows() -> Rows:
    """The rows of each table of the database that is served."""
    with connection.cursor() as cursor:
        return dict(_counted(cursor, connection.introspection.table_names(cursor)))


def _save_sqlite(path: Path) -> Rows:
    """A few hundred pages at a time: what is written meanwhile by others makes it start again by itself."""
    with (
        closing(
            sqlite3.connect(f"file:{quote(str(connection.settings_dict['NAME']))}?mode=ro", uri=True)
        ) as source,
        closing(sqlite3.connect(path)) as copy,
    ):
        source.execute("BEGIN")  # one moment: writers append to the log meanwhile and wait for nobody
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(copy, pages=_PAGES_AT_ONCE, sleep=_PAUSE_SECONDS)
        source.rollback()
        copy.execute("PRAGMA journal_mode=DELETE")
        [(sound,)] = copy.execute("PRAGMA integrity_check(1)").fetchall()
        if sound != "ok":
            raise Refusal("backup_failed", f"The copy of the database is not sound: {sound}")
        names = [name for (name,) in copy.execute(_TABLES)]
        return dict(_counted(copy, names))


def _save_postgresql(path: Path) -> Rows:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        [snapshot] = cursor.fetchone()
        found = dict(_counted(cursor, connection.introspection.table_names(cursor)))
        command = ["pg_dump", "--format=custom", f"--snapshot={snapshot}", "--no-owner", "--no-privileges"]
        _run([*command, "--file", str(path), _name()], "backup_failed")
    _run(["pg_restore", "--list", str(path)], "backup_failed")
    return found


def _counted(cursor: Any, tables: Sequence[str]) -> Iterator[tuple[str, int]]:
    for table in sorted(tables):
        answer = cursor.execute(f'SELECT count(*) FROM "{table}"') or cursor
        yield table, answer.fetchone()[0]


def _name() -> str:
    return str(connection.settings_dict["NAME"])


def _run(command: list[str], code: str) -> None:
    """Runs one of PostgreSQL's programs; the password goes in its environment. Refusal with this code."""
    given = connection.settings_dict
    access = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    environment = {name: str(given[key]) for name, key in access.items() if given[key]}
    program = command[0]
    if shutil.which(program) is None:
        raise Refusal(code, f"{program} is not installed (Debian: apt-get install postgresql-client)")
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Refusal(code, f"{program}: {done.stderr.strip()[-400:]}")
