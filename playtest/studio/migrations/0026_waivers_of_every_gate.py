"""Waivers of specification cards become waivers of needs, of which there is one for each."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def carry_over(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    before, after = apps.get_model("studio", "CardWaiver"), apps.get_model("studio", "GateWaiver")
    after.objects.bulk_create(
        after(
            environment_id=row.environment_id,
            need="card",
            state="granted",
            reason=row.reason,
            by_id=row.waived_by_id,
            at=row.waived_at,
        )
        for row in before.objects.order_by("pk")
    )


class Migration(migrations.Migration):
    dependencies = [
        ("studio", "0025_masks_of_states"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="GateWaiver",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "need",
                    models.CharField(
                        choices=[
                            ("card", "card"),
                            ("version", "version"),
                            ("note", "note"),
                            ("owner", "owner"),
                            ("played", "played"),
                            ("levels", "levels"),
                            ("qualified", "qualified"),
                            ("unguessable", "unguessable"),
                            ("distinct", "distinct"),
                            ("accepted", "accepted"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("asked", "asked for"),
                            ("granted", "granted"),
                            ("ended", "refused or ended"),
                        ],
                        max_length=8,
                    ),
                ),
                ("reason", models.TextField()),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "environment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="waivers",
                        to="studio.environment",
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
            options={"abstract": False},
        ),
        migrations.CreateModel(
            name="Likeness",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("appearance", models.FloatField()),
                ("effects", models.FloatField()),
                ("program", models.FloatField()),
                ("whole", models.FloatField()),
                ("solved", models.PositiveSmallIntegerField(null=True)),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="studio.version"
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="studio.version"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("first", "second"), name="pair_is_measured_once")
                ]
            },
        ),
        migrations.AddField(
            model_name="cardcomment", name="game", field=models.CharField(blank=True, max_length=100)
        ),
        migrations.RunPython(carry_over, migrations.RunPython.noop),
        migrations.DeleteModel(name="CardWaiver"),
    ]
