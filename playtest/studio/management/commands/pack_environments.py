"""`manage.py pack_environments DIR..`: write the one source of environments made of several modules."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from engine.play.packing import ENTRY, SOURCE, is_packed, write
from playtest.people.commands import CodedCommand


class Command(CodedCommand):
    help = (
        f"Write games/<id>/<id>.py and the version in its metadata.json from games/<id>/{SOURCE}/{ENTRY}.py, "
        "the environment's own modules and those of games/_shared/."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folders", nargs="+", type=Path, help="the folders of environments")

    def handle(self, *args: Any, **options: Any) -> None:
        for folder in (path.resolve() for path in options["folders"]):
            if not is_packed(folder):
                raise CommandError(f"source_missing: there is no {SOURCE}/{ENTRY}.py in {folder}.")
            changed = write(folder)
            self.stdout.write(f"{folder.name}: {'packed' if changed else 'unchanged'}")
