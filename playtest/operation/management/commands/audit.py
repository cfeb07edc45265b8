"""`manage.py audit`: proves from the database alone that nothing of the record was lost or changed."""

import json
import logging
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from itertools import batched
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from engine.errors import describe_exception
from playtest.jobs import shutdown
from playtest.operation.audit import acknowledged, findings
from playtest.operation.audit.findings import Finding
from playtest.operation.installation import record_maintenance
from playtest.operation.models import MaintenanceKind
from playtest.people.commands import CodedCommand
from playtest.play.clock import machine_now
from playtest.play.errors import Refusal
from playtest.play.journal.anchors import compare
from playtest.play.models import Attempt, Entry, OutsideAttempt

logger = logging.getLogger(__name__)

_AT_ONCE = 500
_AT_ONCE_BEHIND = 50


class Command(CodedCommand):
    help = (
        "Check the whole record: each entry once, no gaps, chain, ends, signed days, summaries, level "
        "results and pay as a rebuild gives them. Exit status 1 on any finding. Safe while people play."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--rebuild",
            nargs="?",
            type=int,
            const=0,
            metavar="N",
            help="also play attempts again and compare every hash and frame: all, or N drawn at random",
        )
        parser.add_argument("--seed", type=int, metavar="S", help="draws the same N attempts again")
        parser.add_argument(
            "--hosts", type=int, metavar="N", help="processes to play on; default: one a core"
        )
        parser.add_argument(
            "--acknowledged",
            type=Path,
            metavar="FILE",
            help="turns that clients were given: a JSON object a line with session, sent, received",
        )
        parser.add_argument(
            "--anchor",
            type=Path,
            metavar="FILE_OR_FOLDER",
            help="digests of signed days that were kept elsewhere (docs/journal.md)",
        )
        parser.add_argument(
            "--behind-people", action="store_true", help="takes twice as long, and half of one core at most"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        began = machine_now()
        lines = _lines(options["acknowledged"])
        attempts = list(Attempt.objects.order_by("pk").values_list("pk", flat=True))
        found = [*_without_replay(attempts, behind_people=options["behind_people"])]
        if options["anchor"]:
            found += [Finding(one.code, one.message) for one in compare(options["anchor"])]
        played = _drawn(attempts, options["rebuild"], options["seed"])
        if played:
            found += findings.of_replay(played, options["hosts"])
        found += acknowledged.of_acknowledged(lines)
        unique = list(dict.fromkeys(found))
        differing = OutsideAttempt.objects.filter(differs_from__isnull=False)
        partly = len({*played} & {*differing.values_list("attempt", flat=True)})
        again = f"{len(played)} of them played again"
        if partly:
            again += f" ({partly} only up to where they do not play as recorded elsewhere)"
        counts = {
            "attempts": len(attempts),
            "entries": Entry.objects.count(),
            "rebuilt": len(played),
            "rebuilt_partly": partly,
            "acknowledged": len(lines),
        }
        self._report(unique, counts, again, as_json=options["json"])
        summary = f"{len(attempts)} attempts, {again}, {len(unique)} findings"
        if codes := sorted({one.code for one in unique}):
            summary += f" ({', '.join(codes)})"
        record_maintenance(MaintenanceKind.AUDIT, began, summary, succeeded=not unique)
        if unique:
            raise CommandError("audit_failed: the record is not as it must be.")

    def _report(self, found: list[Finding], counts: dict[str, int], again: str, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps({**counts, "findings": [asdict(one) for one in found]}))
            return
        for one in found:
            self.stdout.write(f"{one.code}: {one.message}")
        self.stdout.write(
            f"{counts['attempts']} attempts with {counts['entries']} entries, {again}; "
            f"{counts['acknowledged']} acknowledged turns; {len(found)} findings"
        )


def _without_replay(attempts: list[int], *, behind_people: bool) -> Iterable[Finding]:
    parts: list[Callable[[], Iterable[Finding]]] = [findings.of_days, findings.of_tables]
    for some in batched(attempts, _AT_ONCE_BEHIND if behind_people else _AT_ONCE):
        parts += [partial(findings.of_entries, some), partial(findings.of_attempts, some)]
    for part in [*parts, findings.of_sessions]:
        began = time.monotonic()
        yield from findings.found_twice(partial(_whole, part))
        if behind_people and shutdown.requested.wait(time.monotonic() - began):
            raise shutdown.Interrupted


def _whole(part: Callable[[], Iterable[Finding]]) -> Iterable[Finding]:
    """What a part of the audit finds; one that a damaged row ends is a finding itself."""
    try:
        yield from part()
    except Refusal:
        raise
    except Exception as error:
        logger.warning("a part of the audit ended", exc_info=True)
        yield Finding("unreadable", f"A part of the record cannot be read: {describe_exception(error)}")


def _drawn(attempts: list[int], number: int | None, seed: int | None) -> list[int]:
    """The attempts to play again: none without `number`, all for 0."""
    if number is None:
        return []
    if number < 0:
        raise CommandError("number_invalid: --rebuild takes a number of attempts, or none for all.")
    if number in range(1, len(attempts)):
        return sorted(random.Random(seed).sample(attempts, number))
    return attempts


def _lines(file: Path | None) -> list[str]:
    if file is None:
        return []
    try:
        return file.read_text().splitlines()
    except (OSError, ValueError) as error:
        raise CommandError(f"file_unreadable: {file} cannot be read: {error}") from error
