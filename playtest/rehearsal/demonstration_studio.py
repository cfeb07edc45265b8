"""The demonstration in the studio: shipped environments with an owner and a state graph.

The graphs are small but real: the studio's workers make them when they start.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from engine.prove.exploration.graph import Limits
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.play.models import Study
from playtest.studio.models import Environment, Exploration
from playtest.studio.services import explorations

LEVEL = 2
LIMITS = Limits(nodes=5_000, edges=50_000, steps=500_000, seconds=20.0)
_SHOWN = 6
"""Of the environments; the others stay as they were shipped, and its workers are done soon."""
_LONG_AGO = timedelta(hours=1)


def fill_studio(study: Study) -> None:
    """Gives the study's environments an owner and explorations, if nobody has explored anything yet."""
    if Exploration.objects.exists():
        return
    owner = Staff.objects.filter(role=Role.DESIGNER, is_active=True).order_by("pk").first()
    with transaction.atomic():
        for environment in study.pool.select_related("current").order_by("code")[:_SHOWN]:
            if environment.current is not None and environment.owner_id is None:
                _fill(environment, owner)


def _fill(environment: Environment, owner: Staff | None) -> None:
    assert environment.current is not None
    environment.owner = owner
    environment.save(update_fields=["owner"])
    exploration = explorations.create(environment.current, LEVEL, seed=0, limits=LIMITS)
    # No message is sent to a worker: the next requeueing of stalled jobs finds it.
    Exploration.objects.filter(pk=exploration.pk).update(heartbeat_at=timezone.now() - _LONG_AGO)
