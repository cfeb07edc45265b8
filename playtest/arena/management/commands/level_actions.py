"""`manage.py level_actions best|optimal`: what is known to complete each level, for the replay agent."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from playtest.arena.runs.cards import game_id_of
from playtest.play.models import Entry, Study
from playtest.play.sessions.attempts import SEED
from playtest.review.queries.comparisons import best_runs_of
from playtest.studio.models import Version
from playtest.studio.queries.fewest import StoredAction, shortest_recorded

type LevelActions = dict[int, list[StoredAction]]


class Command(BaseCommand):
    help = (
        "Print as JSON the actions that complete each level, by version: best, a person's best first run "
        "(resets included); optimal, the fewest actions of a recording. The replay agent plays them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("which", choices=("best", "optimal"))
        parser.add_argument("--environment", action="append", default=[], metavar="CODE", help="default: all")
        parser.add_argument("--study", type=int, metavar="ID", help="best: of one study's people")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(pk=options["study"]).first()
        if options["study"] is not None and study is None:
            raise CommandError(f"study_unknown: there is no study {options['study']}.")
        versions = Version.objects.order_by("pk")
        if options["environment"]:
            versions = versions.filter(environment__code__in=options["environment"])
        rows = []
        for version in versions.select_related("environment"):
            levels = _best(version, study) if options["which"] == "best" else _optimal(version)
            if levels:
                rows.append({"game_ids": sorted({game_id_of(version), str(version)}), "levels": levels})
        self.stdout.write(json.dumps(rows))


def _best(version: Version, study: Study | None) -> LevelActions:
    """The actions of each level's best first run, from entering the level to completing it."""
    found: LevelActions = {}
    for run in best_runs_of(version.pk, study):
        rows = Entry.objects.filter(attempt=run.attempt_id, level=run.level, seq__gt=0).order_by("seq")
        found[run.level] = list(rows.values_list("action", "x", "y")[: run.actions])
    return found


def _optimal(version: Version) -> LevelActions:
    return {level: list(actions) for level, actions in shortest_recorded(version, SEED).items()}
