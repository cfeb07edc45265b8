"""The gate to Internal asks environments that were there before cards for none."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils import timezone

REASON = "It was imported before specification cards were asked for."


def waive(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    waivers = apps.get_model("studio", "CardWaiver")
    known = apps.get_model("studio", "Environment").objects.values_list("pk", flat=True)
    waivers.objects.bulk_create(
        waivers(environment_id=pk, reason=REASON, waived_at=timezone.now()) for pk in known
    )


class Migration(migrations.Migration):
    dependencies = [("studio", "0016_specification_cards")]

    operations = [migrations.RunPython(waive, migrations.RunPython.noop)]
