"""Requests the evidence that the gate lacks: explorations first, then random play."""

from django.db import transaction

from engine.prove.exploration.graph import Limits
from playtest.jobs.lifecycle import Enqueue
from playtest.people.models import Staff
from playtest.studio.models import Version
from playtest.studio.queries.evidence import Plan, plan
from playtest.studio.services import explorations, random_plays

GRAPH_LIMITS = Limits(nodes=20_000, edges=200_000, steps=1_000_000, seconds=60.0)
"""Limits of a first exploration. What it leaves open, random tries bound within minutes."""


def gather(version: Version, explore: Enqueue, play: Enqueue, by: Staff | None = None) -> Plan:
    """Requests all missing evidence; returns what was requested.

    Workers take explorations first. A batch whose level is decided by then is not played.
    """
    with transaction.atomic():
        made = plan(version)
        for level in made.graphs:
            explorations.request_exploration(version, level, explore, limits=GRAPH_LIMITS, by=by)
        for level, tries in made.tries:
            random_plays.request_tries(version, level, play, tries=tries, by=by)
    return made
