"""Recordings from outside have a number for the actions that were left out, which only their notes said."""

import re
from typing import Any

from django.db import migrations, models

_SAID = re.compile(r"([\d,]+) actions? after [^.]* (?:is|are) left out\.")


def read_notes(apps: Any, _schema_editor: Any) -> None:
    """Takes the number from the sentences of recordings that were imported before."""
    stored = apps.get_model("play", "OutsideAttempt").objects.exclude(notes="")
    for key, notes in stored.values_list("pk", "notes"):
        said = sum(int(number.replace(",", "")) for number in _SAID.findall(notes))
        if said:
            stored.filter(pk=key).update(left_out=said)


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0028_currency_of_studies"),
    ]

    operations = [
        migrations.AddField(
            model_name="outsideattempt",
            name="left_out",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(read_notes, migrations.RunPython.noop),
    ]
