"""`manage.py soak`: rehearses for long, and says whether memory stays flat."""

import json
import math
from contextlib import closing
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from playtest.play.clock import machine_now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.play.sessions.studies import create_study
from playtest.rehearsal.errors import RehearsalFailed
from playtest.rehearsal.program import Program, rehearse
from playtest.rehearsal.soak.memory import Sample, Sampler
from playtest.rehearsal.soak.trend import Trend, trend
from playtest.rules.kinds import Kind
from playtest.rules.protocol import DEFAULT
from playtest.studio.models import Environment

_NEVER_FULL = 100_000


class Command(BaseCommand):
    help = (
        "Rehearse for about MINUTES at SPEED times real time, sample the memory of all processes, and say "
        "whether it is flat. Makes a rehearsal of its own. Exit status 1 if memory grows."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--minutes", type=float, default=60.0)
        parser.add_argument("--speed", type=float, default=10.0)
        parser.add_argument("--stations", type=int, default=34, help="how many people play at once")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--every", type=float, default=5.0, help="seconds between two samples")
        parser.add_argument(
            "--samples", type=Path, metavar="FILE", help="also write every sample, as JSON lines"
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        pool = list(Environment.objects.filter(current__isnull=False, kind=Kind.INTERACTIVE))
        try:
            study = _study(pool)
            program = Program(
                study, options["stations"], options["stations"], options["seed"], options["speed"]
            )
            group_minutes = program.every / timedelta(minutes=1) / options["speed"]
            groups = max(1, math.ceil(options["minutes"] / group_minutes))
            program = replace(program, people=groups * options["stations"])
            with closing(Sampler(options["every"])) as sampler:
                rehearse(program, lambda _: None)
            found = _trends(sampler.samples)
        except Refusal as refusal:
            raise CommandError(f"{refusal.code}: {refusal.message}") from refusal
        except RehearsalFailed as failure:
            raise CommandError(f"rehearsal_failed: {failure}") from failure
        except ValueError as error:
            raise CommandError(f"soak_too_short: {error}") from error
        self._report(found, sampler.samples, program, options)

    def _report(
        self, found: dict[str, Trend], samples: list[Sample], program: Program, options: dict[str, Any]
    ) -> None:
        if options["samples"]:
            options["samples"].write_text("".join(f"{json.dumps(asdict(sample))}\n" for sample in samples))
        if options["json"]:
            document = {kind: {**asdict(one), "verdict": one.verdict} for kind, one in found.items()}
            self.stdout.write(json.dumps({"minutes": samples[-1].seconds / 60, "memory": document}))
        else:
            minutes = samples[-1].seconds / 60
            self.stdout.write(f"{program.people} people in {minutes:.0f} minutes, {len(samples)} samples")
            for kind, one in found.items():
                self.stdout.write(
                    f"{kind:<18} {one.mean:7.1f} MB  {one.slope:+7.2f} MB an hour"
                    f" ({one.low:+.2f} to {one.high:+.2f})  {one.verdict}"
                )
        if any(one.verdict == "grows" for one in found.values()):
            raise SystemExit(1)


def _study(pool: list[Environment]) -> Study:
    """An open rehearsal that never has enough people. Refusal: pool_empty."""
    enough = replace(DEFAULT.acceptance, people=_NEVER_FULL)
    return create_study(
        None,
        name=f"Soak {machine_now():%Y-%m-%d %H:%M:%S}",
        pool=pool,
        protocol=replace(DEFAULT, acceptance=enough),
        rehearsal=True,
    )


def _trends(samples: list[Sample]) -> dict[str, Trend]:
    """The trend of each kind of process. ValueError: too few samples."""
    kinds = sorted({kind for sample in samples for kind in sample.megabytes})
    seconds = [sample.seconds for sample in samples]
    return {kind: trend(seconds, [sample.megabytes.get(kind, 0.0) for sample in samples]) for kind in kinds}
