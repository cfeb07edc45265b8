"""Exports live as everything does that workers do."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Value
from django.db.models.functions import Concat


def take_over(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    exports: Any = apps.get_model("review", "Export")
    exports.objects.filter(heard_at=None).update(heard_at=F("requested_at"))
    exports.objects.exclude(error_code="").update(
        error=Concat("error_code", Value(": "), "error_message", output_field=models.TextField())
    )


class Migration(migrations.Migration):
    dependencies = [("review", "0004_exports_are_heard_of")]

    operations = [
        migrations.RenameField("export", "state", "status"),
        migrations.AlterField(
            "export",
            "status",
            models.CharField(
                choices=[
                    ("waiting", "Waiting"),
                    ("running", "Running"),
                    ("done", "Done"),
                    ("cancelled", "Cancelled"),
                    ("failed", "Failed"),
                ],
                default="waiting",
                max_length=12,
            ),
        ),
        migrations.AddField("export", "error", models.TextField(blank=True)),
        migrations.AddField("export", "done", models.PositiveBigIntegerField(default=0)),
        migrations.AddField("export", "total", models.PositiveBigIntegerField(default=0)),
        migrations.AddField("export", "started_at", models.DateTimeField(null=True)),
        migrations.RunPython(take_over, migrations.RunPython.noop),
    ]
