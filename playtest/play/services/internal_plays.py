"""Begins internal plays: a member of staff plays a version without a session. They end as every attempt
does (`services.attempts.end_attempt`), and are never counted.
"""

import secrets

from django.db import transaction

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Entry
from playtest.play.notifications import notify_internal_play_after_commit
from playtest.play.services.attempts import end_attempt
from playtest.rules.attempt import Outcome
from playtest.studio.models import SightingKind, Version
from playtest.studio.services.sightings import note_sightings


def begin_internal_play(version: Version, staff: Staff, level: int) -> Attempt:
    """An internal play that begins on this level. Refusal: level_unknown.

    Another one of the version that this account has not ended ends. If it began on this level too, and
    nothing was done in it, it is returned, so that a second click starts nothing.
    """
    if version.is_task and level != 1:
        raise Refusal("level_unknown", "A static task begins on its first test input.", status=400)
    if not 1 <= level <= version.levels:
        message = f"This version has no level {level}: choose one from 1 to {version.levels}."
        raise Refusal("level_unknown", message, status=400)
    with transaction.atomic():
        Staff.objects.select_for_update(no_key=True).get(pk=staff.pk)  # two clicks at once take turns
        found = Attempt.objects.filter(staff=staff, version=version, ended_at=None).first()
        if found is not None:
            if found.first_level == level and not Entry.objects.filter(attempt=found, seq=1).exists():
                return found
            end_attempt(found.pk, Outcome.RESTARTED, now())
            notify_internal_play_after_commit(found.pk)
        begun = Attempt.objects.create(
            staff=staff,
            environment_id=version.environment_id,
            version=version,
            first_level=level,
            number=1,
            seed=secrets.randbelow(2**31),
            assigned_at=now(),
        )
        note_sightings([version.environment_id], SightingKind.PLAYED, staff)
    return begun
