"""Tables that are append-only, as manifests declare them for the triggers of `play.journal.triggers`."""

from dataclasses import dataclass

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

    `unique` are its unique keys beside `id`, each as SQL that is true of a row with the key of NEW. `changed`
    is SQL over OLD and NEW for the updates that are refused; empty: every update. `refused_inserts` are
    further conditions on new rows.
    """

    table: str
    owner: str | None = None
    unique: tuple[str, ...] = ()
    changed: str = ""
    message: str = ""
    refused_inserts: tuple[RefusedInsert, ...] = ()

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


def same(*columns: str) -> str:
    """SQL for "a row has the same values as NEW in these columns"."""
    return " AND ".join(f"{name} = NEW.{name}" for name in columns)


def differs(*columns: str) -> str:
    """SQL for "one of these columns is changed"; the same in both databases."""
    return " OR ".join(
        f"(OLD.{name} IS NULL) <> (NEW.{name} IS NULL) OR OLD.{name} <> NEW.{name}" for name in columns
    )
