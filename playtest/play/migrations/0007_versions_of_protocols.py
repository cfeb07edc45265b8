import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast


def of_attempt(name: str) -> models.GeneratedField:
    path = KeyTextTransform("attempt", "document")
    value = KeyTextTransform(name, path)
    return models.GeneratedField(
        db_persist=True,
        expression=Cast(value, models.IntegerField()),
        output_field=models.IntegerField(),
    )


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0003_withdrawn_attempts"),
        ("play", "0006_changes_of_studies"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
                ("more_than_actions", of_attempt("more_than_actions")),
                ("less_than_seconds", of_attempt("less_than_seconds")),
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
        ),
        migrations.AddField(
            model_name="session",
            name="protocol",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sessions",
                to="play.protocolversion",
            ),
        ),
    ]
