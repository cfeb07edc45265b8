"""`python -m tools.soak`: rehearses for long, and says whether memory stays flat.

Makes a rehearsal of its own in DATA_DIR. Exits with status 1 if memory grows.
"""

import argparse
import json
import math
import os
import sys
from contextlib import closing
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playtest.settings")
django.setup()

from playtest.play.clock import machine_now  # noqa: E402
from playtest.play.errors import Refusal  # noqa: E402
from playtest.play.models import Study  # noqa: E402
from playtest.play.sessions.studies import create_study  # noqa: E402
from playtest.rehearsal.browser import RehearsalFailed  # noqa: E402
from playtest.rehearsal.program import Program, rehearse  # noqa: E402
from playtest.rules.protocol import DEFAULT  # noqa: E402
from playtest.studio.models import Environment  # noqa: E402
from tools.soak.memory import Sample, Sampler  # noqa: E402
from tools.soak.trend import Trend, trend  # noqa: E402

_NEVER_FULL = 100_000


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    try:
        program, samples = _soak(options)
        found = _trends(samples)
    except Refusal as refusal:
        return _failed(f"{refusal.code}: {refusal.message}")
    except RehearsalFailed as failure:
        return _failed(f"rehearsal_failed: {failure}")
    except ValueError as error:
        return _failed(f"soak_too_short: {error}")
    if options.samples:
        options.samples.write_text("".join(f"{json.dumps(asdict(sample))}\n" for sample in samples))
    minutes = samples[-1].seconds / 60
    if options.json:
        document = {kind: {**asdict(one), "verdict": one.verdict} for kind, one in found.items()}
        print(json.dumps({"minutes": minutes, "memory": document}))
    else:
        print(f"{program.people} people in {minutes:.0f} minutes, {len(samples)} samples")
        for kind, one in found.items():
            print(
                f"{kind:<18} {one.mean:7.1f} MB  {one.slope:+7.2f} MB an hour"
                f" ({one.low:+.2f} to {one.high:+.2f})  {one.verdict}"
            )
    return 1 if any(one.verdict == "grows" for one in found.values()) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--speed", type=float, default=10.0)
    parser.add_argument("--stations", type=int, default=34, help="how many people play at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two samples")
    parser.add_argument("--samples", type=Path, metavar="FILE", help="also write every sample, as JSON lines")
    parser.add_argument("--json", action="store_true")
    return parser


def _soak(options: argparse.Namespace) -> tuple[Program, list[Sample]]:
    """Rehearses, and samples meanwhile. Raises as `rehearse`."""
    pool = list(Environment.objects.interactive().filter(current__isnull=False))
    program = Program(_study(pool), options.stations, options.stations, options.seed, options.speed)
    group_minutes = program.every / timedelta(minutes=1) / options.speed
    groups = max(1, math.ceil(options.minutes / group_minutes))
    program = replace(program, people=groups * options.stations)
    with closing(Sampler(options.every)) as sampler:
        rehearse(program, lambda _: None)
    return program, sampler.samples


def _failed(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1


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


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
