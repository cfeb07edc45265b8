"""The field is renamed in Python; its column keeps the name."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0008_exports_have_heartbeats")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("decision", "words", "explanation"),
                migrations.AlterField(
                    "decision", "explanation", models.TextField(blank=True, db_column="words")
                ),
            ]
        )
    ]
