"""Every part of a qualification has a last sign of life."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studio", "0006_one_life")]

    operations = [
        migrations.RemoveField("qualification", "scaled_to"),
        migrations.AlterField(
            "qualificationpart", "heard_at", models.DateTimeField(default=django.utils.timezone.now)
        ),
    ]
