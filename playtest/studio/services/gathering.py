"""Gathers the evidence that the gate lacks: state graphs first, then random play of what they leave open."""

from django.db import transaction

from engine.exploration.graph import Limits
from playtest.jobs.lifecycle import Enqueue
from playtest.people.models import Staff
from playtest.studio.models import Version
from playtest.studio.queries.gathering import Plan, plan
from playtest.studio.services import explorations, random_plays

GRAPH_LIMITS = Limits(nodes=20_000, edges=200_000, steps=1_000_000, seconds=60.0)
"""A first look at each graph: what it leaves open is told by tries in minutes, by a longer search in more."""


def gather(version: Version, search: Enqueue, play: Enqueue, by: Staff | None = None) -> Plan:
    """Asks for all of it, and says what that was.

    Workers take the state graphs first. A batch whose level is decided by then is not played.
    """
    with transaction.atomic():
        made = plan(version)
        for level in made.graphs:
            explorations.request_exploration(version, level, search, limits=GRAPH_LIMITS, by=by)
        for level, tries in made.tries:
            random_plays.request_tries(version, level, play, tries=tries, by=by)
    return made
