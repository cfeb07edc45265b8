"""The application: sets the journal's triggers at the end of every `migrate`."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate, pre_migrate


class PlayConfig(AppConfig):
    name = "playtest.play"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        pre_migrate.connect(_before, sender=self)
        post_migrate.connect(_after, sender=self)


def _before(*, using: str, plan: Sequence[Any] = (), **_: Any) -> None:
    """Drop the triggers on SQLite, which cannot change tables that triggers name."""
    from playtest.play.journal.triggers import remove_triggers

    if plan and connections[using].vendor == "sqlite":
        remove_triggers(connections[using])


def _after(*, using: str, plan: Sequence[Any] = (), **_: Any) -> None:
    """Set the triggers, unless no table was changed or an earlier state lacks tables that they name."""
    from playtest.play.journal.triggers import set_triggers, tables_exist

    if plan and tables_exist(connections[using]):
        set_triggers(connections[using])
