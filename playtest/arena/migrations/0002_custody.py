from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("arena", "0001_arena")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="release_set",
            field=models.CharField(
                choices=[
                    ("none", "none"),
                    ("public", "public demonstration"),
                    ("semi_private", "semi-private"),
                    ("private", "fully private"),
                ],
                default="none",
                editable=False,
                max_length=16,
            ),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name="disclosure",
            constraint=models.UniqueConstraint(
                fields=("card", "release_set"), name="score_is_disclosed_once_per_card_and_set"
            ),
        ),
    ]
