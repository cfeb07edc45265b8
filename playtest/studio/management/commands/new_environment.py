"""`manage.py new_environment ID`: write a runnable starting point, from a card if there is one."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from engine.play.packing import PACKAGE
from playtest.people.commands import CodedCommand
from playtest.rules.cards import CardContent, check_id
from playtest.rules.errors import RuleError
from playtest.studio.models import Environment
from playtest.studio.queries.cards import content_of_environment
from playtest.studio.starting_point import write_folder


class Command(CodedCommand):
    help = (
        "Write DIR/<id> with metadata.json, NOTE.md, the modules of source/ and the source packed from them, "
        "recordings, a search and a test: an environment that runs, to be changed. With --from-card, levels, "
        "controls and note are those of its specification card."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="the environment's four-character id")
        parser.add_argument("--from-card", action="store_true", help="use the card with this id")
        parser.add_argument(
            "--to", type=Path, default=settings.GAMES_DIR, metavar="DIR", help="a folder games/"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        code: str = options["id"]
        games: Path = options["to"].resolve()
        folder = games / code
        try:
            check_id(code)
            _check_target(games, folder)
            title, content = _card(code) if options["from_card"] else ("", CardContent())
            write_folder(games, code, title, content)
        except OSError as error:
            raise CommandError(f"target_unfit: {error}") from error
        self.stdout.write(f"{code}: written to {folder}")
        self.stdout.write(f"after a change: manage.py pack_environments {folder}")


def _check_target(games: Path, folder: Path) -> None:
    if games.name != PACKAGE:
        message = f"modules import each other by `from {PACKAGE}...`: name a folder {PACKAGE}/."
        raise RuleError("target_unfit", message)
    if folder.exists():
        raise RuleError("folder_exists", f"{folder} exists already: nothing is overwritten.")


def _card(code: str) -> tuple[str, CardContent]:
    environment = Environment.objects.filter(code=code).first()
    content = content_of_environment(environment) if environment else None
    if environment is None or content is None:
        raise RuleError("card_unknown", f"There is no specification card {code!r} here.")
    return environment.title, content
