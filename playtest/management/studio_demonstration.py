"""What a fresh installation shows in the studio: the shipped environments with an owner, a stage, first runs.

The stage is reached through its gate. The runs are small real ones, which the studio's workers do once they
are there; nothing is called more than it is: the gate to External says what is missing.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from engine.exploration.graph import Limits
from playtest.insight.services import pipeline
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import Study
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
from playtest.studio.services.explorations import BadRequest

WORDS = "Made by the demonstration of a fresh installation."
STEPS = 1_000
TRIES = 1_000
LEVEL = 2
LIMITS = Limits(nodes=5_000, edges=50_000, steps=500_000, seconds=20.0)
_LONG_AGO = timedelta(hours=1)


def furnish(study: Study) -> None:
    """Gives the study's environments an owner, a stage and first runs, if nobody has worked in the studio."""
    if any(model.objects.exists() for model in (StageMove, Qualification, Exploration, RandomPlay)):
        return
    owner = Staff.objects.filter(role=Role.DESIGNER, is_active=True).order_by("pk").first()
    with transaction.atomic():
        for environment in study.pool.select_related("current"):
            if environment.current is not None and environment.owner_id is None:
                _furnish(environment, environment.current, owner)


def _furnish(environment: Environment, version: Version, owner: Staff | None) -> None:
    environment.owner = owner
    environment.save(update_fields=["owner"])
    try:
        pipeline.move(environment, Stage.INTERNAL, None, WORDS)
    except Refusal:  # it has no note, so it stays in Specification, which says so
        return
    run = qualifications.create(version, None, STEPS)
    search = explorations.create(version, LEVEL, seed=0, limits=LIMITS)
    try:
        batches = random_plays.create(version, LEVEL, tries=TRIES)
    except BadRequest:  # it has no recording of a win
        batches = []
    # No worker is told: the next look for what nobody does finds them.
    forgotten = {"heartbeat_at": timezone.now() - _LONG_AGO}
    QualificationPart.objects.filter(qualification=run).update(**forgotten)
    Exploration.objects.filter(pk=search.pk).update(**forgotten)
    RandomPlay.objects.filter(pk__in=[batch.pk for batch in batches]).update(**forgotten)
