"""Adds the time granted to each attempt, and fills it in from the events of attempts that have ended."""

from datetime import timedelta
from typing import Any

from django.db import migrations, models

from playtest.play.sessions.adjustments import adjustments_in
from playtest.rules.limits import Limits, granted_time

CLOCKS = ("paused", "resumed", "time_granted", "session_ended", "set_aside", "taken_up")


def fill_in(apps: Any, schema_editor: Any) -> None:
    event, attempt = apps.get_model("play", "Event"), apps.get_model("play", "Attempt")
    granted = event.objects.filter(kind="time_granted", details__environment=True).values("attempt")
    found = attempt.objects.filter(pk__in=granted, ended_at__isnull=False, first_frame_at__isnull=False)
    for one in found.select_related("session__protocol"):
        events = event.objects.filter(session=one.session_id, kind__in=CLOCKS).order_by("pk")
        clocks = adjustments_in(events.values_list("kind", "server_time", "attempt", "details"))
        limits = Limits(**one.session.protocol.document["limits"])
        one.granted = granted_time(one.first_frame_at, limits, clocks.of_attempt(one.pk))
        one.save(update_fields=["granted"])


class Migration(migrations.Migration):
    dependencies = [("play", "0001_squashed_0016_tasks_set_aside")]

    operations = [
        migrations.AddField(
            model_name="attempt",
            name="granted",
            field=models.DurationField(db_default=timedelta(0), default=timedelta(0)),
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
