"""`manage.py api_key NAME`: creates an API key and prints its secret, once."""

import json
from typing import Any

from django.core.management.base import CommandParser

from playtest.arena.runs.keys import PER_MINUTE, SETS, create_key
from playtest.people.commands import CodedCommand
from playtest.studio.models.environments import ReleaseSet


class Command(CodedCommand):
    help = "Create an API key for an agent. The key is printed now and never again: only its hash is stored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="whose key it is")
        parser.add_argument(
            "--set",
            dest="sets",
            metavar="SET",
            nargs="+",
            action="extend",
            help=f"sets that it may play, of {', '.join(SETS)}; {ReleaseSet.PUBLIC} without this option",
        )
        parser.add_argument(
            "--per-minute",
            type=int,
            default=PER_MINUTE,
            metavar="N",
            help=f"requests a minute ({PER_MINUTE})",
        )
        parser.add_argument(
            "--value",
            default="",
            metavar="SECRET",
            help="a chosen key, for programs that bring a fixed one; without it, one is drawn",
        )
        parser.add_argument("--json", action="store_true", help='print {"key": ...}')

    def handle(self, *args: Any, **options: Any) -> None:
        key, secret = create_key(
            options["name"],
            options["sets"] or [ReleaseSet.PUBLIC],
            options["per_minute"],
            secret=options["value"],
        )
        if options["json"]:
            self.stdout.write(json.dumps({"key": secret}))
            return
        self.stdout.write(secret)
        self.stderr.write(
            f"{key.name}: {', '.join(key.sets)}; {key.per_minute} requests a minute."
            " The key is shown only now: store it, and send it as X-API-Key."
        )
