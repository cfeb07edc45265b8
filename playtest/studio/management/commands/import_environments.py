"""`manage.py import_environments DIR`: import environments in the official layout, one or many."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from engine.errors import SourceError
from engine.source import METADATA
from playtest.studio.services import LoadResult, load_environments


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
        if options["json"]:
            self.stdout.write(json.dumps([result.as_json() for result in results]))
            return
        for result in results:
            self.stdout.write(_line(result))
        if not results:
            self.stdout.write(f"no environment: {directory} holds no folder with a {METADATA}")


def _line(result: LoadResult) -> str:
    reason = f" ({result.reason})" if result.reason else ""
    return f"{result.environment_id}: {result.status.replace('_', ' ')}{reason}"
