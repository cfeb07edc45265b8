"""The application: sets the journal's triggers at the end of every `migrate`, and adds to staff pages."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate, pre_migrate

from playtest.play.journal.triggers import remove_triggers, set_triggers, tables_exist


class PlayConfig(AppConfig):
    name = "playtest.play"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from playtest.people.page_parts import add_part
        from playtest.play.sessions.internal_plays import open_play
        from playtest.play.titles import name_pages

        name_pages()
        add_part("environment-play", "play/open-play.html", open_play)
        pre_migrate.connect(_before, sender=self)
        post_migrate.connect(_after, sender=self)


def _before(*, using: str, plan: Sequence[Any] = (), **_: Any) -> None:
    """Drop the triggers on SQLite, which cannot change tables that triggers name."""
    if plan and connections[using].vendor == "sqlite":
        remove_triggers(connections[using])


def _after(*, using: str, plan: Sequence[Any] = (), **_: Any) -> None:
    """Set the triggers, unless no table was changed or an earlier state lacks tables that they name."""
    if plan and tables_exist(connections[using]):
        set_triggers(connections[using])
