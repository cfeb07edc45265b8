from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0019_submissions_repeated"),
    ]

    operations = [
        migrations.AddField(
            model_name="heartbeat",
            name="signs",
            field=models.JSONField(default=dict),
        ),
    ]
