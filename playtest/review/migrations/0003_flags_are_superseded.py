from typing import Any

from django.db import migrations, models
from django.db.models import F, Q


def keep_when_they_were_raised(apps: Any, schema_editor: Any) -> None:
    """Of flags so far nobody knows when the rules looked: soon after there was enough to see."""
    apps.get_model("review", "Flag").objects.update(judged_at=F("raised_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0002_study_effort"),
        ("review", "0002_assessment"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="flag", name="flag_is_unique_for_an_attempt"),
        migrations.RemoveConstraint(model_name="flag", name="flag_is_unique_for_a_session"),
        migrations.AddField("assessment", "norms", models.JSONField(default=dict)),
        migrations.AddField("assessment", "thresholds", models.JSONField(default=dict)),
        migrations.AlterField("assessment", "rule_version", models.CharField(blank=True, max_length=20)),
        migrations.AddField("flag", "superseded_at", models.DateTimeField(null=True)),
        migrations.AddField("flag", "thresholds", models.JSONField(null=True)),
        migrations.AddField("flag", "judged_at", models.DateTimeField(null=True)),
        migrations.RunPython(keep_when_they_were_raised, migrations.RunPython.noop),
        migrations.AlterField("flag", "judged_at", models.DateTimeField()),
        migrations.AddConstraint(
            "flag",
            models.UniqueConstraint(
                condition=Q(attempt__isnull=False, superseded_at__isnull=True),
                fields=["attempt", "rule"],
                name="flag_stands_once_for_an_attempt",
            ),
        ),
        migrations.AddConstraint(
            "flag",
            models.UniqueConstraint(
                condition=Q(attempt__isnull=True, superseded_at__isnull=True),
                fields=["session", "rule"],
                name="flag_stands_once_for_a_session",
            ),
        ),
    ]
