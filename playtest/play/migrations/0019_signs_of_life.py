from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0018_screens_of_entries"),
    ]

    operations = [
        migrations.AddField(
            model_name="heartbeat",
            name="signs",
            field=models.JSONField(default=dict),
        ),
    ]
