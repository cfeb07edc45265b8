from django.db import migrations, models


class Migration(migrations.Migration):
    """Until now every release was held to the ten people of the default protocol."""

    dependencies = [("insight", "0003_note_of_a_release")]

    operations = [
        migrations.AddField(
            model_name="release",
            name="asked",
            field=models.PositiveIntegerField(default=10),
            preserve_default=False,
        ),
    ]
