"""Names the field `note` for what it holds. The column stays as it is."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("insight", "0002_stamps_of_summaries")]

    operations = [
        migrations.AlterField("release", "words", models.TextField(blank=True, db_column="words")),
        migrations.RenameField("release", "words", "note"),
    ]
