"""Everything that the pages of a level's states show: the exploration, and what people did in it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from engine.exploration.compact import KINDS, CompactGraph
from engine.exploration.graph import NodeKind
from playtest.insight.results.level_outcomes import OPEN
from playtest.insight.results.version import VersionResults
from playtest.insight.states.reading import walks_on
from playtest.rules.attempt import Outcome
from playtest.rules.state_space.locating import Located, Space, Walk, locate, nothing_explored
from playtest.rules.state_space.outlooks import Outlook, Outlooks, outlooks
from playtest.rules.state_space.stays import Falls, Stay, Use, falls, moves, stay, uses
from playtest.studio.models import Exploration
from playtest.studio.queries.explored import Explored, explored, states_of

NOT_STOPPED = (Outcome.COMPLETED.value, Outcome.FAULT.value, OPEN)
"""Level outcomes of people who completed it, still play it, or whom the environment stopped."""


@dataclass(frozen=True)
class LevelStates:
    """The states of one level, and the people of `results` in them, by attempt."""

    results: VersionResults
    level: int
    explored: Explored
    walks: Mapping[int, Walk]
    located: Located
    outlooks: Outlooks
    stays: Mapping[int, Stay]
    uses: Mapping[int, Use]

    @property
    def stopped(self) -> dict[int, int]:
        """By attempt: the state in which the person stopped."""
        return {person: state for state, use in self.uses.items() for person in use.stopped}

    @cached_property
    def falls(self) -> dict[tuple[int, int], Falls]:
        return falls(self.stays)

    @cached_property
    def moves(self) -> dict[tuple[int, int], int]:
        return moves(self.stays, self.walks)

    @cached_property
    def people(self) -> dict[int, tuple[str, str]]:
        """By attempt: the participant, and how the level ended for them."""
        rows = here(self.results, self.level).select("attempt", "participant", "level_outcome")
        return {attempt: (participant, outcome) for attempt, participant, outcome in rows.iter_rows()}

    @cached_property
    def entered(self) -> dict[int, int]:
        """By attempt: the entry that entered the level."""
        return dict(here(self.results, self.level).select("attempt", "entered_seq").iter_rows())

    def first_seen(self, state: int) -> tuple[int, int]:
        """The attempt that came to a state after the fewest actions on the level, and the journal's entry."""
        first = self.uses[state].first
        attempt = min(first, key=lambda one: (first[one], one))
        return attempt, self.entered[attempt] + first[attempt]

    def outlook(self, state: int) -> Outlook:
        return Outlook(int(self.outlooks.outlook[state]))

    def fewest(self, state: int) -> int | None:
        """The fewest known actions from a state to a win."""
        fewest = int(self.outlooks.fewest[state])
        return None if fewest < 0 else fewest

    def exact(self, state: int) -> bool:
        """Whether no action that was not explored can make it fewer."""
        return bool(self.outlooks.exact[state])

    def by_outlook(self) -> Counter[Outlook]:
        """How many people stopped in a state with each outlook."""
        return Counter(self.outlook(state) for state in self.stopped.values())

    @cached_property
    def unexplored(self) -> int:
        """How many states of people are none of the exploration's."""
        return sum(state >= self.located.explored for state in self.uses)


def here(results: VersionResults, level: int) -> pl.DataFrame:
    """The rows of a level."""
    return results.levels.filter(pl.col("level") == level)


def level_states(results: VersionResults, level: int) -> LevelStates:
    """Locates the people of `results` on a level (from 1)."""
    known, walks = explored(results.version, level), walks_on(results, level)
    space = _space(known.exploration) if known.exploration else nothing_explored()
    located = locate(space, walks)
    judged = outlooks(located.space)
    stays = {person: stay(walk, located.places[person], judged) for person, walk in walks.items()}
    outcomes = dict(here(results, level).select("attempt", "level_outcome").iter_rows())
    used = uses(stays, {person: outcomes[person] not in NOT_STOPPED for person in stays})
    return LevelStates(results, level, known, walks, located, judged, stays, used)


def _space(exploration: Exploration) -> Space:
    return space_of(states_of(exploration))


def space_of(graph: CompactGraph) -> Space:
    """The explored states as the rules read them."""
    nodes, edges = graph
    kinds = {kind: nodes["kind"] == KINDS.index(kind) for kind in NodeKind}
    return Space(
        hashes=nodes["state_hash"].view(np.int64),
        wins=kinds[NodeKind.WIN],
        losses=kinds[NodeKind.LOSS],
        expanded=nodes["expanded"].astype(np.bool_),
        sources=edges["source"].astype(np.int64),
        targets=edges["target"].astype(np.int64),
        actions=edges["action"].astype(np.int64),
    )
