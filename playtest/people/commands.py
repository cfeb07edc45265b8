"""What `manage.py` prints of a refusal: its code and its sentence, as pages do, and no traceback."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.errors import EngineError
from playtest.rules.errors import RuleError


class CodedCommand(BaseCommand):
    """A command that ends as CommandError with the code of whatever refused it."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except (RuleError, EngineError) as refusal:
            raise CommandError(f"{refusal.code}: {refusal.message}") from refusal
