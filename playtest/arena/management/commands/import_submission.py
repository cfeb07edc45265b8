"""`manage.py import_submission FILE --name NAME`: scores a program's answers to static tasks."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from playtest.arena.runs.keys import SETS
from playtest.arena.scores.submissions import import_submission, standing_of
from playtest.people.commands import CodedCommand


class Command(CodedCommand):
    help = (
        "Import a program's answers to static tasks in the official form, "
        '{task: [{"attempt_1": grid, "attempt_2": grid}]}, and score them over all tasks of a set.'
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--name", required=True, help="the program that answered")
        parser.add_argument("--cost", type=float, metavar="DOLLARS", help="what all answers cost")
        parser.add_argument(
            "--set",
            dest="release_set",
            default="",
            metavar="SET",
            help=f"of {', '.join(SETS)}; without it the one that all tasks of the file are in",
        )
        parser.add_argument("--description", default="", help="how it works and how it was run")
        parser.add_argument("--code-url", default="", help="where its code is public")
        parser.add_argument("--json", action="store_true", help="print the score as JSON, and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            file = import_submission(
                options["file"].read_bytes(),
                program=options["name"],
                release_set=options["release_set"],
                cost=options["cost"],
                description=options["description"],
                code_url=options["code_url"],
            )
        except OSError as error:
            raise CommandError(f"file_unreadable: {error.strerror}.") from error
        standing, _ = standing_of(file)
        score = standing.score
        if options["json"]:
            facts = {
                "id": file.pk,
                "digest": file.digest,
                "set": file.release_set,
                "tasks": score.tasks,
                "answered": standing.answered,
                "solved_tasks": score.solved_tasks,
                "pairs": score.pairs,
                "solved_pairs": score.solved_pairs,
                "partial": float(score.partial),
            }
            self.stdout.write(json.dumps(facts))
            return
        self.stdout.write(
            f"{file.program}: {score.solved_tasks} of {score.tasks} tasks solved ({standing.percent:.1f} %), "
            f"{score.solved_pairs} of {score.pairs} pairs, partial credit {standing.partial_percent:.1f} %; "
            f"{standing.answered} tasks answered."
        )
