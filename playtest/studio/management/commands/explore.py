"""`manage.py explore`: explores a level and stores its state graph."""

import json
import time
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from engine.prove.exploration.graph import Limits
from playtest.jobs.models import JobStatus
from playtest.rules.errors import RuleError
from playtest.rules.protocol import DEFAULT
from playtest.studio.management.shared import VersionCommand, termination_interrupts, version_named
from playtest.studio.models import Exploration
from playtest.studio.services.explorations import cancel, create, do_exploration

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
        try:
            row = create(
                version, options["level"], seed=options["seed"], limits=limits, budget=options["budget"]
            )
        except RuleError as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        try:
            with termination_interrupts():
                do_exploration(row.pk, self._printer())
        except KeyboardInterrupt:
            pass
        finally:
            cancel(row.pk)
        row.refresh_from_db()
        if row.status != JobStatus.DONE:
            raise CommandError(row.error or "exploration_cancelled: it was cancelled.", returncode=2)
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
    extent = (
        "Fully explored" if report["fully_explored"] else f"Stopped by its limit ({report['stopped_by']})"
    )
    win = "no win was found" if report["shortest_win"] is None else f"{report['shortest_win']} actions"
    within = report["p_win_within"]
    among = "" if report["fully_explored"] else f"Among the {report['nodes']:,} states seen: "
    return "\n".join(
        [
            f"{extent}: {report['nodes']:,} states, {report['edges']:,} edges, "
            f"{report['deepest_level']} actions deep.",
            f"Shortest win: {win}.",
            f"Chance of a random player ever to win: {_as_chance(report['p_win'])}; "
            f"within {within['steps']:,} actions: {_as_chance(within)}.",
            f"{among}Wins {report['wins']:,}, losses {report['losses']:,}, "
            f"dead ends {report['dead_ends']:,}, cycles {report['cycles']:,}, "
            f"faults {len(report['faults']):,}.",
            f"State identity: {report['identity']}; {report['merges_compared']:,} merges compared, "
            f"up to {report['merges_depth']:,} actions deep, {report['differences']} differences found.",
            f"Merge density {report['merge_density']:.3f}, self-loops {report['self_loops']:,}; "
            f"restored by {report['restored_by']}.",
            *filter(None, [_because(report)]),
        ]
    )


def _as_chance(chance: Mapping[str, Any]) -> str:
    if chance["exact"] is not None and len(chance["exact"]) <= 40:
        return f"{chance['exact']} ({chance['lower']:.6g})"
    if chance["upper"] - chance["lower"] < 1e-9:
        return f"{chance['lower']:.6g}"
    return f"between {chance['lower']:.6g} and {chance['upper']:.6g}"


def _because(report: Mapping[str, Any]) -> str:
    reasons = []
    if report["depends_on_action_count"]:
        reasons.append("An action draws random numbers: the number of actions belongs to a state.")
    if report["identity_because"]:
        reasons.append(f"Complete identities name the states: {report['identity_because']}.")
    if report["not_merged_because"]:
        reasons.append(f"No states were merged: {report['not_merged_because']}.")
    return " ".join(reasons)
