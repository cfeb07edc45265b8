"""`manage.py arena`: prepares an installation for agents, before people have played on it."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandParser

from playtest.arena.models import ApiKey
from playtest.arena.runs.keys import create_key
from playtest.people.commands import CodedCommand
from playtest.play.errors import Refusal
from playtest.serve.deployment import public
from playtest.studio.models import Environment
from playtest.studio.models.environments import ReleaseSet
from playtest.studio.services import load_environments
from playtest.studio.services.catalogue import fill_set


class Command(CodedCommand):
    help = "Prepare this installation for agents: a folder in the public set, a key, no demonstration."
    requires_system_checks = []  # as `prepare`

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--games", type=Path, default=settings.GAMES_DIR, help="folder in the official layout (GAMES_DIR)"
        )
        parser.add_argument(
            "--key", default="", help="a chosen key; without it, one is drawn at the first time"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        games: Path = options["games"].resolve()
        call_command("prepare", only="first", without_demo=True, games=games, stdout=self.stdout)
        found = load_environments(games, with_recordings=False)
        for one in found:
            if one.status == "asks":
                self.stderr.write(f"{one.environment_id} stays as it is: {one.reason}")
        fill_set((one.environment_id for one in found), ReleaseSet.PUBLIC)
        secret = new_key(options["key"])
        root = settings.CENTER_URL.rstrip("/")
        count = Environment.objects.interactive().filter(release_set=ReleaseSet.PUBLIC).count()
        self.stdout.write(f"agents:       {count} environments in the public set, API at {root}/api/")
        self.stdout.write(f"  export ARC_BASE_URL={root}")
        at = urlsplit(root)
        port = at.port or (443 if at.scheme == "https" else 80)
        self.stdout.write(
            f"  export SCHEME={at.scheme} HOST={at.hostname} PORT={port}  # ARC-AGI-3-Agents reads these, too"
        )
        if secret:
            self.stdout.write(f"  export ARC_API_KEY={secret}  # shown only now")
        if not public():
            self.stdout.write("  from this machine no key is needed, and there is no limit")


def new_key(chosen: str) -> str:
    """The new key's secret; "" if none is needed. Refusal as `create_key`."""
    try:
        if chosen or not ApiKey.objects.exists():
            return create_key("Agents", secret=chosen)[1]
    except Refusal as refusal:
        if refusal.code != "secret_taken":  # the same command again
            raise
    return ""
