"""`manage.py export_runs`: the runs of agents on a card or an environment, as tables and recordings."""

from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser

from playtest.arena.models import Scorecard
from playtest.arena.runs import export_files
from playtest.arena.runs.exports import write_and_record
from playtest.people.commands import CodedCommand
from playtest.review.services.table_files import PARQUET
from playtest.studio.models import Environment


class Command(CodedCommand):
    help = "Write the runs of a scorecard or an environment as tables, official recordings and a codebook."

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--card", metavar="ID")
        which.add_argument("--environment", metavar="CODE")
        parser.add_argument("--to", type=Path, metavar="DIR", required=True)
        parser.add_argument("--format", choices=export_files.FORMATS, default=PARQUET)
        parser.add_argument(
            "--held-out",
            action="store_true",
            help="also runs of sets whose runs may not leave this server; recorded",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            written = write_and_record(
                _chosen(options), options["to"], options["format"], held_out=options["held_out"]
            )
        except OSError as error:
            raise CommandError(f"writing_failed: {error}") from error
        for name, count in written.rows.items():
            self.stdout.write(f"{name}: {count}")
        self.stdout.write(f"recordings: {written.recordings}")
        self.stdout.write(f"digest: {written.digest}")
        if written.held_back:
            self.stdout.write(f"held back, as their set is not public: {written.held_back}")


def _chosen(options: dict[str, Any]) -> Scorecard | Environment:
    if (code := options["environment"]) is not None:
        environment = Environment.objects.filter(code=code).first()
        if environment is None:
            raise CommandError(f"environment_unknown: there is no environment {code!r}.")
        return environment
    try:
        card_id = UUID(options["card"])
    except ValueError as error:
        raise CommandError("card_unknown: a scorecard's id is a UUID.") from error
    card = Scorecard.objects.filter(card_id=card_id).first()
    if card is None:
        raise CommandError(f"card_unknown: there is no scorecard {card_id}.")
    return card
