from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("studio", "0028_imports_name_what_is_confirmed"),
    ]

    operations = [
        migrations.AddField(
            model_name="statemask",
            name="rules",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
