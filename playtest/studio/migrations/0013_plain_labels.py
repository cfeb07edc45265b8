"""The kinds of recordings have plain labels."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("studio", "0012_reasons"),
    ]

    operations = [
        migrations.AlterField(
            model_name="recording",
            name="kind",
            field=models.CharField(
                choices=[
                    ("win", "win"),
                    ("loss", "loss"),
                    ("unfinished", "unfinished"),
                    ("optimal", "shortest win of a level"),
                    ("finding", "finding of a check"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="recordingchange",
            name="after",
            field=models.CharField(
                blank=True,
                choices=[
                    ("win", "win"),
                    ("loss", "loss"),
                    ("unfinished", "unfinished"),
                    ("optimal", "shortest win of a level"),
                    ("finding", "finding of a check"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="recordingchange",
            name="before",
            field=models.CharField(
                choices=[
                    ("win", "win"),
                    ("loss", "loss"),
                    ("unfinished", "unfinished"),
                    ("optimal", "shortest win of a level"),
                    ("finding", "finding of a check"),
                ],
                max_length=16,
            ),
        ),
    ]
