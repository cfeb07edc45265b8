"""`manage.py retention`: erases what has been kept for its period; `--preview` says what that would be."""

import json
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from playtest.operation.retention.services import Due, apply, preview
from playtest.play.clock import machine_now


class Command(BaseCommand):
    help = "Erase the data whose period is over, as beat does daily. Leads set the periods on a page."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--preview", action="store_true", help="erase nothing: only say what would be erased"
        )
        parser.add_argument("--json", action="store_true", help="print a list of kinds, for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        at = machine_now()
        found = preview(at)
        erased: Counter[str] = Counter()
        if not options["preview"]:
            for one in apply(at):
                erased[one.kind] += one.number
        rows = [_row(one, None if options["preview"] else erased[one.kind.name]) for one in found]
        if options["json"]:
            self.stdout.write(json.dumps(rows, indent=1))
            return
        for one, row in zip(found, rows, strict=True):
            self.stdout.write(_line(one, row))


def _row(one: Due, erased: int | None) -> dict[str, Any]:
    """`due` is null where another program erases; `erased` is absent in a preview."""
    row = {
        "kind": one.kind.name,
        "days": one.period.days,
        "due": one.number,
        "oldest": one.oldest.isoformat() if one.oldest else None,
    }
    return row if erased is None else row | {"erased": erased}


def _line(one: Due, row: dict[str, Any]) -> str:
    if one.number is None:
        what = "by backup --prune"
    elif "erased" in row:
        what = f"{row['erased']} erased"
    else:
        what = f"{one.number} due" + (f", the oldest of {one.oldest:%Y-%m-%d}" if one.oldest else "")
    return f"{one.kind.name} ({one.period}): {what}"
