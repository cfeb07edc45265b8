from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0009_accounts_are_linked")]

    operations = [
        migrations.AddField(
            "staff", "example_dismissed", models.BooleanField(default=False, db_default=False)
        ),
    ]
