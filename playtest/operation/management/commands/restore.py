"""`manage.py restore`: puts a backup into a fresh place."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from playtest.operation.backup.services import restore_backup
from playtest.people.commands import CodedCommand
from playtest.review.services.withdrawal import erase_again
from playtest.review.services.withdrawal_list import NAME, list_path


class Command(CodedCommand):
    help = "Restore a backup into an empty database and DATA_DIR. It overwrites nothing."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("backup", type=Path, metavar="BACKUP", help="the folder of one backup")

    def handle(self, *args: Any, **options: Any) -> None:
        manifest = restore_backup(options["backup"])
        beside = options["backup"].resolve().parent / NAME
        listed = beside.exists() or list_path().exists()
        again = None if _migrations_wait() else erase_again(beside)
        if not listed:
            self.stderr.write(
                f"No list of withdrawals is at {list_path()} or {beside}: who withdrew later is back."
                f" Put the newest {NAME} at either place and run: manage.py prepare. (withdrawals_missing)"
            )
        if again is None:
            self.stdout.write(f"prepare will erase who had withdrawn by {list_path()}")
        else:
            self.stdout.write(f"people who had withdrawn after this backup, erased again: {again}")
        self.stdout.write(
            f"restored the backup of {manifest.made_at}: {manifest.rows['play_entry']} entries\n"
            "Next: manage.py prepare, then manage.py audit"
        )


def _migrations_wait() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
