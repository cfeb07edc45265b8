"""`manage.py baseline <id>`: prints a human baseline, of today or released; publishes it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.http import QueryDict

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import Release
from playtest.insight.pages.baseline.releases import (
    Input,
    find_release,
    has_inputs,
    level_numbers,
    released_inputs,
    released_protocols,
)
from playtest.insight.pages.baseline.report import BaselineReport, LevelReport, baseline_report
from playtest.insight.requests import find_version
from playtest.insight.scope import EVERYONE, WITH, scope_of
from playtest.insight.services.publishing import publish
from playtest.insight.services.releases import check_complete, check_kind, check_people, check_scope
from playtest.people.commands import CodedCommand
from playtest.play.errors import Refusal
from playtest.rules.text import counted
from playtest.studio.models import Version

type Row = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """The baseline to print. `check`, given --provisional, refuses what must not be published."""

    version: Version
    levels: list[Row]
    facts: dict[str, Any]
    check: Callable[[bool], None]


class Command(CodedCommand):
    help = (
        "For each level of an environment: completers, upper median with its interval, best (the fewest "
        "actions of a completer), fewest known (of people, explorations and recordings), and the action "
        "counts. --write puts the baseline into metadata.json."
    )

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
        """Makes `--version` the version of the environment, not that of Django."""
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **options)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("environment", help="the environment's four-character id")
        parser.add_argument("--version", dest="digest", default="", metavar="DIGEST_PREFIX")
        parser.add_argument("--with-excluded", action="store_true", help="count excluded results, too")
        parser.add_argument("--study", default="", metavar="ID", help="one study or rehearsal")
        parser.add_argument(
            "--protocol", default="", metavar="N", help="with --study: one version of its protocol"
        )
        parser.add_argument("--release", type=int, metavar="NUMBER", help="the baseline as it was released")
        parser.add_argument("--json", action="store_true", help='print {"levels": [...]}')
        parser.add_argument("--write", action="store_true", help="put baseline_actions into metadata.json")
        parser.add_argument(
            "--games",
            type=Path,
            default=settings.GAMES_DIR,
            metavar="DIR",
            help="where --write finds the environment",
        )
        parser.add_argument(
            "--provisional", action="store_true", help="--write although too few people count"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        answer = _released(options) if options["release"] is not None else _today(options)
        if options["write"]:
            answer.facts["written"] = str(_write(answer, options))
        if options["json"]:
            self.stdout.write(json.dumps({"levels": answer.levels, **answer.facts}))
        else:
            self._print_table(answer)

    def _print_table(self, answer: Answer) -> None:
        self.stdout.write("level  completers  upper median  best  fewest known  interval  actions")
        for row in answer.levels:
            median, best = _shown(row["upper_median"]), _shown(row["best"])
            fewest = _shown(row.get("fewest_known", row.get("optimal")))
            between = "-" if row["low"] is None else f"{row['low']}..{row['high']}"
            counts = " ".join(map(str, row["actions"]))
            self.stdout.write(
                f"{row['level']:>5}  {row['completers']:>10}  {median:>12}  {best:>4}  {fewest:>12}  "
                f"{between:>8}  {counts}".rstrip()
            )
        facts = answer.facts
        people = counted(facts["people"], "counted person", "counted people")
        self.stdout.write(f"{people}{': provisional' if facts['provisional'] else ''}; {facts['actions']}")
        for origin in facts["protocols"].get("origins", ()):
            self.stdout.write(origin)
        if facts["protocols"]["sentence"]:
            self.stdout.write(facts["protocols"]["sentence"])
        if facts.get("withdrawn"):
            self.stdout.write("someone has withdrawn since: their inputs are deleted, the numbers stay")
        if "written" in facts:
            self.stdout.write(f"written: {facts['written']}")


def _today(options: dict[str, Any]) -> Answer:
    version = find_version(options["environment"], options["digest"])
    check_kind(version)
    chosen = QueryDict(mutable=True)
    excluded = WITH if options["with_excluded"] else ""
    chosen.update({"study": options["study"], "protocol": options["protocol"], "excluded": excluded})
    scope = scope_of(chosen)
    if options["write"]:
        check_scope(scope)
    bring_up_to_date(scope.whole.attempts.filter(environment=version.environment))
    report = baseline_report(version, scope)

    def check(provisional: bool) -> None:
        check_complete(report)
        check_people(report.counted, report.asked, provisional=provisional)

    return Answer(version, [_level(level) for level in report.levels], _facts(report), check)


def _facts(report: BaselineReport) -> dict[str, Any]:
    return {
        "version": report.version.digest,
        "people": report.counted,
        "actions": report.scope.undo,
        "provisional": report.provisional,
        "protocols": report.protocols.as_json(),
    }


def _level(report: LevelReport) -> Row:
    return {
        **level_numbers(report),
        "coverage": report.interval.coverage if report.interval else None,
        "more_people": report.more.people,
        "actions": list(report.baseline.actions),
    }


def _released(options: dict[str, Any]) -> Answer:
    if any(options[name] for name in ("study", "protocol", "with_excluded", "digest")):
        message = (
            "A release has its own version and scope: leave out --study, --protocol, --with-excluded and"
            " --version."
        )
        raise Refusal("release_is_frozen", message)
    found = find_release(options["environment"], options["release"])
    inputs = released_inputs(found)
    facts = {
        "version": found.version.digest,
        "people": found.people,
        "actions": EVERYONE.undo,
        "provisional": found.provisional,
        "release": found.number,
        "rule": found.rule_version,
        "inputs_digest": found.inputs_digest,
        "withdrawn": not has_inputs(found, inputs),
        "released_at": found.released_at.isoformat(),
        "protocols": released_protocols(found).as_json(),
    }
    levels = [{**level, "actions": _counts(inputs, level["level"])} for level in found.levels]
    return Answer(found.version, levels, facts, lambda provisional: _check(found, provisional))


def _check(found: Release, provisional: bool) -> None:
    check_people(found.people, found.asked, provisional=provisional)


def _counts(inputs: list[Input], level: int) -> list[int]:
    return sorted(row.actions for row in inputs if row.counted and row.level == level)


def _write(answer: Answer, options: dict[str, Any]) -> Path:
    answer.check(options["provisional"])
    return publish(answer.version, [level["upper_median"] for level in answer.levels], options["games"])


def _shown(value: int | None) -> str:
    return "-" if value is None else str(value)
