from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studio", "0002_pipeline_runs_recordings")]

    operations = [
        migrations.AddField("recording", "milliseconds", models.JSONField(default=list)),
        migrations.AddField("recording", "levels_completed", models.JSONField(default=list)),
    ]
