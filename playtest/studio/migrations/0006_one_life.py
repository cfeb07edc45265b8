"""What workers do lives one way: uploads, searches and parts of qualifications get what the others had."""

from typing import Any

import django.utils.timezone
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def take_over(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    runs: Any = apps.get_model("studio", "Qualification")
    for pk, scaled_to in runs.objects.values_list("pk", "scaled_to"):
        runs.objects.filter(pk=pk).update(steps=scaled_to["most"])
    parts: Any = apps.get_model("studio", "QualificationPart")
    parts.objects.filter(heard_at=None).update(heard_at=django.utils.timezone.now())


class Migration(migrations.Migration):
    dependencies = [("studio", "0005_signs_of_life")]

    operations = [
        migrations.RenameField("qualification", "steps", "scaled_to"),
        migrations.AddField(
            "qualification", "steps", models.PositiveBigIntegerField(default=0), preserve_default=False
        ),
        migrations.AddField("qualificationpart", "error", models.TextField(blank=True)),
        migrations.AddField("qualificationpart", "finished_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "exploration", "heard_at", models.DateTimeField(default=django.utils.timezone.now)
        ),
        migrations.AddField("upload", "started_at", models.DateTimeField(null=True)),
        migrations.AlterField("upload", "done", models.PositiveBigIntegerField(default=0)),
        migrations.AlterField("upload", "total", models.PositiveBigIntegerField(default=0)),
        migrations.AlterField("upload", "heard_at", models.DateTimeField(default=django.utils.timezone.now)),
        migrations.RunPython(take_over, migrations.RunPython.noop),
    ]
