"""`manage.py import_environments DIR`: import environments in the official layout, one or many."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from engine.errors import SourceError
from engine.play.source import METADATA
from playtest.studio.management.shared import print_results
from playtest.studio.services import load_environments


class Command(BaseCommand):
    help = (
        "Import environments in the official layout: DIR/<id>/[<version>/] with <id>.py and metadata.json. "
        "Known versions stay as they are. A broken one is rejected with the reason and stops no other."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path, help="folder with a folder for each environment")
        parser.add_argument("--json", action="store_true", help="print the results as JSON, and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        directory: Path = options["directory"].resolve()
        try:
            results = load_environments(directory)
        except SourceError as error:
            raise CommandError(f"{error.code}: {error.message}") from error
        none = f"no environment: {directory} holds no folder with a {METADATA}"
        print_results(self.stdout, results, as_json=options["json"], none=none)
