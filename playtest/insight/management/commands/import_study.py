"""`manage.py import_study PATH`: data from elsewhere as a study of its own."""

import json
import os
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from playtest.insight.outside.importing import import_data, summary
from playtest.people.commands import CodedCommand


class Command(CodedCommand):
    help = (
        "Import a zip or a folder of recordings, or a data package, as a study from outside. What is stored "
        "already is left alone, so that an interrupted import can be begun again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH")
        parser.add_argument("--name", default="", help="of the study; by default that of the file")
        parser.add_argument("--source", default="", help="where the data are from, shown on every page")
        parser.add_argument("--licence", default="", help="the licence of the data")
        parser.add_argument(
            "--undo",
            choices=("counted", "left-out"),
            help="whether undo is an action; by default as in most last lines of the recordings",
        )
        parser.add_argument("--json", action="store_true", help="print what came of it as JSON")
        parser.add_argument(
            "--processes", type=int, default=min(os.cpu_count() or 1, 4), help="how many play at once"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        def report(done: int, total: int) -> None:
            if not options["json"] and (done == total or done % 10 == 0):
                self.stdout.write(f"{done} of {total} files")

        made = import_data(
            options["path"],
            name=options["name"],
            source=options["source"],
            licence=options["licence"],
            undo_counts=None if options["undo"] is None else options["undo"] == "counted",
            processes=max(1, options["processes"]),
            report=report,
        )
        found = summary(made)
        if options["json"]:
            self.stdout.write(json.dumps(found, indent=1))
            return
        self.stdout.write(
            f"{found['study']}: {found['attempts']} attempts, {found['wins']} wins, "
            f"{found['participants']} participants, {found['undo']}"
        )
        for one in found["differences"]:
            self.stdout.write(one.get("figure") or f"{one['file']} differs from action {one['action']} on")
        for one in found["counts"]:
            self.stdout.write(
                f"{one['file']}: {one['what']} {one['ours']} here, "
                f"{one['source']} in its last line; {one['reason']}"
            )
        for one in found["levels"]:
            if one["reason"]:
                self.stdout.write(
                    f"{one['environment']} level {one['level']}: {one['baseline'] or 'none'} here, "
                    f"{one['metadata']} in the metadata; {one['reason']}"
                )
        for one in found["skipped"]:
            self.stderr.write(f"{one['file']} is left out: {one['reason']}")
