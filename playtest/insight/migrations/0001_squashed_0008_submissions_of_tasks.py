import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from playtest.serve.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("insight", "0001_results_and_releases"),
        ("insight", "0002_stamps_of_summaries"),
        ("insight", "0003_note_of_a_release"),
        ("insight", "0004_how_many_were_asked_for"),
        ("insight", "0005_preregistrations"),
        ("insight", "0006_reports"),
        ("insight", "0007_results_of_tasks_until_their_end"),
        ("insight", "0008_submissions_of_tasks"),
    ]

    initial = True

    dependencies = [
        ("people", "__first__"),
        ("play", "0016_tasks_set_aside"),
        ("studio", "0024_imports_of_tasks"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Summary",
                    fields=[
                        (
                            "attempt",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="summary",
                                serialize=False,
                                to="play.attempt",
                            ),
                        ),
                        ("through_seq", models.PositiveIntegerField()),
                        ("through_end", models.BooleanField(db_default=False, default=False)),
                        ("stamp", models.BigIntegerField(default=0)),
                        ("submitted", models.JSONField(null=True)),
                    ],
                    options={
                        "verbose_name_plural": "summaries",
                    },
                ),
                migrations.CreateModel(
                    name="Preregistration",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("document", models.JSONField()),
                        ("digest", models.CharField(max_length=64)),
                        ("registered_at", models.DateTimeField()),
                        (
                            "registered_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="preregistrations",
                                to="play.study",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "number"), name="preregistration_is_unique_by_number"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RegistryLink",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("address", models.URLField(max_length=500)),
                        ("added_at", models.DateTimeField()),
                        (
                            "added_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "preregistration",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="links",
                                to="insight.preregistration",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Release",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("rule_version", models.CharField(max_length=16)),
                        ("people", models.PositiveIntegerField()),
                        ("asked", models.PositiveIntegerField()),
                        ("levels", models.JSONField()),
                        ("inputs_digest", models.CharField(max_length=64)),
                        ("note", models.TextField(blank=True, db_column="words")),
                        ("released_at", models.DateTimeField()),
                        (
                            "environment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="releases",
                                to="studio.environment",
                            ),
                        ),
                        (
                            "released_by",
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
                                related_name="releases",
                                to="studio.version",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("environment", "number"), name="release_is_unique_by_number"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReleasedReport",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("document", models.JSONField()),
                        ("digest", models.CharField(max_length=64)),
                        (
                            "release",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reports",
                                to="insight.release",
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="released_reports",
                                to="play.study",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("release", "study"), name="released_report_is_unique"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReleaseInput",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("level", models.PositiveSmallIntegerField()),
                        ("actions", models.PositiveIntegerField()),
                        ("counted", models.BooleanField()),
                        ("why_out", models.CharField(blank=True, max_length=200)),
                        (
                            "attempt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="play.attempt",
                            ),
                        ),
                        (
                            "release",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="inputs",
                                to="insight.release",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("release", "attempt", "level"), name="release_input_is_unique"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReportAnswer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("item", models.CharField(max_length=8)),
                        ("version", models.PositiveSmallIntegerField()),
                        ("text", models.TextField(blank=True)),
                        ("answered_at", models.DateTimeField()),
                        (
                            "answered_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="report_answers",
                                to="play.study",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "item", "version"), name="report_answer_is_unique_by_version"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LevelResult",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("level", models.PositiveSmallIntegerField()),
                        ("entered_seq", models.PositiveIntegerField()),
                        ("last_seq", models.PositiveIntegerField()),
                        ("entered_at", models.DateTimeField()),
                        ("last_at", models.DateTimeField()),
                        ("completed", models.BooleanField()),
                        ("actions", models.PositiveIntegerField()),
                        ("actions_since_reset", models.PositiveIntegerField()),
                        ("resets", models.PositiveIntegerField()),
                        ("no_ops", models.PositiveIntegerField()),
                        ("repeated_states", models.PositiveIntegerField()),
                        ("unique_states", models.PositiveIntegerField()),
                        ("first_change", models.PositiveIntegerField(null=True)),
                        ("first_score_change", models.PositiveIntegerField(null=True)),
                        ("game_overs", models.PositiveIntegerField()),
                        ("seconds", models.FloatField()),
                        ("active_seconds", models.FloatField()),
                        (
                            "attempt",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="level_results",
                                to="play.attempt",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("attempt", "level"), name="level_result_is_unique_by_level"
                            )
                        ],
                    },
                ),
            ]
        )
    ]
