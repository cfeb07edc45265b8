"""Somebody with the database's own rights, who takes the triggers off and changes what was recorded."""

from importlib import import_module
from typing import Any

from django.db import connection

from playtest.play.journal.triggers import remove_triggers
from playtest.play.models import Attempt, Entry
from tests.databases import free_of_triggers

chain_attempts = import_module("playtest.play.migrations.0003_chain_of_entries").chain_attempts
"""As whoever knows the rule of the chain makes its values anew."""


def unprotect() -> None:
    """What the database itself would refuse is possible until the test ends."""
    connection.check_constraints()
    remove_triggers(connection)


def execute(statement: str, *values: Any) -> None:
    with free_of_triggers(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount > 0, "a tampering that changes nothing proves nothing"


def set_entry(attempt: Attempt, seq: int, /, **columns: Any) -> None:
    """An entry that says something else."""
    entry = Entry.objects.get(attempt=attempt, seq=seq)
    for name, value in columns.items():
        setattr(entry, name, value)
    row = {field.column: field.get_db_prep_save(getattr(entry, field.attname), connection)
           for field in Entry._meta.concrete_fields}  # fmt: skip
    execute(f"UPDATE play_entry SET {', '.join(f'{name} = %s' for name in row)} WHERE id = %s",
            *row.values(), entry.pk)  # fmt: skip


def set_attempt(attempt: Attempt, **columns: Any) -> None:
    """An attempt that says something else."""
    with free_of_triggers():
        assert Attempt.objects.filter(pk=attempt.pk).update(**columns) == 1


def remove_entry(attempt: Attempt, seq: int) -> None:
    execute("DELETE FROM play_entry WHERE attempt_id = %s AND seq = %s", attempt.pk, seq)


def move_entry(attempt: Attempt, seq: int, to: int) -> None:
    execute("UPDATE play_entry SET seq = %s WHERE attempt_id = %s AND seq = %s", to, attempt.pk, seq)


def add_entry(attempt: Attempt, seq: int) -> None:
    """One more entry after the last: a copy of it, two seconds later."""
    entry = Entry.objects.get(attempt=attempt, seq=seq - 1)
    entry.pk, entry.seq = None, seq
    with free_of_triggers():
        entry.save()


def flip_byte(attempt: Attempt, seq: int) -> None:
    """One byte of the stored frames, in the midst of them."""
    frames = bytearray(bytes(Entry.objects.get(attempt=attempt, seq=seq).frames))
    frames[len(frames) // 2] ^= 0xFF
    set_entry(attempt, seq, frames=bytes(frames))


def remove_attempt(attempt: Attempt, *, events: bool) -> None:
    """An attempt and all that is derived from it; with or without its events."""
    execute("DELETE FROM play_entry WHERE attempt_id = %s", attempt.pk)
    if events:
        execute("DELETE FROM play_event WHERE attempt_id = %s", attempt.pk)
    execute("DELETE FROM play_attempt WHERE id = %s", attempt.pk)


def chain_again(attempt: Attempt) -> None:
    """Who knows docs/journal.md computes the chain and the seal anew over what was changed."""
    found = Attempt.objects.select_related("version").get(pk=attempt.pk)
    with free_of_triggers():
        chain_attempts(connection, [found], Entry.objects.order_by())
