"""`manage.py rebuild [--study ID]`: computes summaries and level results again."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import QuerySet, Sum
from django.utils import timezone

from playtest.insight.compute.results import rebuild, rebuild_derived
from playtest.play.models import Attempt, Session, Study
from playtest.play.sessions.attempts import SUMMARY, summarise, wrong_pauses, wrong_summaries
from playtest.play.sessions.clocks import correct_pause
from playtest.studio.queries.masks import not_applied

MUCH = 500_000
"""With more actions than this, several processes are faster although they need time to start."""


class Command(BaseCommand):
    help = (
        "Recompute the summaries and level results of attempts from the journal, and say how many summaries "
        "were wrong. Safe while sessions run."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--study", type=int, metavar="ID", help="only this study's attempts")
        parser.add_argument(
            "--processes", type=int, metavar="N", help="processes that compute; default: one a core for much"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        attempts, sessions = Attempt.objects.all(), Session.objects.all()
        if (study := options["study"]) is not None:
            if not Study.objects.filter(pk=study).exists():
                raise CommandError(f"study_unknown: there is no study with the id {study}.")
            attempts, sessions = attempts.filter(session__study=study), sessions.filter(study=study)
        self.stdout.write(f"{_correct(attempts)} attempts corrected")
        if wrong := sum(correct_pause(session) for session in wrong_pauses(sessions)):
            self.stdout.write(f"{wrong} pauses corrected")
        total = attempts.count()
        processes = options["processes"] or _processes(attempts)
        levels = rebuild(attempts, lambda done: self._progress(done, total), processes=processes)
        self.stdout.write(f"{levels} level results of {total} attempts computed")
        if study is None:
            not_applied().update(applied_at=timezone.now())
        for sentence in rebuild_derived(attempts):
            self.stdout.write(sentence)

    def _progress(self, done: int, total: int) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{done} of {total} attempts", ending="" if done < total else "\n")


def _processes(attempts: QuerySet[Attempt]) -> int:
    """One for each core if there is much to compute, as a process takes a second to start."""
    actions = attempts.aggregate(total=Sum("actions", default=0))["total"]
    return settings.ENGINE_HOSTS if actions > MUCH else 1


def _correct(attempts: QuerySet[Attempt]) -> int:
    """Corrects the summaries of ended attempts; returns how many were wrong."""
    wrong = attempts.filter(pk__in=wrong_summaries(attempts))
    for attempt in wrong:
        summarise(attempt)
        attempt.save(update_fields=SUMMARY)
    return len(wrong)
