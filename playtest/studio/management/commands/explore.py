"""`manage.py explore`: explores a level and stores its state graph."""

import json
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from django.core.management.base import CommandParser

from engine.prove.exploration.graph import Limits
from playtest.rules.protocol import DEFAULT
from playtest.studio.management.shared import VersionCommand, do_now, version_named
from playtest.studio.models import Exploration
from playtest.studio.services.explorations import cancel, create, do_exploration
from playtest.studio.templatetags.studio import chance

_SECONDS_BETWEEN_LINES = 2.0
_DEFAULTS = Limits()


class Command(VersionCommand):
    help = (
        "Explore a level: its states, its shortest win, a random player's chance. "
        "Exit status 0 if it was explored, 2 if it cannot be."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--level", type=int, required=True, help="counted from 1")
        parser.add_argument("--seed", type=int, default=0, help="the environment's; default: 0")
        for name, kind in (("nodes", int), ("edges", int), ("steps", int), ("seconds", float)):
            default = getattr(_DEFAULTS, name)
            parser.add_argument(
                f"--limit-{name}", type=kind, default=default, help=f"default: {default:,.0f}"
            )
        parser.add_argument("--limit-depth", type=int, help="actions from the start; default: none")
        parser.add_argument(
            "--budget",
            type=int,
            metavar="STEPS",
            help="actions of a random player, for the chance within them; default: those of one try, "
            f"{DEFAULT.random_player.budget_factor} times the fewest known to win the level",
        )
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        version = version_named(options["id"], options["version"])
        names = ("nodes", "edges", "steps", "seconds", "depth")
        limits = Limits(**{name: options[f"limit_{name}"] for name in names})
        asked = {"seed": options["seed"], "limits": limits, "budget": options["budget"]}
        make = partial(create, version, options["level"], **asked)
        row = do_now(make, lambda pk: do_exploration(pk, self._printer()), cancel)
        self.stdout.write(json.dumps(_printed(row), indent=2) if options["json"] else _as_text(row.report))

    def _printer(self) -> Any:
        last = time.monotonic()

        def print_progress(progress: Mapping[str, int]) -> None:
            nonlocal last
            if time.monotonic() - last >= _SECONDS_BETWEEN_LINES:
                last = time.monotonic()
                nodes, edges, depth = progress["nodes"], progress["edges"], progress["depth"]
                self.stderr.write(f"{nodes:,} states, {edges:,} edges, {depth} actions deep")

        return print_progress


def _printed(row: Exploration) -> dict[str, Any]:
    return {
        "id": row.version.environment.code,
        "version": row.version.digest,
        "level": row.level,
        "seed": row.seed,
        "limits": row.limits,
        **row.report,
    }


def _as_text(report: Mapping[str, Any]) -> str:
    """A fact of the report on each line; of a list, how many it has."""
    within = report["p_win_within"]
    chances = {
        "p_win": chance(report["p_win"]),
        "p_win_within": f"{within['steps']:,} actions: {chance(within)}",
    }
    facts = {name: len(fact) if isinstance(fact, list) else fact for name, fact in report.items()} | chances
    return "\n".join(f"{name.replace('_', ' ')}: {fact}" for name, fact in facts.items() if fact is not None)
