"""`manage.py flag_effort [--study NAME]`: applies the effort rules to every session again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from playtest.play.models import Session, Study
from playtest.review.services.effort import assess
from playtest.rules.effort.thresholds import RULE_VERSION


class Command(BaseCommand):
    help = "Raise effort flags again with today's norms and thresholds, unless a decision rests on them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--study", help="the name of one study; without it, every session of all studies")

    def handle(self, *args: Any, **options: Any) -> None:
        sessions = Session.objects.filter(attempts__ended_at__isnull=False).distinct()
        sessions = sessions.select_related("study", "protocol")
        if name := options["study"]:
            if not Study.objects.filter(name=name).exists():
                raise CommandError(f"study_unknown: There is no study {name!r}. Check the spelling.")
            sessions = sessions.filter(study__name=name)
        flags = assess(sessions.order_by("pk"))
        self.stdout.write(f"{sessions.count()} sessions, {flags} flags, rule set {RULE_VERSION}.")
