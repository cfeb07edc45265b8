"""`manage.py solve ID --level N`: a shortest win of a level, searched over the rules of its environment."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from engine.play.source import fresh_module
from engine.prove.search import SEARCH, load_search, solve
from playtest.people.commands import CodedCommand
from playtest.studio.services.drafts import read_source


class Command(CodedCommand):
    help = (
        "Search a shortest win of one level, or of every level, of an environment in a folder games/. Its "
        f"{SEARCH} says how its rules are searched: puzzle(rules, level), and actions(text)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", help="the environment's id, a folder in games/")
        parser.add_argument("--level", type=int, help="only this level, from 1")
        parser.add_argument("--games", type=Path, default=settings.GAMES_DIR, metavar="DIR")

    def handle(self, *args: Any, **options: Any) -> None:
        folder, level = options["games"].resolve() / options["id"], options["level"]
        try:
            rules = fresh_module(read_source(folder))
            search = load_search(folder)
        except FileNotFoundError as error:
            message = f"search_missing: {folder.name} has no {SEARCH}. `manage.py explore` plays it instead."
            raise CommandError(message) from error
        levels = range(1, len(rules.LEVELS) + 1)
        if level is not None and level not in levels:
            raise CommandError(f"level_unknown: {folder.name} has the levels 1 to {len(levels)}.")
        for number in levels if level is None else [level]:
            steps = solve(search.puzzle(rules, number))
            if steps is None:
                self.stdout.write(f"{number}: cannot be won")
            else:
                count = len([*search.actions(" ".join(steps))])
                self.stdout.write(f"{number}: {count} action{'' if count == 1 else 's'}: {' '.join(steps)}")
