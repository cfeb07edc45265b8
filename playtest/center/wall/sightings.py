"""Records which environments a viewer of the wall sees being played."""

from collections.abc import Collection
from datetime import timedelta

from django.db.models import Q

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.models import Attempt
from playtest.play.sessions.reads import OPEN
from playtest.studio.models import SightingKind
from playtest.studio.services.sightings import note_sightings


def note_watched(staff: Staff, sessions: Collection[int], seconds: float) -> None:
    """Records that somebody sees these sessions: the attempts that are open, or were, so many seconds ago."""
    since = now() - timedelta(seconds=seconds)
    open_then = OPEN | Q(ended_at__gt=since) | Q(set_aside_at__gt=since)
    watched = Attempt.objects.filter(open_then, session__in=sessions)
    note_sightings(watched.values_list("environment", flat=True), SightingKind.LIVE, staff)
