"""Every export has a last sign of life."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0005_one_life")]

    operations = [
        migrations.RemoveField("export", "progress"),
        migrations.RemoveField("export", "error_code"),
        migrations.RemoveField("export", "error_message"),
        migrations.AlterField("export", "heard_at", models.DateTimeField(default=django.utils.timezone.now)),
    ]
