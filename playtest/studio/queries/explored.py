"""The newest state graph of a level that was kept whole."""

import zlib
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from engine.prove.exploration.graph import CompactGraph, unpacked
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.studio.models import Exploration, ExploredStates, Version


@dataclass(frozen=True)
class Explored:
    """What is known of the exploration of a level.

    `exploration` is the newest complete one whose states were kept, else the largest one; None if there is
    none. `under_way` is one that waits or runs, `not_kept` whether there are finished ones without states.
    """

    exploration: Exploration | None
    under_way: Exploration | None
    not_kept: bool

    @property
    def complete(self) -> bool:
        return self.exploration is not None and bool(self.exploration.report["fully_explored"])


def explored(version: Version, level: int) -> Explored:
    """The exploration of this level to show people's states in."""
    every = Exploration.objects.filter(version=version, level=level).defer("graph").order_by("-pk")
    done = [one for one in every if one.status == JobStatus.DONE]
    with_states = set(
        ExploredStates.objects.filter(exploration__in=done).values_list("exploration", flat=True)
    )
    shown = max(
        (one for one in done if one.pk in with_states),
        key=lambda one: (one.report["fully_explored"], one.report["nodes"], one.pk),
        default=None,
    )
    return Explored(
        exploration=shown,
        under_way=next((one for one in every if one.status in UNFINISHED), None),
        not_kept=shown is None and bool(done),
    )


def states_of(exploration: Exploration) -> CompactGraph:
    """All states and actions of a finished exploration whose states were kept."""
    return _states(exploration.pk, exploration.finished_at)


@lru_cache(maxsize=8)
def _states(exploration: int, _finished_at: datetime | None) -> CompactGraph:
    """They never change; some 5 MB for 100,000 states."""
    row = ExploredStates.objects.get(exploration=exploration)
    return unpacked(zlib.decompress(row.nodes), zlib.decompress(row.edges))
