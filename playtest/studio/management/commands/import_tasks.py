"""`manage.py import_tasks PLACE`: import static tasks in the official JSON, one or folders of hundreds."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from engine.errors import TaskError
from playtest.studio.management.shared import print_results
from playtest.studio.services.tasks import load_tasks


class Command(BaseCommand):
    help = (
        "Import static tasks in the official JSON: a file, or all .json files of a folder and of the folders "
        "in it. A task's id is the name of its file. Known versions stay as they are. A broken one is "
        "rejected with the reason and stops no other."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("place", type=Path, metavar="DIR", help="a file, or a folder of tasks")
        parser.add_argument("--json", action="store_true", help="print the results as JSON, and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        place: Path = options["place"].resolve()
        try:
            results = load_tasks(place)
        except TaskError as error:
            raise CommandError(f"{error.code}: {error.message}") from error
        none = f"no task: {place} holds no .json file"
        print_results(self.stdout, results, as_json=options["json"], none=none)
