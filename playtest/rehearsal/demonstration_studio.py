"""The demonstration in the studio: the shipped environments with an owner, a stage and first evidence.

The stage is reached through its gate. The evidence is small but real: the studio's workers make it when they
start. The gate to External stays closed and says what is missing.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from engine.prove.exploration.graph import Limits
from playtest.insight.services import pipeline
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.rules.errors import RuleError
from playtest.rules.pipeline import Stage
from playtest.studio.models import (
    Environment,
    Exploration,
    Qualification,
    QualificationPart,
    RandomPlay,
    StageMove,
    Version,
)
from playtest.studio.services import explorations, qualifications, random_plays

REASON = "Made by the demonstration of a fresh installation."
STEPS = 1_000
TRIES = 1_000
LEVEL = 2
LIMITS = Limits(nodes=5_000, edges=50_000, steps=500_000, seconds=20.0)
_SHOWN = 6
"""Of the environments; the others stay as they were shipped, and its workers are done soon."""
_LONG_AGO = timedelta(hours=1)


def fill_studio(study: Study) -> None:
    """Gives the study's environments an owner, a stage and jobs, if the studio has not been used yet."""
    if any(model.objects.exists() for model in (StageMove, Qualification, Exploration, RandomPlay)):
        return
    owner = Staff.objects.filter(role=Role.DESIGNER, is_active=True).order_by("pk").first()
    with transaction.atomic():
        for environment in study.pool.select_related("current").order_by("code")[:_SHOWN]:
            if environment.current is not None and environment.owner_id is None:
                _fill(environment, environment.current, owner)


def _fill(environment: Environment, version: Version, owner: Staff | None) -> None:
    environment.owner = owner
    environment.save(update_fields=["owner"])
    try:
        pipeline.move(environment, Stage.INTERNAL, None, REASON)
    except Refusal:  # without a note it stays in Specification
        return
    run = qualifications.create(version, None, STEPS)
    exploration = explorations.create(version, LEVEL, seed=0, limits=LIMITS)
    try:
        batches = random_plays.create(version, LEVEL, tries=TRIES)
    except RuleError:  # no recording of a win
        batches = []
    # No message is sent to a worker: the next requeueing of stalled jobs finds these.
    abandoned = {"heartbeat_at": timezone.now() - _LONG_AGO}
    QualificationPart.objects.filter(qualification=run).update(**abandoned)
    Exploration.objects.filter(pk=exploration.pk).update(**abandoned)
    RandomPlay.objects.filter(pk__in=[batch.pk for batch in batches]).update(**abandoned)
