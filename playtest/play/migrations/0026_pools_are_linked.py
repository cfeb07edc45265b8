"""The pool of a study gets a model of its own, over the table that it has, so that its rows are linked."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0025_outside_rows_are_unique_by_name"),
        ("studio", "0001_squashed_0024_imports_of_tasks"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="PoolEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "environment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="studio.environment",
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="play.study",
                            ),
                        ),
                    ],
                    options={"db_table": "play_study_pool", "unique_together": {("study", "environment")}},
                ),
                migrations.AlterField(
                    model_name="study",
                    name="pool",
                    field=models.ManyToManyField(
                        related_name="studies", through="play.PoolEntry", to="studio.environment"
                    ),
                ),
            ]
        )
    ]
