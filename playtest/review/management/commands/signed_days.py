"""`manage.py signed_days`: checks the signed days; `--sign` signs days first, `--json` prints the lists."""

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser

from playtest.people.commands import CodedCommand
from playtest.play.clock import now
from playtest.play.journal.anchors import send_anchors
from playtest.play.journal.days import accept_record, sign_days
from playtest.review.queries.signed_days import check_days, exported_days


class Command(CodedCommand):
    help = "List the signed days. Exit status 1 if one is not valid."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--sign", action="store_true", help="first sign the days that are over")
        parser.add_argument(
            "--accept",
            action="store_true",
            help="go on from the days that are there, as after a restore: what was signed later is lost",
        )
        parser.add_argument("--json", action="store_true", help="write all lists as docs/journal.md says")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["accept"]:
            accept_record()
        signed = sign_days(now()) if options["sign"] else []
        if options["sign"]:
            send_anchors()
        if options["json"]:
            self.stdout.write(json.dumps(exported_days(), indent=1))
            return
        days = check_days()
        if options["sign"]:
            self.stdout.write(f"{len(signed)} days signed now")
        for one in days:
            attempts = len(one.content.heads) if one.content else 0
            self.stdout.write(f"{one.day.day}  {one.day.digest}  {attempts} attempts  {one.code}")
        if wrong := sum(not one.ok for one in days):
            raise CommandError(f"days_differ: {wrong} of {len(days)} days are not valid.")
