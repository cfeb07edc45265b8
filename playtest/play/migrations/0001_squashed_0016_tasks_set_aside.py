import datetime

import django.db.models.deletion
import django.db.models.fields.json
import django.db.models.functions.comparison
from django.conf import settings
from django.db import migrations, models

from playtest.serve.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("play", "0001_initial"),
        ("play", "0002_study_effort"),
        ("play", "0003_chain_of_entries"),
        ("play", "0004_heartbeats"),
        ("play", "0005_nothing_left_and_patterns"),
        ("play", "0006_changes_of_studies"),
        ("play", "0007_versions_of_protocols"),
        ("play", "0008_protocols_of_existing_studies"),
        ("play", "0009_studies_have_versions"),
        ("play", "0010_the_centers_day"),
        ("play", "0011_runs_of_agents"),
        ("play", "0012_heartbeats_by_address"),
        ("play", "0013_internal_plays"),
        ("play", "0014_debriefs"),
        ("play", "0015_edits_of_tasks"),
        ("play", "0016_tasks_set_aside"),
    ]

    initial = True

    dependencies = [
        ("people", "0005_same_person"),
        ("people", "__first__"),
        ("studio", "0024_imports_of_tasks"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Heartbeat",
                    fields=[
                        ("process", models.CharField(max_length=255, primary_key=True, serialize=False)),
                        ("at", models.DateTimeField()),
                        ("boot", models.CharField(blank=True, max_length=36)),
                        ("uptime", models.FloatField()),
                    ],
                ),
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
                migrations.CreateModel(
                    name="Attempt",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("first_level", models.PositiveSmallIntegerField(db_default=1, default=1)),
                        ("number", models.PositiveSmallIntegerField()),
                        ("seed", models.PositiveIntegerField()),
                        ("assigned_at", models.DateTimeField()),
                        ("first_frame_at", models.DateTimeField(null=True)),
                        ("set_aside_at", models.DateTimeField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "outcome",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("completed", "completed"),
                                    ("gave_up", "gave_up"),
                                    ("concluded", "concluded"),
                                    ("timed_out", "timed_out"),
                                    ("session_over", "session_over"),
                                    ("ended_by_staff", "ended_by_staff"),
                                    ("restarted", "restarted"),
                                    ("tries_used", "tries_used"),
                                    ("budget_spent", "budget_spent"),
                                    ("card_closed", "card_closed"),
                                    ("fault", "fault"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("fault_code", models.CharField(blank=True, max_length=40)),
                        ("fault_message", models.TextField(blank=True)),
                        ("actions", models.PositiveIntegerField(default=0)),
                        ("levels_completed", models.PositiveSmallIntegerField(default=0)),
                        ("last_action_at", models.DateTimeField(null=True)),
                        ("paused", models.DurationField(default=datetime.timedelta(0))),
                        ("seal", models.BinaryField(max_length=32, null=True)),
                        (
                            "environment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="attempts",
                                to="studio.environment",
                            ),
                        ),
                        (
                            "participant",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="attempts",
                                to="people.participant",
                            ),
                        ),
                        (
                            "staff",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="internal_plays",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="attempts",
                                to="studio.version",
                            ),
                        ),
                        (
                            "session",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="attempts",
                                to="play.session",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("participant", "environment"),
                                name="one_attempt_per_person_and_environment",
                            ),
                            models.UniqueConstraint(
                                fields=("session", "number"), name="attempt_number_is_unique_in_session"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(
                                    ("ended_at__isnull", True), ("set_aside_at__isnull", True)
                                ),
                                fields=("session",),
                                name="one_open_attempt_per_session",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("ended_at__isnull", True), ("outcome", "")),
                                    models.Q(
                                        ("ended_at__isnull", False), models.Q(("outcome", ""), _negated=True)
                                    ),
                                    _connector="OR",
                                ),
                                name="attempt_has_an_outcome_exactly_when_ended",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=("staff", "version"),
                                name="one_open_internal_play_per_staff_and_version",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("participant__isnull", True), ("session__isnull", True)),
                                    models.Q(
                                        ("participant__isnull", False),
                                        ("session__isnull", False),
                                        ("staff__isnull", True),
                                    ),
                                    _connector="OR",
                                ),
                                name="attempt_is_of_a_person_an_agent_or_staff",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("staff__isnull", False), ("first_level", 1), _connector="OR"
                                ),
                                name="only_an_internal_play_begins_on_a_later_level",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ProtocolVersion",
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
                        ("reason", models.TextField(blank=True)),
                        ("created_at", models.DateTimeField()),
                        ("frozen_at", models.DateTimeField(null=True)),
                        (
                            "more_than_actions",
                            models.GeneratedField(
                                db_persist=True,
                                expression=django.db.models.functions.comparison.Cast(
                                    django.db.models.fields.json.KeyTextTransform(
                                        "more_than_actions",
                                        django.db.models.fields.json.KeyTextTransform("attempt", "document"),
                                    ),
                                    models.IntegerField(),
                                ),
                                output_field=models.IntegerField(),
                            ),
                        ),
                        (
                            "less_than_seconds",
                            models.GeneratedField(
                                db_persist=True,
                                expression=django.db.models.functions.comparison.Cast(
                                    django.db.models.fields.json.KeyTextTransform(
                                        "less_than_seconds",
                                        django.db.models.fields.json.KeyTextTransform("attempt", "document"),
                                    ),
                                    models.IntegerField(),
                                ),
                                output_field=models.IntegerField(),
                            ),
                        ),
                        (
                            "view_seconds",
                            models.GeneratedField(
                                db_persist=True,
                                expression=django.db.models.functions.comparison.Coalesce(
                                    django.db.models.functions.comparison.Cast(
                                        django.db.models.fields.json.KeyTextTransform(
                                            "view_seconds",
                                            django.db.models.fields.json.KeyTextTransform(
                                                "tasks", "document"
                                            ),
                                        ),
                                        models.IntegerField(),
                                    ),
                                    5,
                                ),
                                output_field=models.IntegerField(),
                            ),
                        ),
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
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="protocol_versions",
                                to="play.study",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "number"), name="protocol_version_is_unique_in_study"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("frozen_at__isnull", True)),
                                fields=("study",),
                                name="one_draft_per_study",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Session",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("code_hash", models.CharField(max_length=64, unique=True)),
                        ("code_expires_at", models.DateTimeField(null=True)),
                        ("code_used_at", models.DateTimeField(null=True)),
                        ("seat_hash", models.CharField(blank=True, max_length=64)),
                        ("station", models.PositiveSmallIntegerField(null=True)),
                        ("created_at", models.DateTimeField()),
                        ("checked_in_at", models.DateTimeField(null=True)),
                        ("tutorial_done_at", models.DateTimeField(null=True)),
                        ("paused_at", models.DateTimeField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "end_reason",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("pool_used_up", "every environment was played"),
                                    ("nothing_left", "nothing was left to play"),
                                    ("time_over", "the session's time was over"),
                                    ("declined", "consent was declined"),
                                    ("ended_by_staff", "staff ended it"),
                                    ("no_show", "the participant did not come"),
                                    ("cancelled", "it was cancelled"),
                                ],
                                max_length=16,
                            ),
                        ),
                        (
                            "consent",
                            models.OneToOneField(
                                null=True, on_delete=django.db.models.deletion.PROTECT, to="people.consent"
                            ),
                        ),
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
                            "participant",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="sessions",
                                to="people.participant",
                            ),
                        ),
                        (
                            "protocol",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="sessions",
                                to="play.protocolversion",
                            ),
                        ),
                        (
                            "survey",
                            models.OneToOneField(
                                null=True, on_delete=django.db.models.deletion.PROTECT, to="people.survey"
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="sessions",
                                to="play.study",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("end_reason", ""), ("ended_at__isnull", True)),
                                    models.Q(
                                        ("ended_at__isnull", False),
                                        models.Q(("end_reason", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="session_has_a_reason_exactly_when_ended",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("checked_in_at__isnull", True), ("protocol__isnull", True)),
                                    models.Q(("checked_in_at__isnull", False), ("protocol__isnull", False)),
                                    _connector="OR",
                                ),
                                name="session_has_a_protocol_exactly_when_checked_in",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Event",
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
                                    ("connected", "Connected"),
                                    ("disconnected", "Disconnected"),
                                    ("superseded", "Superseded"),
                                    ("page_hidden", "Page Hidden"),
                                    ("page_shown", "Page Shown"),
                                    ("window_blurred", "Window Blurred"),
                                    ("window_focused", "Window Focused"),
                                    ("patterns_on", "Patterns On"),
                                    ("patterns_off", "Patterns Off"),
                                    ("prompt_shown", "Prompt Shown"),
                                    ("prompt_answered", "Prompt Answered"),
                                    ("rebuilt", "Rebuilt"),
                                    ("environment_fault", "Environment Fault"),
                                    ("attempt_ended", "Attempt Ended"),
                                    ("checked_in", "Checked In"),
                                    ("consent_given", "Consent Given"),
                                    ("consent_declined", "Consent Declined"),
                                    ("tutorial_done", "Tutorial Done"),
                                    ("session_created", "Session Created"),
                                    ("code_reissued", "Code Reissued"),
                                    ("session_ended", "Session Ended"),
                                    ("fault_acknowledged", "Fault Acknowledged"),
                                    ("paused", "Paused"),
                                    ("resumed", "Resumed"),
                                    ("time_granted", "Time Granted"),
                                    ("time_announced", "Time Announced"),
                                    ("station_changed", "Station Changed"),
                                    ("proctor_called", "Proctor Called"),
                                    ("call_answered", "Call Answered"),
                                    ("note_added", "Note Added"),
                                    ("attempt_voided", "Attempt Voided"),
                                    ("void_reversed", "Void Reversed"),
                                    ("set_aside", "Set Aside"),
                                    ("taken_up", "Taken Up"),
                                ],
                                max_length=24,
                            ),
                        ),
                        ("server_time", models.DateTimeField()),
                        ("client_time", models.DateTimeField(null=True)),
                        ("details", models.JSONField(default=dict)),
                        (
                            "attempt",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="events",
                                to="play.attempt",
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
                        (
                            "session",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="events",
                                to="play.session",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Study",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=100, unique=True)),
                        ("open", models.BooleanField(default=True)),
                        ("rehearsal", models.BooleanField(default=False)),
                        ("created_at", models.DateTimeField()),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("pool", models.ManyToManyField(related_name="studies", to="studio.environment")),
                    ],
                    options={
                        "verbose_name_plural": "studies",
                    },
                ),
                migrations.CreateModel(
                    name="AgentNote",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seq", models.PositiveIntegerField()),
                        ("reasoning", models.TextField(blank=True)),
                        ("request_key", models.CharField(blank=True, max_length=64)),
                        (
                            "attempt",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="notes",
                                to="play.attempt",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("attempt", "seq"), name="agent_note_is_unique_by_seq"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Debrief",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("difficulty", models.PositiveSmallIntegerField(null=True)),
                        ("about", models.CharField(blank=True, max_length=500)),
                        ("answered_at", models.DateTimeField()),
                        (
                            "attempt",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="debrief",
                                to="play.attempt",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("difficulty__in", (1, 2, 3, 4, 5))),
                                name="debrief_has_five_steps",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("difficulty__isnull", False),
                                    models.Q(("about", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="debrief_says_something",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Entry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seq", models.PositiveIntegerField()),
                        ("action", models.PositiveSmallIntegerField()),
                        ("x", models.PositiveSmallIntegerField(null=True)),
                        ("y", models.PositiveSmallIntegerField(null=True)),
                        ("level", models.PositiveSmallIntegerField()),
                        ("levels_completed", models.PositiveSmallIntegerField()),
                        ("level_completed", models.BooleanField()),
                        ("state", models.CharField(max_length=12)),
                        ("available", models.PositiveSmallIntegerField()),
                        ("changed", models.BooleanField()),
                        ("state_hash", models.BinaryField(max_length=8)),
                        ("frame_count", models.PositiveSmallIntegerField()),
                        ("frames", models.BinaryField()),
                        (
                            "input_kind",
                            models.PositiveSmallIntegerField(
                                choices=[
                                    (0, "Unknown"),
                                    (1, "Key"),
                                    (2, "Key Repeat"),
                                    (3, "Mouse"),
                                    (4, "Touch"),
                                    (5, "Button"),
                                ],
                                default=0,
                            ),
                        ),
                        ("server_time", models.DateTimeField()),
                        ("client_time", models.DateTimeField(null=True)),
                        ("previous_paint_ms", models.PositiveIntegerField(null=True)),
                        ("edit", models.TextField(null=True)),
                        ("chain", models.BinaryField(max_length=32)),
                        (
                            "attempt",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="play.attempt",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "entries",
                        "constraints": [
                            models.UniqueConstraint(fields=("attempt", "seq"), name="entry_is_unique_by_seq")
                        ],
                    },
                ),
            ]
        )
    ]
