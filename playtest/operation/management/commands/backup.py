"""`manage.py backup`: saves database and files while people play."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from playtest.operation.backup.services import make_backup, prune, read_manifest
from playtest.people.commands import CodedCommand
from playtest.play.clock import machine_now


class Command(CodedCommand):
    help = "Save the database and the files of DATA_DIR into a new folder below DIR, while people play."

    def add_arguments(self, parser: CommandParser) -> None:
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("--to", type=Path, metavar="DIR", help="where backups are kept")
        where.add_argument("--verify", type=Path, metavar="BACKUP", help="only check a backup's digests")
        text = "afterwards delete those in DIR that are older than leads have them kept (page Retention)"
        parser.add_argument("--prune", action="store_true", help=text)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verify"]:
            found = read_manifest(options["verify"])
            self.stdout.write(f"sound: {len(found.digests)} files, {found.rows['play_entry']} entries")
            return
        folder, digest = make_backup(options["to"])
        pruned = prune(options["to"], machine_now()) if options["prune"] else []
        self.stdout.write(f"{folder}\nsha256 of its manifest: {digest}")
        for name in pruned:
            self.stdout.write(f"deleted, as its period is over: {name}")
