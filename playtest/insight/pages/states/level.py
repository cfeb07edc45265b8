"""What the pages of a level's states show: the exploration, and what people did by the journal."""

import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from engine.prove.exploration.graph import KINDS, CompactGraph, NodeKind, action_number, unpacked
from playtest.insight.tables.version import OPEN, VersionResults, entries_of, here, spans_on
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.play.journal.masked import restated_entries
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
from playtest.studio.models import Exploration, ExploredStates, Version
from playtest.studio.queries.masks import masks_of


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


@dataclass(frozen=True)
class Walks:
    """By attempt: what everybody did on a level.

    `named`: the numbers of states without masked cells, by their numbers with them.
    """

    walks: Mapping[int, Walk]
    named: Mapping[int, int]


def walks_on(results: VersionResults, level: int) -> Walks:
    """What everybody did on a level (from 1); states are compared without the version's masked cells."""
    columns = ("seq", "action", "x", "y", "state_hash", "level_completed", "state")
    mask = masks_of([results.version.pk]).get(results.version.pk)
    walks, named = dict[int, Walk](), dict[int, int]()
    for span in spans_on(results, level):
        masked, rows = restated_entries(span.attempt, mask, span.entered, span.last), []
        for seq, action, x, y, state, completed, result in entries_of(span, *columns):
            number = number_of(state)
            if seq in masked:
                number = named.setdefault(number, number_of(masked[seq][1]))
            rows.append((action, x, y, number, completed, result))
        walks[span.attempt] = _walk(rows)
    return Walks(walks, named)


def number_of(state_hash: bytes | memoryview) -> int:
    """A state's hash as the number that `state_space` knows it by."""
    return int.from_bytes(state_hash, "little", signed=True)


def _walk(entries: list[tuple[Any, ...]]) -> Walk:
    begin, *acts = entries
    steps = [
        Step(action_number(action, x, y), state, bool(completed), result == GAME_OVER)
        for action, x, y, state, completed, result in acts
    ]
    return Walk(begin[3], steps)


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
    known, everybody = explored(results.version, level), walks_on(results, level)
    walks = everybody.walks
    space = space_of(states_of(known.exploration)) if known.exploration else nothing_explored()
    if everybody.named:
        hashes = [everybody.named.get(state, state) for state in space.hashes.tolist()]
        space = replace(space, hashes=np.array(hashes, np.int64))
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
