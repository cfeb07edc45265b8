from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0012_data_of_a_person"),
    ]

    operations = [
        migrations.AddField(
            model_name="decision",
            name="blind",
            field=models.BooleanField(null=True),
        ),
    ]
