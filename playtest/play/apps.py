"""The application: sets triggers and links at the end of every `migrate`, and links deletions."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_delete, post_migrate, post_save, pre_migrate


class PlayConfig(AppConfig):
    name = "playtest.play"

    def ready(self) -> None:
        from playtest.people.record.links import Recorded, follow_deletions, follow_saves
        from playtest.people.record.upgrade import linked_models

        pre_migrate.connect(_before, sender=self)
        post_migrate.connect(_after, sender=self)
        for model in linked_models():
            post_delete.connect(follow_deletions, sender=model)
            if not issubclass(model, Recorded):
                post_save.connect(follow_saves, sender=model)


def _before(*, using: str, plan: Sequence[Any] = (), **_: Any) -> None:
    """Find rows that are not as their links say, and drop the triggers on SQLite.

    SQLite cannot change tables that triggers name.
    """
    from playtest.people.record.upgrade import before_upgrade
    from playtest.play.journal.triggers import remove_triggers

    _differing.clear()
    if plan:
        _differing.update(before_upgrade())
    if plan and connections[using].vendor == "sqlite":
        remove_triggers(connections[using])


def _after(*, using: str, plan: Sequence[Any] = (), **_: Any) -> None:
    """Set the triggers and link what was changed, unless nothing was, or an earlier state lacks tables."""
    from playtest.people.record.upgrade import after_upgrade
    from playtest.play.journal.triggers import set_triggers, tables_exist

    if plan and tables_exist(connections[using]):
        after_upgrade(_differing)
        set_triggers(connections[using])


_differing: dict[str, set[int]] = {}
"""What an upgrade found before its migrations, by table."""
