"""Begins the runs of agents. They end as people's attempts do (`services.attempts.end_attempt`)."""

from playtest.play.clock import now
from playtest.play.models import Attempt
from playtest.studio.models import Version

SEED = 0
"""Every run has the seed that arc_agi gives by default, so that all agents meet the same environment."""


def begin_run(version: Version) -> Attempt:
    """A run of an agent, open from now on; its journal begins with its opening frame (`play.live`)."""
    return Attempt.objects.create(
        environment_id=version.environment_id, version=version, number=1, seed=SEED, assigned_at=now()
    )
