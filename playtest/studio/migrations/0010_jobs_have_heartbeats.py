"""Jobs have heartbeats."""

from django.db import migrations

JOBS = ("exploration", "qualificationpart", "randomplay", "upload")


class Migration(migrations.Migration):
    dependencies = [("studio", "0009_random_play")]

    operations = [migrations.RenameField(job, "heard_at", "heartbeat_at") for job in JOBS]
