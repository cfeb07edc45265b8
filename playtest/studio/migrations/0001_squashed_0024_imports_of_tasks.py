import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from playtest.serve.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("studio", "0001_initial"),
        ("studio", "0002_pipeline_runs_recordings"),
        ("studio", "0003_what_recordings_say"),
        ("studio", "0004_uploads"),
        ("studio", "0005_signs_of_life"),
        ("studio", "0006_one_life"),
        ("studio", "0007_parts_are_heard_of"),
        ("studio", "0008_recordings_are_typed_by_playing"),
        ("studio", "0009_random_play"),
        ("studio", "0010_jobs_have_heartbeats"),
        ("studio", "0011_an_upload_is_an_import"),
        ("studio", "0012_reasons"),
        ("studio", "0013_plain_labels"),
        ("studio", "0014_sightings"),
        ("studio", "0015_internal_plays"),
        ("studio", "0016_specification_cards"),
        ("studio", "0017_environments_before_cards"),
        ("studio", "0018_drafts"),
        ("studio", "0019_redundancy_marks"),
        ("studio", "0020_explored_states"),
        ("studio", "0021_uploaded_versions"),
        ("studio", "0022_first_frames"),
        ("studio", "0023_kinds_of_environment"),
        ("studio", "0024_imports_of_tasks"),
    ]

    initial = True

    dependencies = [
        ("people", "__first__"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="CardRevision",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("content", models.JSONField()),
                        ("digest", models.CharField(max_length=64)),
                        ("saved_at", models.DateTimeField()),
                        (
                            "card",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="revisions",
                                to="studio.specificationcard",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("card", "number"), name="card_revision_is_unique")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Exploration",
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
                        ("seed", models.PositiveBigIntegerField()),
                        ("level", models.PositiveSmallIntegerField()),
                        ("limits", models.JSONField(default=dict)),
                        ("report", models.JSONField(default=dict)),
                        ("graph", models.JSONField(default=dict)),
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
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="%(class)ss",
                                to="studio.version",
                            ),
                        ),
                    ],
                    options={
                        "abstract": False,
                    },
                ),
                migrations.CreateModel(
                    name="CardComment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("text", models.TextField()),
                        ("made_at", models.DateTimeField()),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "revision",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="comments",
                                to="studio.cardrevision",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Environment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("code", models.CharField(max_length=32, unique=True)),
                        (
                            "kind",
                            models.CharField(
                                choices=[("interactive", "interactive environment"), ("task", "static task")],
                                db_default="interactive",
                                default="interactive",
                                max_length=12,
                            ),
                        ),
                        ("title", models.CharField(blank=True, max_length=100)),
                        ("note", models.TextField(blank=True)),
                        (
                            "release_set",
                            models.CharField(
                                choices=[
                                    ("none", "none"),
                                    ("public", "public demonstration"),
                                    ("semi_private", "semi-private"),
                                    ("private", "fully private"),
                                ],
                                default="none",
                                max_length=16,
                            ),
                        ),
                        (
                            "stage",
                            models.CharField(
                                choices=[
                                    ("specification", "specification"),
                                    ("internal", "internal"),
                                    ("external", "external"),
                                    ("done", "done"),
                                ],
                                default="specification",
                                max_length=16,
                            ),
                        ),
                        (
                            "owner",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "current",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="studio.version",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["code"],
                    },
                ),
                migrations.CreateModel(
                    name="CardWaiver",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("reason", models.TextField()),
                        ("waived_at", models.DateTimeField()),
                        (
                            "waived_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "environment",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="card_waiver",
                                to="studio.environment",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="ExploredStates",
                    fields=[
                        (
                            "exploration",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="states",
                                serialize=False,
                                to="studio.exploration",
                            ),
                        ),
                        ("nodes", models.BinaryField()),
                        ("edges", models.BinaryField()),
                    ],
                    options={
                        "verbose_name_plural": "explored states",
                    },
                ),
                migrations.CreateModel(
                    name="Import",
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
                                choices=[("interactive", "interactive environment"), ("task", "static task")],
                                db_default="interactive",
                                default="interactive",
                                max_length=12,
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
                                db_default="none",
                                default="none",
                                max_length=16,
                            ),
                        ),
                        ("names", models.JSONField(default=list)),
                        ("into_sandbox", models.BooleanField(default=False)),
                        ("comment", models.TextField(blank=True)),
                        ("results", models.JSONField(default=list)),
                        (
                            "requested_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "abstract": False,
                    },
                ),
                migrations.CreateModel(
                    name="RedundancyMark",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("reason", models.TextField()),
                        ("marked_at", models.DateTimeField()),
                        (
                            "first",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="studio.environment",
                            ),
                        ),
                        (
                            "marked_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "second",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="studio.environment",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("first__lt", models.F("second"))),
                                name="redundant_pair_is_in_order",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RedundancyAnswer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("agrees", models.BooleanField()),
                        ("reason", models.TextField()),
                        ("answered_at", models.DateTimeField()),
                        (
                            "answered_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "mark",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="answers",
                                to="studio.redundancymark",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("mark", "agrees"), name="redundancy_is_answered_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Sighting",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(blank=True, max_length=200)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("studio", "opened its page in the studio"),
                                    ("frames", "saw frames of it"),
                                    ("recording", "watched a stored recording"),
                                    ("replay", "watched a replay"),
                                    ("live", "watched somebody play it"),
                                    ("played", "played it"),
                                    ("file", "took play of it as a file"),
                                    ("source", "took its source"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("day", models.DateField()),
                        ("at", models.DateTimeField()),
                        (
                            "environment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="sightings",
                                to="studio.environment",
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
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("environment", "staff", "kind", "day"),
                                name="sighting_of_staff_once_a_day",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SpecificationCard",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("revision", models.PositiveIntegerField()),
                        ("created_at", models.DateTimeField()),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "environment",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="card",
                                to="studio.environment",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["environment__code"],
                    },
                ),
                migrations.CreateModel(
                    name="Version",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("digest", models.CharField(max_length=64)),
                        ("game_id", models.CharField(max_length=64)),
                        ("class_name", models.CharField(max_length=100)),
                        ("source", models.TextField()),
                        ("metadata", models.JSONField()),
                        ("default_fps", models.PositiveSmallIntegerField()),
                        ("levels", models.PositiveSmallIntegerField()),
                        ("available_actions", models.JSONField()),
                        ("imported_at", models.DateTimeField()),
                        ("is_draft", models.BooleanField(default=False)),
                        (
                            "environment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="versions",
                                to="studio.environment",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("environment", "digest"), name="version_is_unique_by_digest"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="UploadedVersion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("comment", models.TextField(blank=True)),
                        ("note", models.TextField(blank=True)),
                        ("remarks", models.TextField(blank=True)),
                        ("uploaded_at", models.DateTimeField()),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("waiting", "waits for approval"),
                                    ("approved", "approved"),
                                    ("declined", "declined"),
                                    ("withdrawn", "withdrawn"),
                                    ("replaced", "replaced by a later upload"),
                                ],
                                default="waiting",
                                max_length=16,
                            ),
                        ),
                        ("decided_at", models.DateTimeField(null=True)),
                        ("reason", models.TextField(blank=True)),
                        ("seen_at", models.DateTimeField(null=True)),
                        (
                            "decided_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "job",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="uploads",
                                to="studio.import",
                            ),
                        ),
                        (
                            "uploaded_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "before",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="studio.version",
                            ),
                        ),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="uploads",
                                to="studio.version",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["status", "uploaded_by"], name="upload_by_status")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("status", "waiting")),
                                fields=("version",),
                                name="version_waits_once",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StageMove",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "before",
                            models.CharField(
                                choices=[
                                    ("specification", "specification"),
                                    ("internal", "internal"),
                                    ("external", "external"),
                                    ("done", "done"),
                                ],
                                max_length=16,
                            ),
                        ),
                        (
                            "after",
                            models.CharField(
                                choices=[
                                    ("specification", "specification"),
                                    ("internal", "internal"),
                                    ("external", "external"),
                                    ("done", "done"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("reason", models.TextField(blank=True, db_column="words")),
                        ("evidence", models.JSONField(default=dict)),
                        ("moved_at", models.DateTimeField()),
                        (
                            "environment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="moves",
                                to="studio.environment",
                            ),
                        ),
                        (
                            "moved_by",
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
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="studio.version",
                            ),
                        ),
                    ],
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
                                    ("optimal", "shortest win of a level"),
                                    ("finding", "finding of a check"),
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
                                    ("optimal", "shortest win of a level"),
                                    ("finding", "finding of a check"),
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
                migrations.CreateModel(
                    name="Recording",
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
                                    ("win", "win"),
                                    ("loss", "loss"),
                                    ("unfinished", "unfinished"),
                                    ("optimal", "shortest win of a level"),
                                    ("finding", "finding of a check"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("name", models.CharField(max_length=100)),
                        ("seed", models.PositiveIntegerField(default=0)),
                        ("level", models.PositiveSmallIntegerField(default=1)),
                        ("actions", models.JSONField()),
                        ("state_hashes", models.JSONField(default=list)),
                        ("milliseconds", models.JSONField(default=list)),
                        ("levels_completed", models.JSONField(default=list)),
                        ("as_arcengine", models.BooleanField(default=False)),
                        ("remark", models.TextField(blank=True)),
                        ("digest", models.CharField(blank=True, max_length=32)),
                        ("made_at", models.DateTimeField()),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="recordings",
                                to="studio.version",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("version", "kind", "name"), name="recording_is_unique_by_name"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RandomPlay",
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
                        ("seed", models.PositiveBigIntegerField()),
                        ("level", models.PositiveSmallIntegerField()),
                        ("number", models.PositiveIntegerField()),
                        ("budget", models.PositiveIntegerField()),
                        ("report", models.JSONField(default=dict)),
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
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="%(class)ss",
                                to="studio.version",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("version", "level", "seed", "number"), name="random_play_is_unique"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Qualification",
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
                        ("total", models.PositiveBigIntegerField(default=0)),
                        ("requested_at", models.DateTimeField()),
                        ("started_at", models.DateTimeField(null=True)),
                        ("seed", models.PositiveBigIntegerField()),
                        ("steps", models.PositiveBigIntegerField()),
                        ("full", models.BooleanField(default=False)),
                        ("passed", models.BooleanField(null=True)),
                        ("report", models.JSONField(default=dict)),
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
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="%(class)ss",
                                to="studio.version",
                            ),
                        ),
                    ],
                    options={
                        "abstract": False,
                    },
                ),
                migrations.CreateModel(
                    name="FirstFrame",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("level", models.PositiveSmallIntegerField()),
                        ("frame", models.BinaryField()),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="first_frames",
                                to="studio.version",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("version", "level"), name="first_frame_is_unique_by_level"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CardSignOff",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("signed_at", models.DateTimeField()),
                        ("withdrawn_at", models.DateTimeField(null=True)),
                        (
                            "revision",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="sign_offs",
                                to="studio.cardrevision",
                            ),
                        ),
                        (
                            "staff",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("withdrawn_at", None)),
                                fields=("revision", "staff"),
                                name="card_is_signed_once",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="QualificationPart",
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
                        ("regime", models.CharField(max_length=24)),
                        ("number", models.PositiveSmallIntegerField()),
                        ("seed", models.PositiveBigIntegerField()),
                        ("steps", models.PositiveBigIntegerField()),
                        ("findings", models.JSONField(default=list)),
                        (
                            "qualification",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="parts",
                                to="studio.qualification",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("qualification", "regime", "number"),
                                name="qualification_part_is_unique",
                            )
                        ],
                    },
                ),
            ]
        )
    ]
