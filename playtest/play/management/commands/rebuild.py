"""`manage.py rebuild`: compute again from the journal whatever only repeats it."""

from typing import Any

from django.core.management.base import BaseCommand

from playtest.play.models import Attempt
from playtest.play.services.attempts import summarise

SUMMARY = ["actions", "levels_completed", "last_action_at"]


class Command(BaseCommand):
    help = "Recompute from the journal what attempts repeat of it; says how many had to be mended."

    def handle(self, *args: Any, **options: Any) -> None:
        mended = 0
        for attempt in Attempt.objects.filter(ended_at__isnull=False).iterator():
            before = [getattr(attempt, name) for name in SUMMARY]
            summarise(attempt)
            if before != [getattr(attempt, name) for name in SUMMARY]:
                attempt.save(update_fields=SUMMARY)
                mended += 1
        self.stdout.write(f"{mended} attempts mended")
