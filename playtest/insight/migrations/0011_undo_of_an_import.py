"""Whoever asks for an import may say whether undo counts."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("insight", "0010_undos_of_levels")]

    operations = [
        migrations.AddField(
            model_name="studyimport", name="undo_counts", field=models.BooleanField(null=True)
        ),
    ]
