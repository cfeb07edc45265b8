"""`manage.py retention`: erases what has been kept for its period; `--preview` says what that would be."""

import json
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from playtest.operation.retention.services import apply, preview
from playtest.play.clock import machine_now


class Command(BaseCommand):
    help = "Erase the data whose period is over, as beat does daily. Leads set the periods on a page."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--preview", action="store_true", help="erase nothing: only say what is due")
        parser.add_argument("--json", action="store_true", help="print a list of kinds, for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        at = machine_now()
        found = preview(at)
        erased: Counter[str] = Counter()
        if not options["preview"]:
            for row in apply(at):
                erased[row.kind] += row.number
        if options["json"]:
            rows = [
                {
                    "kind": one.kind.name,
                    "days": one.period.days,
                    "due": one.number,
                    "oldest": one.oldest and one.oldest.isoformat(),
                    "erased": erased[one.kind.name],
                }
                for one in found
            ]
            self.stdout.write(json.dumps(rows, indent=1))
            return
        for one in found:
            due = "erased by backup --prune" if one.number is None else f"{one.number} due"
            self.stdout.write(f"{one.kind.name} ({one.period}): {due}, {erased[one.kind.name]} erased")
