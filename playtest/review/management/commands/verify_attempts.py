"""`manage.py verify_attempts`: replays attempts from their journal and compares everything stored.

Without a choice of attempts it also checks the signed days and finds attempts that are missing.
"""

import json
from collections.abc import Iterator
from typing import Any

from asgiref.sync import async_to_sync
from django.core.management.base import CommandError, CommandParser

from engine.play.frames import Frame
from playtest.people.commands import CodedCommand
from playtest.play.models import Attempt, Study
from playtest.review.queries.signed_days import check_days, listed_heads, missing_attempts, withdrawn_attempts
from playtest.review.record_check import Difference, Verification
from playtest.review.services.verification import verify


class Command(CodedCommand):
    help = (
        "Check that attempts are as they were recorded: played again, and by hash chain, end, times and "
        "signed days. Exit status 1 if one is not, or is gone."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("attempts", nargs="*", type=int, metavar="ID", help="default: every attempt")
        parser.add_argument("--study", metavar="NAME", help="only this study's attempts")
        parser.add_argument("--hosts", type=int, metavar="N", help="processes to use; default: one a core")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = _wanted(options["attempts"], options["study"])
        differing: list[int] = []

        def report(found: Verification) -> None:
            if found.difference is not None:
                differing.append(found.attempt_id)
            self.stdout.write(json.dumps(_as_json(found)) if options["json"] else "\n".join(_as_text(found)))

        async_to_sync(verify)(wanted, report, options["hosts"])
        if not options["json"]:
            self.stdout.write(f"{len(wanted)} checked, {len(differing)} differ")
        whole = not options["attempts"] and options["study"] is None
        wrong = self._check_days(as_json=options["json"]) if whole else 0
        if differing or wrong:
            raise CommandError("attempts_differ: stored data differ from what was recorded.")

    def _check_days(self, *, as_json: bool) -> int:
        """Checks the signed days and finds missing attempts; returns the number of findings."""
        days = check_days()
        listed = listed_heads(days)
        withdrawn = withdrawn_attempts(listed)
        missing = missing_attempts(listed, withdrawn)
        bad = [day for day in days if not day.ok]
        if as_json:
            for day in days:
                self._json(day=day.day.day.isoformat(), code=day.code, message=day.message)
            for gone in withdrawn:
                self._json(attempt=gone.attempt, code="withdrawn", message=gone.message)
            for lost in missing:
                self._json(attempt=lost.attempt, code="attempt_missing", message=lost.message)
            return len(bad) + len(missing)
        for day in bad:
            self.stdout.write(f"day {day.day.day}: NOT VALID ({day.code})\n  {day.message}")
        for gone in withdrawn:
            self.stdout.write(f"attempt {gone.attempt}: {gone.message}")
        for lost in missing:
            self.stdout.write(f"MISSING (attempt_missing): {lost.message}")
        self.stdout.write(
            f"{len(days)} signed days, {len(bad)} not valid; {len(missing)} signs of missing attempts, "
            f"{len(withdrawn)} attempts withdrawn"
        )
        return len(bad) + len(missing)

    def _json(self, **facts: Any) -> None:
        self.stdout.write(json.dumps(facts))


def _wanted(ids: list[int], study: str | None) -> list[int]:
    attempts = Attempt.objects.order_by("pk")
    if study is not None:
        if not Study.objects.filter(name=study).exists():
            raise CommandError(f"study_unknown: there is no study named {study!r}.")
        attempts = attempts.filter(session__study__name=study)
    if ids:
        attempts = attempts.filter(pk__in=ids)
    found = list(attempts.values_list("pk", flat=True))
    if missing := sorted(set(ids) - set(found)):
        raise CommandError(f"attempt_unknown: there is no attempt {', '.join(map(str, missing))} here.")
    return found


def _as_text(found: Verification) -> Iterator[str]:
    difference = found.difference
    if difference is None:
        yield f"attempt {found.attempt_id}: {found.entries} entries agree"
        if found.recorded_from is not None:
            yield f"  from entry {found.recorded_from} on they are as imported, and were not played again"
        return
    yield f"attempt {found.attempt_id}: DIFFERS at entry {difference.seq} ({difference.code})"
    yield f"  {difference.message}"
    if difference.facts:
        yield f"  differs: {', '.join(difference.facts)}"
    if difference.recorded is not None or difference.played is not None:
        yield f"  frame {difference.frame}, {difference.cells} cells differ; rows as stored | as played now"
        yield from _rows(difference)
    for other in found.differences[1:]:
        yield f"  also at entry {other.seq} ({other.code}): {other.message}"


def _rows(difference: Difference) -> Iterator[str]:
    """The rows that differ, one hexadecimal digit a cell; all of them where one frame is missing."""
    stored, played = _board(difference.recorded), _board(difference.played)
    for y in range(64):
        left, right = (board[y] if board else "(none)" for board in (stored, played))
        if left != right:
            yield f"  {y:>2} {left} | {right}"


def _board(frame: Frame | None) -> list[str] | None:
    return None if frame is None else ["".join(f"{cell:x}" for cell in row) for row in frame.tolist()]


def _as_json(found: Verification) -> dict[str, Any]:
    difference = found.difference
    return {
        "attempt": found.attempt_id,
        "entries": found.entries,
        "recorded_from": found.recorded_from,
        "difference": None
        if difference is None
        else {
            "seq": difference.seq,
            "code": difference.code,
            "message": difference.message,
            "facts": list(difference.facts),
            "recorded_hash": difference.recorded_hash,
            "played_hash": difference.played_hash,
            "frame": difference.frame,
            "recorded_frame": _board(difference.recorded),
            "played_frame": _board(difference.played),
        },
        "also": [
            {"seq": other.seq, "code": other.code, "message": other.message}
            for other in found.differences[1:]
        ],
    }
