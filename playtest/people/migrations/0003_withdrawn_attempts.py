from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0002_withdrawal")]

    operations = [
        migrations.AddField(model_name="withdrawal", name="attempts", field=models.JSONField(default=list)),
    ]
