"""`manage.py qualify`: qualifies a version in confined processes and stores the report."""

import json
import sys
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse

from engine.prove.qualification.plan import FULL_STEPS, STRUCTURE
from playtest.jobs.lifecycle import Cancelled
from playtest.jobs.models import JobStatus
from playtest.studio.management.local_workers import LocalWorkers
from playtest.studio.management.shared import VersionCommand, termination_interrupts, version_named
from playtest.studio.models import Qualification, Recording
from playtest.studio.services import qualifications as services

_PRINTED = ("check", "code", "passed", "message", "mend", "level")
_RECORDED = ("seed", "level", "actions")


class Command(VersionCommand):
    help = (
        "Qualify an environment: structure, determinism, recordings, random play, fuzz. "
        "Exit status 0 if it passes, 1 if it does not, 2 if it cannot be done."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--steps", type=int, default=FULL_STEPS, help="random steps of a regime, at most")
        parser.add_argument("--seed", type=int, help="repeats it exactly; default: random")
        parser.add_argument("--workers", type=int, metavar="N", help="processes; default: one a core")
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        version = version_named(options["id"], options["version"])
        try:
            made = services.create(version, options["seed"], options["steps"])
        except ValueError as error:
            raise CommandError(f"bad_plan: {error}.", returncode=2) from error
        try:
            with termination_interrupts():
                # The structure first: what does not load is not played.
                structure = made.parts.get(regime=STRUCTURE)
                LocalWorkers(made, self.stderr.write).follow([structure.pk], options["workers"])
        except Cancelled:
            pass
        except (KeyboardInterrupt, SystemExit):
            services.cancel(made.pk)
        except BaseException:
            services.fail(made.pk)
            raise
        made.refresh_from_db()
        if made.status != JobStatus.DONE:
            raise CommandError(_ended(made), returncode=2)
        self.stdout.write(
            json.dumps(_printed(made.report), indent=2) if options["json"] else _as_text(made.report)
        )
        if not made.passed:
            sys.exit(1)


def _ended(made: Qualification) -> str:
    if made.status == JobStatus.FAILED:
        return made.error
    if made.status != JobStatus.CANCELLED:
        return f"elsewhere: other workers continue qualification {made.pk}."
    note = f"what was found until then is kept as qualification {made.pk}"
    return f"cancelled: after {made.done:,} of {made.total:,} steps; {note}."


def _printed(report: dict[str, Any]) -> dict[str, Any]:
    """The report with recordings as played, not as stored, so that equal seeds print equal reports."""
    stored = {entry["recording"] for entry in report["checks"]} - {None}
    recordings = {row["pk"]: row for row in Recording.objects.filter(pk__in=stored).values("pk", *_RECORDED)}
    checks = []
    for entry in report["checks"]:
        recording = _recorded(recordings.get(entry["recording"]))
        checks.append({name: entry[name] for name in _PRINTED} | {"recording": recording})
    return report | {"checks": checks}


def _recorded(row: dict[str, Any] | None) -> dict[str, Any] | None:
    return row and {name: row[name] for name in _RECORDED}


def _as_text(report: dict[str, Any]) -> str:
    lines = ["It passes." if report["passed"] else "It does not pass."]
    if not report["full"]:
        lines.append(
            f"This is not the full qualification: each regime had at most {report['steps']:,} steps."
        )
    lines.append(f"Seed {report['seed']}.")
    for entry in report["checks"]:
        mark = "note" if entry["note"] else "ok" if entry["passed"] else "FAILS"
        lines.append(f"{mark:>5}  {entry['code']}: {entry['message']}")
        if not entry["passed"]:
            lines.append(f"       {entry['mend']}")
        if entry["recording"]:
            lines.append(
                f"       Watch it at {reverse('review:stored-recording', args=[entry['recording']])}"
            )
    return "\n".join(lines)
