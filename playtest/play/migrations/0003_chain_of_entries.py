"""Every entry gets its value of the hash chain and every ended attempt its seal; days can be signed.

What was recorded before is chained as it is found now: from here on it cannot change unnoticed.
"""

from itertools import batched
from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from playtest.play.journal.chaining import chain_attempts
from playtest.play.journal.triggers import remove_triggers

_ATTEMPTS_AT_ONCE = 20


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
