"""`manage.py simulate`: simulated people play through the pages and the socket."""

import json
from argparse import ArgumentTypeError
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from playtest.people.commands import CodedCommand
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.rehearsal.browser import RehearsalFailed
from playtest.rehearsal.day.program import DAY_SPEED, Day, rehearse_day
from playtest.rehearsal.people.population import BY_NAME
from playtest.rehearsal.program import Program, join, rehearse

_PEOPLE = 14


class Command(CodedCommand):
    help = "Let simulated people play the environments of a rehearsal through the pages and the socket."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--study", type=int, help="number of a rehearsal; default: the newest open one")
        parser.add_argument(
            "--people",
            type=_positive,
            default=_PEOPLE,
            help=f"default: {_PEOPLE}",
        )
        parser.add_argument("--kind", choices=BY_NAME, help="people of this kind only; default: a mix")
        parser.add_argument("--stations", type=_positive, default=34, help="how many people play at once")
        parser.add_argument("--seed", type=int, default=1, help="the same seed creates the same people")
        parser.add_argument("--speed", type=_positive, help="limits virtual time, in multiples of real time")
        parser.add_argument("--url", help="play on this running server, in real time")
        parser.add_argument(
            "--day",
            action="store_true",
            help=f"rehearse a whole day of the center on a running server (default: this machine's port"
            f" {settings.PORT}), {DAY_SPEED} times as fast unless --speed says otherwise",
        )
        parser.add_argument("--json", action="store_true", help="with --day: print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["day"]:
            self._rehearse_day(options)
            return
        try:
            program = Program(
                study=_study(options["study"]),
                people=options["people"],
                group=BY_NAME.get(options["kind"]),
                stations=options["stations"],
                seed=options["seed"],
                speed=options["speed"],
            )
            if options["url"]:
                idle = join(program, options["url"].rstrip("/"), self._report)
            else:
                idle = rehearse(program, self._report)
        except RehearsalFailed as failure:
            raise CommandError(f"rehearsal_failed: {failure}") from failure

        if idle:
            self.stdout.write(_idle_sentence(idle, program))

    def _rehearse_day(self, options: dict[str, Any]) -> None:
        """Exits with status 1 if the day does not add up, and says what does not."""
        root = options["url"] or f"http://127.0.0.1:{settings.PORT}"
        day = Day(root.rstrip("/"), options["stations"], options["seed"], options["speed"] or DAY_SPEED)
        try:
            result = rehearse_day(day, lambda line: self.stderr.write(line, self.style.NOTICE))
        except RehearsalFailed as failure:
            raise CommandError(f"rehearsal_failed: {failure}") from failure
        self.stdout.write(json.dumps(result.document) if options["json"] else result.sentence)
        for problem in result.problems:
            self.stderr.write(problem)
        if result.problems:
            raise SystemExit(1)

    def _report(self, done: int) -> None:
        self.stdout.write(f"{done} finished")


def _idle_sentence(idle: int, program: Program) -> str:
    study = program.study
    return (
        f"{idle} of {program.people} found nothing left to play: every environment of {study.name} had its"
        f" target of {study.protocol.acceptance.people} by then."
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ArgumentTypeError(f"{text} must be at least 1")
    return number


def _study(number: int | None) -> Study:
    found = (
        Study.objects.filter(rehearsal=True, open=True).order_by("-pk").first()
        if number is None
        else Study.objects.filter(pk=number).first()
    )
    if found is None:
        raise Refusal("no_rehearsal", "There is no such study. Make a rehearsal, or name another.")
    return found
