"""Every entry gets its value of the hash chain and every ended attempt its seal; days can be signed.

What was recorded before is chained as it is found now: from here on it cannot change unnoticed.
"""

from collections.abc import Iterable
from itertools import batched
from typing import Any

from django.db import migrations, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import QuerySet

from engine.errors import PayloadError
from playtest.play.journal.entries import entry_value, seal_after, start_of
from playtest.play.journal.triggers import remove_triggers
from playtest.play.journal.writer import inflate

_ATTEMPTS_AT_ONCE = 20
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


def chain(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """In batches of a few attempts, each read and written once."""
    remove_triggers(schema_editor.connection)  # `migrate` ends by setting them anew
    attempts: Any = apps.get_model("play", "Attempt").objects.order_by("pk")
    entries: Any = apps.get_model("play", "Entry").objects
    for part in batched(list(attempts.values_list("pk", flat=True)), _ATTEMPTS_AT_ONCE):
        some = attempts.filter(pk__in=part).select_related("version").defer("version__source")
        chain_attempts(schema_editor.connection, some, entries.order_by())


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0002_study_effort"),
        ("studio", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="SignedDay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField(unique=True)),
                ("document", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("signature", models.BinaryField(max_length=64)),
                ("public_key", models.BinaryField(max_length=32)),
                ("signed_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="attempt", name="seal", field=models.BinaryField(max_length=32, null=True)
        ),
        migrations.AddField(
            model_name="entry",
            name="chain",
            field=models.BinaryField(default=b"", max_length=32),
            preserve_default=False,
        ),
        migrations.RunPython(chain, migrations.RunPython.noop, elidable=False),
    ]
