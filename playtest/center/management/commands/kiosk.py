"""`manage.py kiosk`: writes the configurations of the browsers at the stations."""

import shlex
from getpass import getpass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from playtest.center.stations import kiosk
from playtest.rules.errors import RuleError


class Command(BaseCommand):
    help = "Write configurations of Safe Exam Browser and Chromium that show this center's pages only."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--url", required=True, help="as https://center.example.org")
        parser.add_argument("--quit-password", help="by which staff quit Safe Exam Browser")
        parser.add_argument("--to", type=Path, default=Path("kiosk"), help="the folder; default: kiosk")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            kiosk.origin(options["url"])
            password = options["quit_password"] or getpass("Password to quit Safe Exam Browser: ")
            files = {
                "station.seb": kiosk.safe_exam_browser(options["url"], password),
                "chromium-policies.json": kiosk.chromium_policies(options["url"]).encode(),
                "chromium-kiosk.sh": _script(options["url"]).encode(),
            }
        except RuleError as error:
            raise CommandError(f"{error.message} ({error.code})") from error
        folder: Path = options["to"]
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
            self.stdout.write(str(folder / name))
        (folder / "chromium-kiosk.sh").chmod(0o755)


def _script(url: str) -> str:
    command = " \\\n  ".join(shlex.quote(part) for part in kiosk.chromium_command(url))
    return f'#!/bin/sh\n# Starts Chromium as a station (docs/stations.md).\nexec {command} "$@"\n'
