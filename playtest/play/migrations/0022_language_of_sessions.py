from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0021_painted_actions")]

    operations = [
        migrations.AddField(
            "session", "language", models.CharField(default="en", db_default="en", max_length=10)
        ),
    ]
