import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import playtest.play.clock
from playtest.serve.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("center", "0001_voids"),
        ("center", "0002_stations"),
        ("center", "0003_schedule"),
        ("center", "0004_pay"),
    ]

    initial = True

    dependencies = [
        ("people", "0005_same_person"),
        ("people", "__first__"),
        ("play", "0016_tasks_set_aside"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Station",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField(unique=True)),
                        ("room", models.CharField(max_length=40)),
                        ("notes", models.CharField(blank=True, max_length=200)),
                        ("code_hash", models.CharField(blank=True, max_length=64)),
                        ("code_expires_at", models.DateTimeField(null=True)),
                        ("token_hash", models.CharField(blank=True, max_length=64)),
                        ("registered_at", models.DateTimeField(null=True)),
                        ("created_at", models.DateTimeField(default=playtest.play.clock.machine_now)),
                        ("retired_at", models.DateTimeField(null=True)),
                        (
                            "created_by",
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
                                condition=models.Q(("code_hash", ""), _negated=True),
                                fields=("code_hash",),
                                name="registration_code_is_unique",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("token_hash", ""), _negated=True),
                                fields=("token_hash",),
                                name="device_token_is_unique",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Adjustment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("amount", models.DecimalField(decimal_places=2, max_digits=12)),
                        (
                            "reason",
                            models.CharField(
                                choices=[
                                    ("correction", "correction of fee or bonus"),
                                    ("waited", "had to wait, or was sent home"),
                                    ("extra_time", "stayed longer than agreed"),
                                    ("travel", "travel costs"),
                                    ("overpaid", "was paid too much"),
                                    ("other", "other"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("text", models.TextField()),
                        ("entered_at", models.DateTimeField()),
                        (
                            "entered_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="adjustments",
                                to="center.payaccount",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("amount", 0), _negated=True),
                                name="adjustment_is_not_zero",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AdjustmentDecision",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("approved", models.BooleanField()),
                        ("text", models.TextField(blank=True)),
                        ("decided_at", models.DateTimeField()),
                        (
                            "adjustment",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="decision",
                                to="center.adjustment",
                            ),
                        ),
                        (
                            "decided_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Booking",
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
                                choices=[("invited", "invited"), ("walk_in", "walked in")], max_length=8
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("booked", "booked"),
                                    ("confirmed", "will come"),
                                    ("declined", "cannot come"),
                                    ("cancelled", "cancelled"),
                                    ("no_show", "did not come"),
                                ],
                                default="booked",
                                max_length=10,
                            ),
                        ),
                        ("created_at", models.DateTimeField()),
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
                                related_name="bookings",
                                to="people.participant",
                            ),
                        ),
                        (
                            "session",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="booking",
                                to="play.session",
                            ),
                        ),
                        (
                            "slot",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="bookings",
                                to="center.slot",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state__in", ("booked", "confirmed"))),
                                fields=("slot", "participant"),
                                name="one_booking_per_person_and_slot",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Message",
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
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("invitation", "invitation"),
                                    ("moved", "change of time"),
                                    ("cancellation", "cancellation"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("token_hash", models.CharField(max_length=64, null=True, unique=True)),
                        ("by_mail", models.BooleanField(default=True)),
                        ("requested_at", models.DateTimeField()),
                        (
                            "booking",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="messages",
                                to="center.booking",
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
                    ],
                    options={
                        "abstract": False,
                    },
                ),
                migrations.CreateModel(
                    name="PayAccount",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("held_at", models.DateTimeField()),
                        ("opened_at", models.DateTimeField()),
                        (
                            "participant",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="pay_accounts",
                                to="people.participant",
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="pay_accounts",
                                to="play.study",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="PaidSession",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "session",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="pay",
                                to="play.session",
                            ),
                        ),
                        (
                            "account",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="link",
                                to="center.payaccount",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="PayBatch",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("since", models.DateField(null=True)),
                        ("until", models.DateField(null=True)),
                        ("total", models.DecimalField(decimal_places=2, max_digits=12)),
                        ("people", models.PositiveIntegerField()),
                        ("made_at", models.DateTimeField()),
                        (
                            "made_by",
                            models.ForeignKey(
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
                                related_name="pay_batches",
                                to="play.study",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="PayLine",
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
                                    ("fee", "fee"),
                                    ("bonus", "bonus"),
                                    ("adjustment", "adjustment"),
                                    ("payment", "payment"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("amount", models.DecimalField(decimal_places=2, max_digits=12)),
                        ("posted_at", models.DateTimeField()),
                        (
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lines",
                                to="center.payaccount",
                            ),
                        ),
                        (
                            "adjustment",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="line",
                                to="center.adjustment",
                            ),
                        ),
                        (
                            "batch",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lines",
                                to="center.paybatch",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("kind__in", ["fee", "bonus"])),
                                fields=("account", "kind"),
                                name="one_fee_and_one_bonus_per_account",
                            ),
                            models.UniqueConstraint(
                                fields=("account", "batch"), name="an_account_is_once_in_a_batch"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("adjustment__isnull", False), ("kind", "adjustment")),
                                    models.Q(
                                        models.Q(("kind", "adjustment"), _negated=True),
                                        ("adjustment__isnull", True),
                                    ),
                                    _connector="OR",
                                ),
                                name="adjustment_lines_name_their_adjustment",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("batch__isnull", False), ("kind", "payment")),
                                    models.Q(
                                        models.Q(("kind", "payment"), _negated=True), ("batch__isnull", True)
                                    ),
                                    _connector="OR",
                                ),
                                name="payment_lines_name_their_batch",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Receipt",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("edition", models.PositiveSmallIntegerField()),
                        ("total", models.DecimalField(decimal_places=2, max_digits=12)),
                        ("issued_at", models.DateTimeField()),
                        (
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="receipts",
                                to="center.payaccount",
                            ),
                        ),
                        (
                            "issued_by",
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
                                fields=("account", "edition"), name="receipt_edition_is_unique"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Slot",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("room", models.CharField(blank=True, max_length=40)),
                        ("starts_at", models.DateTimeField(db_index=True)),
                        ("ends_at", models.DateTimeField()),
                        ("capacity", models.PositiveSmallIntegerField()),
                        ("note", models.CharField(blank=True, max_length=500)),
                        ("created_at", models.DateTimeField()),
                        ("cancelled_at", models.DateTimeField(null=True)),
                        ("cancel_reason", models.CharField(blank=True, max_length=500)),
                        (
                            "cancelled_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
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
                                related_name="slots",
                                to="play.study",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("ends_at__gt", models.F("starts_at"))),
                                name="slot_ends_after_it_starts",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("capacity__gte", 1)), name="slot_has_a_capacity"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("cancel_reason", ""), ("cancelled_at__isnull", True)),
                                    models.Q(
                                        ("cancelled_at__isnull", False),
                                        models.Q(("cancel_reason", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="slot_has_a_reason_exactly_when_cancelled",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StationPresence",
                    fields=[
                        (
                            "station",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="presence",
                                serialize=False,
                                to="center.station",
                            ),
                        ),
                        ("connection", models.CharField(max_length=100)),
                        ("connected_at", models.DateTimeField(null=True)),
                        ("seen_at", models.DateTimeField()),
                    ],
                ),
                migrations.CreateModel(
                    name="Void",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "reason",
                            models.CharField(
                                choices=[
                                    ("wrong_person", "the wrong person played"),
                                    ("disturbed", "the participant was disturbed or unwell"),
                                    ("technical", "technical trouble, not the participant's doing"),
                                    ("broke_rules", "the participant broke the rules"),
                                    ("other", "another reason"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("text", models.TextField(blank=True)),
                        ("voided_at", models.DateTimeField()),
                        (
                            "attempt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="voids",
                                to="play.attempt",
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
                ),
                migrations.CreateModel(
                    name="VoidReversal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("text", models.TextField()),
                        ("reversed_at", models.DateTimeField()),
                        (
                            "staff",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "void",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reversal",
                                to="center.void",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Budget",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("cap", models.DecimalField(decimal_places=2, max_digits=12, null=True)),
                        ("warn_percent", models.PositiveSmallIntegerField(default=80)),
                        ("reason", models.TextField()),
                        ("set_at", models.DateTimeField()),
                        (
                            "set_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="budgets",
                                to="play.study",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("warn_percent__gte", 1),
                                    ("warn_percent__lte", 100),
                                    models.Q(("cap__isnull", True), ("cap__gte", 0), _connector="OR"),
                                ),
                                name="budget_is_in_range",
                            )
                        ],
                    },
                ),
            ]
        )
    ]
