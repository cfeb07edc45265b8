from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0014_read_tokens")]

    operations = [
        migrations.AlterField(
            model_name="export",
            name="kind",
            field=models.CharField(
                choices=[
                    ("mp4", "MP4 video"),
                    ("webm", "WebM video"),
                    ("gif", "GIF animation"),
                    ("study_parquet", "study data as Parquet"),
                    ("study_csv", "study data as CSV"),
                    ("runs_parquet", "runs as Parquet"),
                    ("runs_csv", "runs as CSV"),
                    ("runs_dataset", "runs as a Hugging Face dataset"),
                    ("person", "all data of a person"),
                ],
                max_length=16,
            ),
        ),
    ]
