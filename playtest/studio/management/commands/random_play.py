"""`manage.py random_play`: plays a level at random and stores the tries."""

import json
from collections import Counter
from concurrent.futures import Future
from typing import Any

from django.core.management.base import CommandError, CommandParser

from engine.errors import EngineError
from playtest.jobs import lifecycle
from playtest.jobs.lifecycle import Cancelled, Claimed
from playtest.jobs.models import JobStatus
from playtest.rules.errors import RuleError
from playtest.studio.management.local_workers import LocalWorkers, Report
from playtest.studio.management.shared import VersionCommand, termination_interrupts, version_named
from playtest.studio.models import RandomPlay, Version
from playtest.studio.processes.random_play import play_batch
from playtest.studio.queries import evidence
from playtest.studio.services import random_plays
from playtest.studio.services.qualifications import source_of


class Command(VersionCommand):
    help = (
        "Play a level at random, a new game for each try, and say what bounds a random player's chance. "
        "Exit status 0 if the tries were made, 2 if they cannot be."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--level", type=int, required=True, help="counted from 1")
        parser.add_argument("--tries", type=int, metavar="N", help="default: what the gate lacks")
        parser.add_argument("--seed", type=int, help="of the sequence of tries; default: random")
        parser.add_argument("--workers", type=int, metavar="N", help="processes; default: one a core")
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        version = version_named(options["id"], options["version"])
        level = options["level"]
        try:
            batches = random_plays.create(version, level, tries=options["tries"], seed=options["seed"])
        except RuleError as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        made = RandomPlay.objects.filter(pk__in=[batch.pk for batch in batches])
        workers = _LocalWorkers({batch.pk: batch.total for batch in batches}, "tries", self.stderr.write)
        try:
            with termination_interrupts():
                workers.follow([batch.pk for batch in batches], options["workers"])
        except EngineError as error:
            raise CommandError(lifecycle.explain_fault(error), returncode=2) from error
        except (Cancelled, KeyboardInterrupt):
            pass
        finally:
            random_plays.cancel(made)
        outcome = _outcome(version, level, list(made.order_by("number")))
        if not outcome["tries"]:
            raise CommandError("cancelled: no batch was made to its end.", returncode=2)
        self.stdout.write(json.dumps(outcome, indent=2) if options["json"] else _as_text(outcome))


class _LocalWorkers(LocalWorkers[RandomPlay, dict[str, Any]]):
    """The batches; a batch that fails ends all with its EngineError."""

    claim = staticmethod(random_plays.claim)
    reporter = staticmethod(random_plays.reporter)

    def do(self, row: RandomPlay, report: Report) -> dict[str, Any]:
        return play_batch(source_of(row.version), random_plays.batch_of(row), report)

    def store(self, claimed: Claimed[RandomPlay], result: Future[dict[str, Any]]) -> list[int]:
        with lifecycle.working(claimed.lease, claimed.row.pk, None, lifecycle.explain_fault):
            random_plays.keep(claimed, result.result())
        if error := result.exception():
            raise error
        return []


def _outcome(version: Version, level: int, batches: list[RandomPlay]) -> dict[str, Any]:
    """The outcome of these batches, and what is known of the level by now."""
    reports = [batch.report for batch in batches if batch.status == JobStatus.DONE]
    known = evidence.verdict(version, level)
    faults: Counter[str] = Counter()
    for report in reports:
        faults.update(report["faults"])
    return {
        "level": level,
        "seed": batches[0].seed,
        "budget": batches[0].budget,
        **{name: sum(report[name] for report in reports) for name in ("tries", "lost", "stuck", "actions")},
        "wins": [win for report in reports for win in report["wins"]],
        "faults": dict(faults),
        "known": {
            "standing": known.standing,
            "upper": known.upper,
            "missing": known.missing,
            "words": known.sentence,
        },
    }


def _as_text(outcome: dict[str, Any]) -> str:
    made = (
        f"{outcome['tries']:,} tries of {outcome['budget']:,} actions with seed {outcome['seed']}: "
        f"{len(outcome['wins']):,} won, {outcome['lost']:,} lost, {outcome['actions']:,} actions in all."
    )
    faults = [f"{code} in {times:,} tries, which do not count." for code, times in outcome["faults"].items()]
    return "\n".join([made, *faults, outcome["known"]["words"]])
