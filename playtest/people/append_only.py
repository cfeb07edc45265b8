"""Tables of the record, as manifests declare them.

`play.journal.triggers` sets their triggers, and `people.record` links the states of their rows.
"""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from django.apps import apps
from django.utils.module_loading import module_has_submodule

WITHDRAWAL = "people_withdrawal"


@dataclass(frozen=True)
class RefusedInsert:
    """New rows that are refused: SQL that is true of such a row NEW, and the message."""

    name: str
    condition: str
    message: str


@dataclass(frozen=True)
class Protected:
    """One table. `owner` is SQL for the participant of the row OLD; None if no withdrawal deletes its rows.

    `unique` are its unique keys beside `id`, each as SQL that is true of a row with the key of NEW.
    `changed` is SQL over OLD and NEW for the updates that are refused; empty: every update.
    `refused_inserts` are further conditions on new rows. `deletable`: rows can be deleted by anybody, which
    leaves a link.

    `columns` are those whose every state has a link, by the names that Django gives them in a row; empty: all
    that are not computed. `linked` is False where the rows have a chain of their own, or decide nothing.
    """

    table: str
    owner: str | None = None
    unique: tuple[str, ...] = ()
    changed: str = ""
    message: str = ""
    refused_inserts: tuple[RefusedInsert, ...] = ()
    deletable: bool = False
    columns: tuple[str, ...] = ()
    linked: bool = True

    @property
    def sentence(self) -> str:
        return self.message or f"{self.table} is append-only"

    @property
    def withdrawing(self) -> str:
        """Whether the row's own participant is withdrawing at this moment, as SQL."""
        whose = f"participant_id = ({self.owner})"
        return f"EXISTS (SELECT 1 FROM {WITHDRAWAL} WHERE finished_at IS NULL AND {whose})"

    @property
    def taken(self) -> str:
        """Whether another row has one of the keys of NEW, as SQL."""
        keys = (same("id"), *self.unique)
        return " OR ".join(f"EXISTS (SELECT 1 FROM {self.table} WHERE {key})" for key in keys)


class Fault(NamedTuple):
    """What is not as it must be in the record: a code of docs/journal.md, and a sentence.

    `row` is the key of the row, where the fault is one row's.
    """

    code: str
    message: str
    row: int = 0


def same(*columns: str) -> str:
    """SQL for "a row has the same values as NEW in these columns"."""
    return " AND ".join(f"{name} = NEW.{name}" for name in columns)


def differs(*columns: str) -> str:
    """SQL for "one of these columns is changed"; the same in both databases."""
    return " OR ".join(
        f"(OLD.{name} IS NULL) <> (NEW.{name} IS NULL) OR OLD.{name} <> NEW.{name}" for name in columns
    )


@cache
def installed() -> tuple[Any, ...]:
    """The manifests of all installed apps that declare one, lower rooms first (`people.manifests`)."""
    rooms = [config for config in apps.get_app_configs() if config.name.startswith("playtest.")]
    return tuple(
        import_module(f"{room.name}.manifest").MANIFEST
        for room in rooms
        if module_has_submodule(room.module, "manifest")
    )


@cache
def protected() -> dict[str, Protected]:
    """Every protected table by its name."""
    return {one.table: one for manifest in installed() for one in manifest.protected}
