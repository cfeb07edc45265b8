import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from playtest.serve.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("review", "0001_initial"),
        ("review", "0002_assessment"),
        ("review", "0003_flags_are_superseded"),
        ("review", "0004_exports_are_heard_of"),
        ("review", "0005_one_life"),
        ("review", "0006_every_export_is_heard_of"),
        ("review", "0007_second_verdicts"),
        ("review", "0008_exports_have_heartbeats"),
        ("review", "0009_decision_explanation"),
        ("review", "0010_alter_export_kind"),
        ("review", "0011_independent_reviews"),
    ]

    initial = True

    dependencies = [
        ("people", "__first__"),
        ("play", "0016_tasks_set_aside"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Assessment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("rule_version", models.CharField(blank=True, max_length=20)),
                        ("attempts", models.PositiveSmallIntegerField()),
                        ("thresholds", models.JSONField(default=dict)),
                        ("norms", models.JSONField(default=dict)),
                        (
                            "session",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="assessment",
                                to="play.session",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Collection",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=100, unique=True)),
                        ("note", models.TextField(blank=True)),
                        ("created_at", models.DateTimeField()),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="CollectionItem",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("position", models.PositiveIntegerField()),
                        ("seq", models.PositiveIntegerField(default=0)),
                        ("note", models.CharField(blank=True, max_length=200)),
                        (
                            "attempt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="collection_items",
                                to="play.attempt",
                            ),
                        ),
                        (
                            "collection",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="items",
                                to="review.collection",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["position", "pk"],
                    },
                ),
                migrations.CreateModel(
                    name="Comment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seq", models.PositiveIntegerField()),
                        ("seconds", models.FloatField()),
                        ("text", models.TextField(blank=True)),
                        ("tags", models.JSONField(default=list)),
                        ("created_at", models.DateTimeField()),
                        ("changed_at", models.DateTimeField(null=True)),
                        (
                            "attempt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="comments",
                                to="play.attempt",
                            ),
                        ),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Export",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
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
                        ("done", models.PositiveBigIntegerField(default=0)),
                        ("error", models.TextField(blank=True)),
                        ("finished_at", models.DateTimeField(null=True)),
                        ("heartbeat_at", models.DateTimeField(default=django.utils.timezone.now)),
                        ("total", models.PositiveBigIntegerField(default=0)),
                        ("requested_at", models.DateTimeField()),
                        ("started_at", models.DateTimeField(null=True)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("mp4", "MP4 video"),
                                    ("webm", "WebM video"),
                                    ("gif", "GIF animation"),
                                    ("study_parquet", "study data as Parquet"),
                                    ("study_csv", "study data as CSV"),
                                    ("runs_parquet", "runs as Parquet"),
                                    ("runs_csv", "runs as CSV"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("options", models.JSONField(default=dict)),
                        ("file", models.CharField(blank=True, max_length=200)),
                        ("digest", models.CharField(blank=True, max_length=64)),
                        (
                            "attempt",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="exports",
                                to="play.attempt",
                            ),
                        ),
                        (
                            "requested_by",
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
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="exports",
                                to="play.study",
                            ),
                        ),
                    ],
                    options={
                        "abstract": False,
                    },
                ),
                migrations.CreateModel(
                    name="Decision",
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
                                    ("keep", "keep everything"),
                                    ("exclude_attempt", "exclude this attempt"),
                                    ("exclude_from", "exclude this attempt from a moment on"),
                                    ("exclude_session", "exclude the whole session"),
                                    ("reverse", "reverse an earlier decision"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("from_seq", models.PositiveIntegerField(null=True)),
                        ("reason", models.CharField(max_length=40)),
                        ("explanation", models.TextField(blank=True, db_column="words")),
                        ("rule_version", models.CharField(max_length=20)),
                        (
                            "opened_by",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("flags", "its effort flags"),
                                    ("draw", "drawn at random"),
                                    ("reviewer", "a reviewer opened it"),
                                    ("reversal", "an earlier decision was reversed"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("needs_confirmation", models.BooleanField(default=False)),
                        ("decided_at", models.DateTimeField()),
                        (
                            "answers",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="answered_by",
                                to="review.decision",
                            ),
                        ),
                        (
                            "attempt",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="decisions",
                                to="play.attempt",
                            ),
                        ),
                        (
                            "confirms",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="confirmed_by",
                                to="review.decision",
                            ),
                        ),
                        (
                            "part_of",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="parts",
                                to="review.decision",
                            ),
                        ),
                        (
                            "reverses",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reversed_by",
                                to="review.decision",
                            ),
                        ),
                        (
                            "reviewer",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "session",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="decisions",
                                to="play.session",
                            ),
                        ),
                        (
                            "settles",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="settled_by",
                                to="review.decision",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("from_seq__isnull", False), ("kind", "exclude_from")),
                                    models.Q(
                                        models.Q(("kind", "exclude_from"), _negated=True),
                                        ("from_seq__isnull", True),
                                    ),
                                    _connector="OR",
                                ),
                                name="only_exclude_from_has_a_moment",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "reverse"), ("reverses__isnull", False)),
                                    models.Q(
                                        models.Q(("kind", "reverse"), _negated=True),
                                        ("reverses__isnull", True),
                                    ),
                                    _connector="OR",
                                ),
                                name="only_a_reversal_reverses",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Flag",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("rule", models.CharField(max_length=40)),
                        ("rule_version", models.CharField(max_length=20)),
                        ("thresholds", models.JSONField(null=True)),
                        (
                            "strength",
                            models.CharField(
                                choices=[
                                    ("note", "for information"),
                                    ("review", "to be reviewed"),
                                    ("strong", "strong"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("figures", models.JSONField()),
                        ("sentence", models.TextField()),
                        ("raised_at", models.DateTimeField()),
                        ("judged_at", models.DateTimeField()),
                        ("superseded_at", models.DateTimeField(null=True)),
                        (
                            "attempt",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="flags",
                                to="play.attempt",
                            ),
                        ),
                        (
                            "session",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="flags",
                                to="play.session",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(
                                    ("attempt__isnull", False), ("superseded_at__isnull", True)
                                ),
                                fields=("attempt", "rule"),
                                name="flag_stands_once_for_an_attempt",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(
                                    ("attempt__isnull", True), ("superseded_at__isnull", True)
                                ),
                                fields=("session", "rule"),
                                name="flag_stands_once_for_a_session",
                            ),
                        ],
                    },
                ),
            ]
        )
    ]
