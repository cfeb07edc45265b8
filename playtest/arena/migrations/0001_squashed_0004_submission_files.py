import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from playtest.serve.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("arena", "0001_arena"),
        ("arena", "0002_custody"),
        ("arena", "0003_boards_notes_and_summaries"),
        ("arena", "0004_submission_files"),
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
                    name="Play",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        (
                            "attempt",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="play",
                                to="play.attempt",
                            ),
                        ),
                        (
                            "run",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="plays",
                                to="arena.run",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("run", "number"), name="play_is_unique_by_number")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ApiKey",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=100)),
                        ("key_hash", models.CharField(max_length=64, unique=True)),
                        ("hint", models.CharField(max_length=4)),
                        ("sets", models.JSONField(default=list)),
                        ("per_minute", models.PositiveIntegerField(default=600)),
                        ("created_at", models.DateTimeField()),
                        ("revoked_at", models.DateTimeField(null=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "revoked_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["name", "pk"],
                    },
                ),
                migrations.CreateModel(
                    name="BoardEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "board",
                            models.CharField(
                                choices=[("official", "official"), ("community", "community")], max_length=16
                            ),
                        ),
                        ("agent", models.CharField(max_length=100)),
                        ("code_url", models.CharField(blank=True, max_length=500)),
                        ("description", models.TextField()),
                        ("entered_at", models.DateTimeField()),
                        (
                            "entered_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "card",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entry",
                                to="arena.scorecard",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("board", "community"), models.Q(("code_url", ""), _negated=True)
                                    ),
                                    models.Q(("board", "official"), ("entered_by__isnull", False)),
                                    _connector="OR",
                                ),
                                name="entry_has_code_or_a_person_who_ran_it",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Harness",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=100)),
                        ("version", models.CharField(max_length=100)),
                        ("code_url", models.CharField(blank=True, max_length=500)),
                        ("adopted_at", models.DateTimeField()),
                        (
                            "adopted_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "harnesses",
                        "ordering": ["-adopted_at", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("name", "version"), name="harness_is_unique_by_version"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Declaration",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("evidence", models.TextField()),
                        ("declared_at", models.DateTimeField()),
                        (
                            "declared_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "entry",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="declaration",
                                to="arena.boardentry",
                            ),
                        ),
                        (
                            "harness",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="declarations",
                                to="arena.harness",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="KeyChange",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("created", "created"),
                                    ("changed", "changed"),
                                    ("revoked", "revoked"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("sets", models.JSONField(default=list)),
                        ("per_minute", models.PositiveIntegerField()),
                        ("at", models.DateTimeField()),
                        (
                            "key",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="changes",
                                to="arena.apikey",
                            ),
                        ),
                        (
                            "staff",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["at", "pk"],
                    },
                ),
                migrations.CreateModel(
                    name="KeyDay",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("day", models.DateField()),
                        ("requests", models.PositiveBigIntegerField(default=0)),
                        ("refused", models.PositiveBigIntegerField(default=0)),
                        (
                            "key",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="days",
                                to="arena.apikey",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-day"],
                        "constraints": [
                            models.UniqueConstraint(fields=("key", "day"), name="key_has_one_row_a_day")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PlaySummary",
                    fields=[
                        (
                            "play",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="summary",
                                serialize=False,
                                to="arena.play",
                            ),
                        ),
                        ("through_seq", models.PositiveIntegerField()),
                        ("levels", models.JSONField(default=dict)),
                    ],
                    options={
                        "verbose_name_plural": "play summaries",
                    },
                ),
                migrations.CreateModel(
                    name="Removal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("why", models.CharField(max_length=200)),
                        ("removed_at", models.DateTimeField()),
                        (
                            "entry",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="removal",
                                to="arena.boardentry",
                            ),
                        ),
                        (
                            "removed_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Run",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("guid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ("started_at", models.DateTimeField()),
                        (
                            "release_set",
                            models.CharField(
                                choices=[
                                    ("none", "none"),
                                    ("public", "public demonstration"),
                                    ("semi_private", "semi-private"),
                                    ("private", "fully private"),
                                ],
                                editable=False,
                                max_length=16,
                            ),
                        ),
                        (
                            "environment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="runs",
                                to="studio.environment",
                            ),
                        ),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="runs",
                                to="studio.version",
                            ),
                        ),
                        (
                            "card",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="runs",
                                to="arena.scorecard",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Scorecard",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("card_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ("sets", models.JSONField(default=list)),
                        ("competition", models.BooleanField(default=False)),
                        ("strict", models.BooleanField(default=False)),
                        ("source_url", models.CharField(blank=True, max_length=500)),
                        ("tags", models.JSONField(default=list)),
                        ("opaque", models.JSONField(null=True)),
                        ("opened_at", models.DateTimeField()),
                        ("used_at", models.DateTimeField()),
                        ("closed_at", models.DateTimeField(null=True)),
                        (
                            "close_reason",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("by_agent", "the agent closed it"),
                                    ("idle", "it was idle for 15 minutes"),
                                    ("too_old", "it was open for 24 hours"),
                                    ("by_staff", "staff closed it"),
                                ],
                                max_length=16,
                            ),
                        ),
                        (
                            "key",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cards",
                                to="arena.apikey",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-opened_at", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("closed_at__isnull", True), ("competition", True)),
                                fields=("key",),
                                name="one_open_competition_card_per_key",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("close_reason", ""), ("closed_at__isnull", True)),
                                    models.Q(
                                        ("closed_at__isnull", False),
                                        models.Q(("close_reason", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="card_has_a_reason_exactly_when_closed",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Disclosure",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "release_set",
                            models.CharField(
                                choices=[
                                    ("none", "none"),
                                    ("public", "public demonstration"),
                                    ("semi_private", "semi-private"),
                                    ("private", "fully private"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("environments", models.PositiveSmallIntegerField()),
                        ("at", models.DateTimeField()),
                        (
                            "card",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="disclosures",
                                to="arena.scorecard",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("card", "release_set"),
                                name="score_is_disclosed_once_per_card_and_set",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CardNote",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("text", models.TextField()),
                        ("written_at", models.DateTimeField()),
                        (
                            "written_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "card",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="notes",
                                to="arena.scorecard",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["written_at", "pk"],
                    },
                ),
                migrations.CreateModel(
                    name="SubmissionFile",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("program", models.CharField(max_length=100)),
                        ("description", models.TextField(blank=True)),
                        ("code_url", models.CharField(blank=True, max_length=500)),
                        ("cost", models.FloatField(null=True)),
                        (
                            "release_set",
                            models.CharField(
                                choices=[
                                    ("none", "none"),
                                    ("public", "public demonstration"),
                                    ("semi_private", "semi-private"),
                                    ("private", "fully private"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("digest", models.CharField(max_length=64)),
                        ("text", models.TextField()),
                        ("imported_at", models.DateTimeField()),
                        (
                            "imported_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("digest", "release_set"),
                                name="submission_file_is_imported_once_per_set",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ScoredTask",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("right", models.JSONField()),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="studio.version",
                            ),
                        ),
                        (
                            "file",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="tasks",
                                to="arena.submissionfile",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("file", "version"), name="task_is_scored_once_per_file"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SubmissionRemoval",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("why", models.CharField(max_length=200)),
                        ("removed_at", models.DateTimeField()),
                        (
                            "file",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="removal",
                                to="arena.submissionfile",
                            ),
                        ),
                        (
                            "removed_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
            ]
        )
    ]
