"""Chains attempts that were recorded before the hash chain was introduced, for a migration."""

from collections.abc import Iterable
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import QuerySet

from engine.errors import PayloadError
from playtest.play.journal.entries import entry_value, seal_after, start_of
from playtest.play.journal.writer import inflate

_FACTS = (
    "id", "seq", "action", "x", "y", "level", "levels_completed", "level_completed", "state", "available",
    "changed", "state_hash", "frame_count", "input_kind", "server_time", "client_time", "previous_paint_ms",
    "frames", "edit",
)  # fmt: skip


def chain_attempts(connection: BaseDatabaseWrapper, attempts: Iterable[Any], entries: QuerySet[Any]) -> None:
    """Set the chain of these attempts' entries, and the seal of those that have ended.

    `attempts` come with their version; they and `entries` may be models of a migration. The triggers must be
    off. Frames that cannot be inflated enter the chain as none: verification reports them as damaged anyway.
    """
    values: list[tuple[int, bytes]] = []
    facts = [fact for fact in _FACTS if hasattr(entries.model, fact)]  # an early migration knows no edits
    for attempt in attempts:
        last, before = start_of(attempt), len(values)
        rows = entries.filter(attempt=attempt.pk).order_by("seq").values_list(*facts, named=True)
        for entry in rows.iterator():
            last = entry_value(last, entry, _frames(entry.frames))
            values.append((entry.id, last))
        if attempt.ended_at is not None:
            attempt.seal = seal_after(attempt, last, len(values) - before)
            attempt.save(update_fields=["seal"])
    _write(connection, values)


def _frames(stored: bytes | memoryview) -> bytes:
    try:
        return inflate(stored)
    except PayloadError:
        return b""


def _write(connection: BaseDatabaseWrapper, values: list[tuple[int, bytes]]) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "UPDATE play_entry SET chain = chained.value"
                " FROM unnest(%s::bigint[], %s::bytea[]) AS chained (id, value)"
                " WHERE play_entry.id = chained.id",
                [[number for number, _ in values], [value for _, value in values]],
            )
        else:
            cursor.executemany(
                "UPDATE play_entry SET chain = %s WHERE id = %s",
                [(value, number) for number, value in values],
            )
