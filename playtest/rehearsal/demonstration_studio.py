"""The demonstration in the studio: shipped environments with an owner and first evidence.

The evidence is small but real: the studio's workers make it when they start.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from engine.prove.exploration.graph import Limits
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.play.models import Study
from playtest.rules.errors import RuleError
from playtest.studio.models import (
    Environment,
    Exploration,
    Qualification,
    QualificationPart,
    RandomPlay,
    Version,
)
from playtest.studio.services import explorations, qualifications, random_plays

STEPS = 1_000
LEVEL = 2
LIMITS = Limits(nodes=5_000, edges=50_000, steps=500_000, seconds=20.0)
_SHOWN = 6
"""Of the environments; the others stay as they were shipped, and its workers are done soon."""
_LONG_AGO = timedelta(hours=1)


def fill_studio(study: Study) -> None:
    """Gives the study's environments an owner and jobs, if the studio has not been used yet."""
    if any(model.objects.exists() for model in (Qualification, Exploration, RandomPlay)):
        return
    owner = Staff.objects.filter(role=Role.DESIGNER, is_active=True).order_by("pk").first()
    with transaction.atomic():
        for environment in study.pool.select_related("current").order_by("code")[:_SHOWN]:
            if environment.current is not None and environment.owner_id is None:
                _fill(environment, environment.current, owner)


def _fill(environment: Environment, version: Version, owner: Staff | None) -> None:
    environment.owner = owner
    environment.save(update_fields=["owner"])
    run = qualifications.create(version, None, STEPS)
    exploration = explorations.create(version, LEVEL, seed=0, limits=LIMITS)
    try:
        plays = [random_plays.create(version, LEVEL).pk]
    except RuleError:  # no recording of a win
        plays = []
    # No message is sent to a worker: the next requeueing of stalled jobs finds these.
    abandoned = {"heartbeat_at": timezone.now() - _LONG_AGO}
    QualificationPart.objects.filter(qualification=run).update(**abandoned)
    Exploration.objects.filter(pk=exploration.pk).update(**abandoned)
    RandomPlay.objects.filter(pk__in=plays).update(**abandoned)
