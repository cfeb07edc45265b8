"""What was called an upload is an import."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("studio", "0010_jobs_have_heartbeats")]

    operations = [migrations.RenameModel("Upload", "Import")]
