"""`manage.py restore`: puts a backup into a fresh place."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from playtest.operation.backup.services import restore_backup
from playtest.play.errors import Refusal


class Command(BaseCommand):
    help = "Restore a backup into an empty database and DATA_DIR. It overwrites nothing."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("backup", type=Path, metavar="BACKUP", help="the folder of one backup")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest = restore_backup(options["backup"])
        except Refusal as refusal:
            raise CommandError(f"{refusal.code}: {refusal.message}") from refusal
        self.stdout.write(
            f"restored the backup of {manifest.made_at}: {manifest.rows['play_entry']} entries\n"
            "Next: manage.py prepare, then manage.py audit"
        )
