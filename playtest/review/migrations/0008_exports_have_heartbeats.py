"""Exports have heartbeats."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("review", "0007_second_verdicts")]

    operations = [migrations.RenameField("export", "heard_at", "heartbeat_at")]
