from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def drop_function(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute("DROP FUNCTION IF EXISTS refuse_change_of_play_studychange()")


class Migration(migrations.Migration):
    dependencies = [("play", "0008_protocols_of_existing_studies")]

    operations = [
        migrations.AddConstraint(
            model_name="protocolversion",
            constraint=models.UniqueConstraint(
                fields=("study", "number"), name="protocol_version_is_unique_in_study"
            ),
        ),
        migrations.AddConstraint(
            model_name="protocolversion",
            constraint=models.UniqueConstraint(
                condition=models.Q(("frozen_at__isnull", True)), fields=("study",), name="one_draft_per_study"
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("checked_in_at__isnull", True), ("protocol__isnull", True)),
                    models.Q(("checked_in_at__isnull", False), ("protocol__isnull", False)),
                    _connector="OR",
                ),
                name="session_has_a_protocol_exactly_when_checked_in",
            ),
        ),
        migrations.DeleteModel(name="StudyChange"),
        migrations.RunPython(drop_function),
        migrations.RemoveConstraint(model_name="study", name="study_soft_limit_is_not_past_the_hard_one"),
        *(
            migrations.RemoveField(model_name="study", name=name)
            for name in (
                "bonus",
                "consent_text",
                "effort",
                "fee",
                "hard_seconds",
                "session_seconds",
                "soft_seconds",
                "target_people",
            )
        ),
    ]
