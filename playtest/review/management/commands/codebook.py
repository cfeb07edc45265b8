"""`manage.py codebook`: prints docs/codebook.md."""

from typing import Any

from django.core.management.base import BaseCommand

from playtest.review.codebook import markdown


class Command(BaseCommand):
    help = "Print what every column of a study's data means."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(markdown(), ending="")
