from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0020_signs_of_life")]

    operations = [
        migrations.AddField("session", "language", models.CharField(default="en", max_length=10)),
    ]
