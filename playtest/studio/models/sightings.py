"""Which accounts saw what is inside an environment: its frames, its recordings, its note or its source."""

from django.conf import settings
from django.db import models

from playtest.people.record.links import Recorded
from playtest.studio.models.environments import Environment


class SightingKind(models.TextChoices):
    """How an account saw an environment."""

    STUDIO = "studio", "opened its page in the studio"
    FRAMES = "frames", "saw frames of it"
    RECORDING = "recording", "watched a stored recording"
    REPLAY = "replay", "watched a replay"
    LIVE = "live", "watched somebody play it"
    PLAYED = "played", "played it"
    FILE = "file", "took play of it as a file"
    SOURCE = "source", "took its source"


TAKEN = (SightingKind.FILE, SightingKind.SOURCE)
"""What is kept outside the server from then on."""


class Sighting(Recorded):
    """An account saw an environment in one way on one day (UTC). A row is added the first time that day.

    `staff` is None where no member of staff is known to have seen it: `name` is then the command of the
    server or the API key, of which two rows a day are possible when two requests come at the same moment.
    """

    environment = models.ForeignKey(Environment, on_delete=models.PROTECT, related_name="sightings")
    staff = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    name = models.CharField(max_length=200, blank=True)
    kind = models.CharField(max_length=16, choices=SightingKind)
    day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["environment", "staff", "kind", "day"], name="sighting_of_staff_once_a_day"
            )
        ]
