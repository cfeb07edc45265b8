"""What the pages of a level's states show: the exploration, and what people did by the journal."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.prove.exploration.graph import KINDS, CompactGraph, NodeKind, action_number
from playtest.insight.tables.version import OPEN, VersionResults, entries_of, here, spans_on
from playtest.rules.attempt import Outcome
from playtest.rules.results import GAME_OVER
from playtest.rules.state_space.locating import (
    Located,
    Outlook,
    Outlooks,
    Space,
    Step,
    Walk,
    locate,
    nothing_explored,
    outlooks,
)
from playtest.rules.state_space.stays import Falls, Stay, Use, falls, moves, stay, uses
from playtest.studio.queries.explored import Explored, explored, states_of


def walks_on(results: VersionResults, level: int) -> dict[int, Walk]:
    """By attempt: what everybody did on a level (from 1), without frames."""
    columns = ("action", "x", "y", "state_hash", "level_completed", "state")
    return {span.attempt: _walk(entries_of(span, *columns)) for span in spans_on(results, level)}


def number_of(state_hash: bytes | memoryview) -> int:
    """A state's hash as the number that `state_space` knows it by."""
    return int.from_bytes(state_hash, "little", signed=True)


def _walk(entries: Iterator[tuple[Any, ...]]) -> Walk:
    _, _, _, begin, _, _ = next(entries)
    steps = [
        Step(action_number(action, x, y), number_of(state), bool(completed), result == GAME_OVER)
        for action, x, y, state, completed, result in entries
    ]
    return Walk(number_of(begin), steps)


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


def level_states(results: VersionResults, level: int) -> LevelStates:
    """Locates the people of `results` on a level (from 1)."""
    known, walks = explored(results.version, level), walks_on(results, level)
    space = space_of(states_of(known.exploration)) if known.exploration else nothing_explored()
    located = locate(space, walks)
    judged = outlooks(located.space)
    stays = {person: stay(walk, located.places[person], judged) for person, walk in walks.items()}
    outcomes = dict(here(results, level).select("attempt", "level_outcome").iter_rows())
    used = uses(stays, {person: outcomes[person] not in NOT_STOPPED for person in stays})
    return LevelStates(results, level, known, walks, located, judged, stays, used)


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
