"""A pair's mark becomes a claim that stays on record, with the answers of others.

The marks that there are have no answer yet, so they are open.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def _environment() -> models.ForeignKey:  # type: ignore[type-arg]
    return models.ForeignKey(
        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="studio.environment"
    )


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("studio", "0018_drafts"),
    ]

    operations = [
        migrations.RenameModel("RedundantPair", "RedundancyMark"),
        migrations.RemoveConstraint("redundancymark", "redundant_pair_is_unique"),
        migrations.AlterField("redundancymark", "first", _environment()),
        migrations.AlterField("redundancymark", "second", _environment()),
        migrations.AlterField("redundancymark", "reason", models.TextField()),
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
                    models.UniqueConstraint(fields=("mark", "agrees"), name="redundancy_is_answered_once")
                ],
            },
        ),
    ]
