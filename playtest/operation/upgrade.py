"""What this version would do to an installation of an earlier one, before it does.

Migrations run on a copy of the database: the time is measured on this machine with this data, and rows are
counted before and after. Settings and packages are compared with the source of the version before.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations import Migration, RunPython, RunSQL, SeparateDatabaseAndState
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation

from engine.errors import SourceError
from playtest.operation.backup import databases
from playtest.people.release import version
from playtest.people.sign_ins import without_an_end
from playtest.play.errors import Refusal
from playtest.studio.services.shipped import proposals

COMMAND = "preview_upgrade"
_DJANGOS = ("django_", "auth_permission")
"""Tables in which Django notes what there is: their rows follow."""
_SETTING = re.compile(r"^\| (`[^|]*`) \|", re.MULTILINE)
_NAME = re.compile(r"`([A-Z][A-Z_]+)")
_PIN = re.compile(r"^([\w.\[\]-]+)==(\S+)", re.MULTILINE)
_RELEASE = re.compile(r"^## (?:Next, )?(\d+\.\d+\.\d+)\b.*$", re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """What a version says of itself. `notes` are headings of the changelog by release, newest first."""

    release: str
    notes: dict[str, str]
    settings: frozenset[str]
    packages: dict[str, str]


@dataclass(frozen=True)
class Trial:
    """What the migrations did to a copy.

    `rows` are those before and after of each table in which these differ, None where there is no table;
    `environments` is what would be proposed, `sign_ins` how many would end.
    """

    seconds: float
    rows: dict[str, tuple[int | None, int | None]]
    environments: list[str]
    sign_ins: int


@dataclass(frozen=True)
class Preview:
    """`migrations` are names with what they do; `trial` is None where `untried` says why."""

    version: str
    migrations: list[tuple[str, list[str]]]
    trial: Trial | None = None
    untried: str = ""
    before: str = ""
    notes: list[str] = field(default_factory=list)
    settings_new: list[str] = field(default_factory=list)
    settings_gone: list[str] = field(default_factory=list)
    packages: list[str] = field(default_factory=list)


def preview(before: Path | None) -> Preview:
    """What an upgrade would do. `before`: the folder of the source of the version before, if it is known."""
    migrations = [_described(one) for one in _waiting()]
    try:
        trial, untried = _tried(), ""
    except (DatabaseError, OSError, Refusal) as error:
        trial, untried = None, str(error).strip()
    found = Preview(version(), migrations, trial, untried)
    return found if before is None else _compared(found, source(before), source(settings.BASE_DIR))


def source(folder: Path) -> Source:
    """Reads the source in a folder; what an older version does not have is empty."""

    def text(name: str) -> str:
        return path.read_text() if (path := folder / name).exists() else ""

    notes = {match[1]: match[0].removeprefix("## ") for match in _RELEASE.finditer(text("CHANGELOG.md"))}
    release = text("VERSION").strip() or next(iter(notes), "")
    rows = " ".join(_SETTING.findall(text("docs/configuration.md")))
    return Source(release, notes, frozenset(_NAME.findall(rows)), dict(_PIN.findall(text("constraints.txt"))))


def _compared(found: Preview, before: Source, now: Source) -> Preview:
    pins = sorted(before.packages.keys() | now.packages.keys(), key=str.lower)
    return Preview(
        found.version, found.migrations, found.trial, found.untried,
        before=before.release,
        notes=[note for release, note in now.notes.items() if _order(release) > _order(before.release)],
        settings_new=sorted(now.settings - before.settings),
        settings_gone=sorted(before.settings - now.settings),
        packages=[
            f"{name} {before.packages.get(name, 'new')} -> {now.packages.get(name, 'gone')}"
            for name in pins
            if before.packages.get(name) != now.packages.get(name)
        ],
    )  # fmt: skip


def _order(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split("."))) if release else ()


def _waiting() -> list[Migration]:
    executor = MigrationExecutor(connection)
    return [migration for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def _described(migration: Migration) -> tuple[str, list[str]]:
    return f"{migration.app_label}.{migration.name}", list(_changes_in_words(migration.operations))


def _changes_in_words(operations: Sequence[Operation]) -> Iterator[str]:
    for one in operations:
        if isinstance(one, SeparateDatabaseAndState):
            yield from _changes_in_words(one.database_operations)
        elif isinstance(one, RunPython):
            yield f"Change rows: {getattr(one.code, '__name__', '').strip('_').replace('_', ' ')}"
        elif not isinstance(one, RunSQL):
            yield one.describe()


def _tried() -> Trial:
    """Migrates a copy in a process of its own."""
    size = _megabytes()
    with TemporaryDirectory(prefix="playtest-copy-") as name, _database_for_a_copy() as url:
        folder = Path(name)
        free = shutil.disk_usage(folder).free / 1e6
        if free < 3 * size + settings.DISK_FREE_MEGABYTES:
            raise OSError(f"{folder.parent} has too little room for a copy ({free:.0f} MB; see TMPDIR)")
        copy = folder / databases.file_name()
        databases.save(copy)
        given = {"DATA_DIR": name, "DATABASE_URL": url, "REDIS_URL": "", "SECRET_KEY": settings.SECRET_KEY}
        done = subprocess.run(
            [sys.executable, "manage.py", COMMAND, "--on-copy", str(copy)],
            cwd=settings.BASE_DIR, env={**os.environ, **given}, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        raise Refusal("migration_failed", f"the migrations failed on a copy: {done.stderr.strip()[-600:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    return Trial(**found | {"rows": {table: tuple(pair) for table, pair in found["rows"].items()}})


def try_on_copy(saved: Path) -> dict[str, Any]:
    """Fills the empty database of this process from a saved one, and migrates it; the fields of a `Trial`."""
    databases.load(saved)
    before = databases.rows()
    began = time.perf_counter()
    call_command("migrate", verbosity=0, interactive=False)
    seconds = time.perf_counter() - began
    after = databases.rows()
    rows = {
        table: (before.get(table), after.get(table))
        for table in sorted(before.keys() | after.keys())
        if before.get(table) != after.get(table) and not table.startswith(_DJANGOS)
    }
    try:
        environments = [f"{one.code} ({one.status})" for one in proposals(settings.GAMES_DIR)]
    except SourceError:
        environments = []
    sign_ins = len(without_an_end())
    return {"seconds": seconds, "rows": rows, "environments": environments, "sign_ins": sign_ins}


def _megabytes() -> float:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            return Path(settings.DATABASES["default"]["NAME"]).stat().st_size / 1e6
        cursor.execute("SELECT pg_database_size(current_database())")
        return float(cursor.fetchone()[0]) / 1e6


@contextmanager
def _database_for_a_copy() -> Iterator[str]:
    """The DATABASE_URL of an empty database; "" for SQLite. Raises DatabaseError if none may be made."""
    if connection.vendor == "sqlite":
        yield ""
        return
    name = f"{connection.settings_dict['NAME']}_upgrade"
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}"')
        try:
            yield urlsplit(settings.DATABASE_URL)._replace(path=f"/{name}").geturl()
        finally:
            cursor.execute(f'DROP DATABASE "{name}"')
