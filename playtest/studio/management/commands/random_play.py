"""`manage.py random_play`: plays a level at random and stores what came of it."""

import json
from functools import partial
from typing import Any

from django.core.management.base import CommandParser

from playtest.studio.management.shared import VersionCommand, do_now, version_named
from playtest.studio.models import RandomPlay
from playtest.studio.queries import evidence
from playtest.studio.services import random_plays


class Command(VersionCommand):
    help = (
        "Play a level at random, and say what bounds a random player's chance. "
        "Exit status 0 if it was played, 2 if it cannot be."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--level", type=int, required=True, help="counted from 1")
        parser.add_argument("--seed", type=int, help="repeats it exactly; default: random")
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        version = version_named(options["id"], options["version"])
        make = partial(random_plays.create, version, options["level"], seed=options["seed"])
        row = do_now(
            make, random_plays.do_play, lambda pk: random_plays.cancel(RandomPlay.objects.filter(pk=pk))
        )
        outcome = _outcome(row)
        self.stdout.write(json.dumps(outcome, indent=2) if options["json"] else _as_text(outcome))


def _outcome(row: RandomPlay) -> dict[str, Any]:
    """What came of it, and what is known of the level by now."""
    known = evidence.verdict(row.version, row.level)
    standing = {"standing": known.standing, "upper": known.upper, "words": known.sentence}
    split = evidence.split_of(row.report)
    bounds = split and {"estimate": split.estimate, "lower": split.lower, "upper": split.upper}
    asked = {"level": row.level, "seed": row.seed, "budget": row.budget}
    return {**asked, **row.report, "bounds": bounds, "known": standing}


def _as_text(outcome: dict[str, Any]) -> str:
    lines = [
        f"{outcome['tries']:,} tries of {outcome['budget']:,} actions with seed {outcome['seed']}: "
        f"{len(outcome['wins']):,} won, {outcome['lost']:,} lost.",
        *(f"{code} in {times:,} tries, which do not count." for code, times in outcome["faults"].items()),
    ]
    if outcome["informed"]:
        tries, wins = outcome["informed"]
        lines.append(f"A player who knows the places that can be clicked won {wins:,} of {tries:,} tries.")
    if bounds := outcome["bounds"]:
        runs = len(outcome["splitting"]["hits"])
        interval = f"{bounds['lower']:.3g} to {bounds['upper']:.3g}"
        lines.append(f"{runs} runs of splitting: {bounds['estimate']:.3g}, {interval}.")
    return "\n".join([*lines, outcome["known"]["words"]])
