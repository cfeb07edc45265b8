"""A migrated, empty database to copy: all migrations take longer than most files of tests."""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from django.conf import settings
from django.db import connection, transaction

from tests.live.seeder import ROOT, SETTINGS

CACHE = ROOT / ".pytest_cache" / "migrated"
# What a migrated, empty database is made from.
SOURCES = [
    "constraints.txt",
    "playtest/*/migrations/*.py",
    "playtest/*/apps.py",
    "playtest/*/manifest.py",
    "playtest/people/append_only.py",
    "playtest/people/record/*.py",
    "playtest/play/journal/triggers.py",
]


def make_template(folder: Path) -> Path:
    """Makes the database, in SQLite the file that is returned, in PostgreSQL the one with that file's name.

    It comes from what is stored for later runs, until a source of it changes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"template_{uuid.uuid4().hex[:12]}"
    if os.environ.get("DATABASE_URL"):
        dump = stored("sql", dumped_from_postgresql)
        url = create_database(path.name)
        restore = ["psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
        subprocess.run([*restore, "--single-transaction", f"--file={dump}", url], check=True)
        return path
    copy_sqlite_template(path)
    return path


def copy_sqlite_template(path: Path) -> None:
    """Makes the database in SQLite, whatever the tests run on."""
    shutil.copy(stored("sqlite3", migrated_in_sqlite), path)


def stored(kind: str, make: Callable[[Path], Path]) -> Path:
    """The stored file of this kind; `make` makes it in a folder if there is none from today's sources."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"lock_{kind}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        cached = CACHE / f"{sources_digest()}.{kind}"
        if not cached.exists():
            for older in CACHE.glob(f"*.{kind}"):
                older.unlink()
            with TemporaryDirectory(dir=CACHE) as folder:
                make(Path(folder)).rename(cached)
    return cached


def migrated_in_sqlite(folder: Path) -> Path:
    migrate({"DATABASE_URL": "", "DATA_DIR": str(folder)})
    made = folder / "playtest.sqlite3"
    with closing(sqlite3.connect(made)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return made


def dumped_from_postgresql(folder: Path) -> Path:
    """Statements that make a migrated database in a second; migrations take a sixth of these tests' time."""
    url, dump = create_database(f"migrated_{uuid.uuid4().hex[:12]}"), folder / "dump"
    migrate({"DATABASE_URL": url, "DATA_DIR": str(folder)})
    subprocess.run(["pg_dump", "--no-owner", f"--file={dump}", url], check=True)
    return dump


def create_database(name: str) -> str:
    """The URL of a new, empty database in PostgreSQL."""
    with server_connection() as postgresql:
        postgresql.execute(f'CREATE DATABASE "{name}"'.encode())
    return f"{server_url()}/{name}"


def migrate(environment: dict[str, str]) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env={**os.environ, **SETTINGS, **environment},
        check=True,
    )


def sources_digest() -> str:
    found = hashlib.sha256()
    for place in sorted(place for pattern in SOURCES for place in ROOT.glob(pattern)):
        found.update(f"{place.name}\0".encode() + place.read_bytes())
    return found.hexdigest()


@contextmanager
def copied_database(template: Path) -> Iterator[None]:
    """Django's connection in this process leads to a copy of the template: in memory, or in PostgreSQL."""
    if connection.vendor == "sqlite":
        point_at("file:tests?mode=memory&cache=shared")
        connection.ensure_connection()
        with closing(sqlite3.connect(template)) as source:
            source.backup(connection.connection)
        yield
        return
    name = f"test_{uuid.uuid4().hex[:12]}"
    with server_connection() as postgresql:
        postgresql.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template.name}"'.encode())
    point_at(name)
    yield
    connection.close_pool()  # type: ignore[attr-defined]  # only PostgreSQL's connection has one
    with server_connection() as postgresql:
        # Playwright calls back in contexts of its own, for which Django opens connections that nobody closes.
        postgresql.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@contextmanager
def free_of_triggers() -> Iterator[None]:
    """What somebody does who switches the triggers off for it, and on again."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
            yield
            cursor.execute("SET LOCAL session_replication_role = origin")
        else:
            connection.connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, False)
            try:
                yield
            finally:  # no transaction undoes it
                connection.connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, True)


def point_at(name: str) -> None:
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name


def server_connection() -> psycopg.Connection:
    return psycopg.connect(f"{server_url()}/postgres", autocommit=True)


def server_url() -> str:
    """The URL of PostgreSQL without a database's name."""
    return os.environ["DATABASE_URL"].rpartition("/")[0]


def database_name(database: str) -> str:
    """Returns the database's name: a file, or the last part of a URL."""
    return database.rpartition("/")[2] if database.startswith("postgres") else database


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Path]) -> Path:
    """What `make` returned for a folder: it is called by the first of this run's processes that asks."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    note = folder / f"{name}.made"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not note.exists():
            note.write_text(str(make(folder)))
    return Path(note.read_text())
