"""`manage.py baseline <id>`: the human baseline of each level, as a table or as JSON."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from playtest.insight.queries.baselines import LevelReport, find_version, level_reports
from playtest.play.errors import Refusal


class Command(BaseCommand):
    help = "Per level of an environment: completers, upper median, best, and the action counts behind them."

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
        """Here `--version` names the environment's version, not Django's."""
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **options)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("environment", help="the environment's four-character id")
        parser.add_argument("--version", dest="digest", default="", metavar="DIGEST_PREFIX")
        parser.add_argument(
            "--with-excluded", action="store_true", help="as if reviewers had excluded nobody"
        )
        parser.add_argument("--json", action="store_true", help='print {"levels": [...]}')

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            version = find_version(options["environment"], options["digest"])
        except Refusal as refusal:
            raise CommandError(f"{refusal.code}: {refusal.message}") from refusal
        reports = level_reports(version, with_excluded=options["with_excluded"])
        if options["json"]:
            self.stdout.write(json.dumps({"levels": [_as_json(report) for report in reports]}))
        else:
            self._print_table(reports)

    def _print_table(self, reports: list[LevelReport]) -> None:
        self.stdout.write("level  completers  upper median  best  actions")
        for report in reports:
            known = report.baseline
            median, best = (("-" if value is None else value) for value in (known.upper_median, known.best))
            counts = " ".join(map(str, known.actions))
            self.stdout.write(
                f"{report.level:>5}  {known.completers:>10}  {median:>12}  {best:>4}  {counts}".rstrip()
            )


def _as_json(report: LevelReport) -> dict[str, Any]:
    known = report.baseline
    return {
        "level": report.level,
        "completers": known.completers,
        "upper_median": known.upper_median,
        "best": known.best,
        "actions": list(known.actions),
    }
