from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_UNDO = 7


def forget_undone(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Lets results of attempts with an undo be computed again: those stored so far do not count undos."""
    entries: Any = apps.get_model("play", "Entry").objects
    undone = entries.filter(action=_UNDO, attempt__environment__kind="interactive").values("attempt")
    for name in ("LevelResult", "Summary"):
        stored: Any = apps.get_model("insight", name).objects
        stored.filter(attempt__in=undone).delete()


class Migration(migrations.Migration):
    dependencies = [("insight", "0009_imports_of_studies")]

    operations = [
        migrations.AddField(
            model_name="levelresult",
            name="undos",
            field=models.PositiveIntegerField(default=0, db_default=0),
        ),
        migrations.AddField(
            model_name="levelresult",
            name="undos_since_reset",
            field=models.PositiveIntegerField(default=0, db_default=0),
        ),
        migrations.RunPython(forget_undone, migrations.RunPython.noop),
    ]
