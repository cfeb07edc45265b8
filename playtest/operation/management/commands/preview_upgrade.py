"""`manage.py preview_upgrade`: what this version would add, change and migrate, and how long that takes."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from playtest.operation.upgrade import Preview, preview, try_on_copy


class Command(BaseCommand):
    help = "Say what this version would do to the installation of an earlier one. It changes nothing."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true")
        source = "the source of the version before, to compare settings and packages with"
        parser.add_argument("--before", type=Path, metavar="FOLDER", help=source)
        parser.add_argument("--on-copy", type=Path, metavar="FILE", help="of this command itself")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["on_copy"]:
            self.stdout.write(json.dumps(try_on_copy(options["on_copy"])))
            return
        found = preview(options["before"])
        self.stdout.write(json.dumps(asdict(found), indent=1) if options["json"] else "\n".join(_said(found)))


def _said(found: Preview) -> Iterator[str]:
    yield f"upgrade {f'from {found.before} ' if found.before else ''}to {found.version}"
    yield from _listed("what is new (CHANGELOG.md)", found.notes)
    yield f"migrations: {len(found.migrations)}{_time(found)}"
    for name, does in found.migrations:
        yield f"  {name}: {'; '.join(does) or 'rows and triggers'}"
    if found.trial is not None:
        yield from _tables(found.trial.rows)
        yield from _listed("environments that are shipped and stay unloaded until a designer imports them",
                           found.trial.environments)  # fmt: skip
        if found.trial.sign_ins:
            yield f"sign-ins of staff that end, because they had no end of their own: {found.trial.sign_ins}"
    if not found.before:
        yield "settings and packages were not compared: name the source of the version before by --before"
        return
    yield from _listed("new settings (docs/configuration.md)", found.settings_new)
    yield from _listed("settings that are no longer read: take them out", found.settings_gone)
    yield from _listed("packages", found.packages)


def _time(found: Preview) -> str:
    if found.trial is None:
        return f". How long they take is not known, because no copy could be tried: {found.untried}"
    return f", about {found.trial.seconds:.1f} s, as tried on a copy of this database"


def _tables(rows: dict[str, tuple[int | None, int | None]]) -> Iterator[str]:
    yield from _listed(
        "tables added or renamed", [table for table, (before, _) in rows.items() if before is None]
    )
    yield from _listed(
        "tables removed or renamed", [table for table, (_, after) in rows.items() if after is None]
    )
    changed = [
        f"{table} {before} -> {after}"
        for table, (before, after) in rows.items()
        if None not in (before, after)
    ]
    yield from _listed("tables whose number of rows changes", changed)


def _listed(title: str, things: Iterable[str]) -> Iterator[str]:
    things = list(things)
    yield f"{title}: {', '.join(things) or 'none'}"
