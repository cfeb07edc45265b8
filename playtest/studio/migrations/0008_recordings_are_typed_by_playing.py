"""What a recording is, is found by playing it; what staff make of one is kept.

Recordings that are there stay as they are until their file is imported again or staff change them.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("studio", "0007_parts_are_heard_of"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="recording",
            name="as_arcengine",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="recording",
            name="digest",
            field=models.CharField(blank=True, max_length=32),
        ),
        migrations.AddField(
            model_name="recording",
            name="remark",
            field=models.TextField(blank=True),
        ),
        migrations.AlterField(
            model_name="recording",
            name="kind",
            field=models.CharField(
                choices=[
                    ("win", "win"),
                    ("loss", "loss"),
                    ("unfinished", "unfinished"),
                    ("optimal", "shortest way through a level"),
                    ("finding", "what a check found"),
                ],
                max_length=16,
            ),
        ),
        migrations.CreateModel(
            name="RecordingChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("digest", models.CharField(blank=True, max_length=32)),
                ("actions", models.PositiveIntegerField()),
                (
                    "before",
                    models.CharField(
                        choices=[
                            ("win", "win"),
                            ("loss", "loss"),
                            ("unfinished", "unfinished"),
                            ("optimal", "shortest way through a level"),
                            ("finding", "what a check found"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "after",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("win", "win"),
                            ("loss", "loss"),
                            ("unfinished", "unfinished"),
                            ("optimal", "shortest way through a level"),
                            ("finding", "what a check found"),
                        ],
                        max_length=16,
                    ),
                ),
                ("reason", models.TextField()),
                ("changed_at", models.DateTimeField()),
                (
                    "changed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="recording_changes",
                        to="studio.version",
                    ),
                ),
            ],
        ),
    ]
