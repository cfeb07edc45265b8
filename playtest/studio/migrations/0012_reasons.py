"""A move and a redundant pair have a reason; the columns stay as they are."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studio", "0011_an_upload_is_an_import")]

    operations = [
        migrations.AlterField("stagemove", "words", models.TextField(blank=True, db_column="words")),
        migrations.RenameField("stagemove", "words", "reason"),
        migrations.AlterField("redundantpair", "words", models.TextField(db_column="words")),
        migrations.RenameField("redundantpair", "words", "reason"),
    ]
