"""The tables of an explored graph, in which people's states are located."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("studio", "0019_redundancy_marks"),
    ]

    operations = [
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
    ]
