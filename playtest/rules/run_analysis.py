"""Why a run got no further: what its actions did, and five named failures with their evidence.

States are compared without masked cells (`engine.prove.masks`), so that a move counter makes none new. What
is counted of a level is what `rules.results` counts; this adds to it. A failure is named on the level where
a run stopped, and on a completed one that took more than SLOW times its baseline; docs/agents.md has the
rules in words.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise
from typing import NamedTuple

from playtest.rules.adjustments import NO_ADJUSTMENTS
from playtest.rules.attempt import RESET
from playtest.rules.results import LevelResult, ResultEntry, first_run, level_results

SLOW = 2
"""Completed with more than so many times the baseline: less than a quarter of the level's score."""
LEAST_MOVES = 20
"""With fewer actions a level names no failure."""
MANY = 0.5
LEAST_CIRCLE = 12
LEAST_WANDERING = 50
"""An agent that stopped after fewer actions may have been stopped."""
_CLICK = 6

type Kind = tuple[int, int | None]
"""An action, and of a click the colour of the cell that was clicked."""


class Move(NamedTuple):
    """An entry with what was done; `on_background`: a click on the commonest colour of the frame."""

    entry: ResultEntry
    kind: Kind
    on_background: bool = False

    @property
    def counts(self) -> bool:
        return self.entry.action != RESET


class Failure(StrEnum):
    NO_EFFECT = "actions without effect"
    BLIND_CLICKS = "clicks on the background"
    CIRCLE = "going in circles"
    WANDERING = "change without progress"
    SLOW = "completed too slowly"


@dataclass(frozen=True, slots=True)
class Named:
    """A failure on a level: the sentence, and the actions (`seq`) that show it best."""

    failure: Failure
    level: int
    sentence: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Effect:
    """An action over a whole run: tries and those without effect; states in which it was tried, and those in
    which it never had one."""

    action: int
    tries: int
    without: int
    states: int
    dead_states: int

    @property
    def dead_share(self) -> float:
        return self.dead_states / self.states


@dataclass(frozen=True, slots=True)
class LevelAnalysis:
    """A level that was reached; `first_tries` and `taught` are of `_reuse`."""

    result: LevelResult
    in_circles: int
    clicks: int
    background: int
    first_tries: int
    taught: int
    named: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class RunAnalysis:
    """A run with the levels it reached."""

    levels: tuple[LevelAnalysis, ...]
    effects: tuple[Effect, ...]

    @property
    def named(self) -> list[Named]:
        """Every failure, the last level's first: there the run stopped."""
        return [one for level in reversed(self.levels) for one in level.named]

    @property
    def no_op_rate(self) -> float | None:
        """The share (0..1) of actions that are not resets; None without any."""
        return self._rate(one.result.no_ops for one in self.levels)

    @property
    def repeated_rate(self) -> float | None:
        """The share of the same actions that led to a state seen before on the level."""
        return self._rate(one.result.repeated_states for one in self.levels)

    def _rate(self, counts: Iterable[int]) -> float | None:
        moves = sum(one.result.actions - one.result.resets for one in self.levels)
        return sum(counts) / moves if moves else None


def analyse(
    moves: Sequence[Move], baseline: Sequence[int] = (), *, faulted: bool = False, restarts: bool = False
) -> RunAnalysis:
    """What a run shows. The first move is the opening frame.

    `baseline` is that of each level, if it is known. `faulted`: the environment failed, so that the last
    level names no failure of the agent. `restarts` as in `rules.results.level_results`. Raises RuleError.
    """
    entries = [move.entry for move in moves]
    counted = first_run(entries, NO_ADJUSTMENTS)[0] if restarts else entries
    numbers = {entry.seq for entry in counted}
    found, effective = list[LevelAnalysis](), set[Kind]()
    by_seq = {move.entry.seq: move for move in moves if move.entry.seq in numbers}
    for result in level_results(entries, restarts=restarts):
        opening = by_seq[result.entered_seq].entry.state_hash
        own = [by_seq[seq] for seq in range(result.entered_seq + 1, result.last_seq + 1) if seq in by_seq]
        circles = sorted(_circles(opening, own), key=len)
        named = list(_named(result, own, circles))
        if result.completed:
            against = baseline[result.level - 1] if result.level <= len(baseline) else result.actions
            named = [*_slow(result, against), *named] if result.actions > SLOW * against else []
        found.append(
            LevelAnalysis(
                result,
                sum(map(len, circles)),
                sum(map(_is_click, own)),
                sum(move.on_background for move in own),
                *_reuse(own, effective),
                () if faulted and not result.completed else tuple(named),
            )
        )
        effective |= {move.kind for move in own if move.counts and move.entry.changed}
    return RunAnalysis(tuple(found), tuple(_effects(moves)))


def _slow(result: LevelResult, baseline: int) -> Iterator[Named]:
    sentence = f"{result.actions} actions, where the baseline is {baseline}."
    yield Named(Failure.SLOW, result.level, sentence, result.entered_seq + 1, result.last_seq)


def _named(result: LevelResult, moves: Sequence[Move], circles: Sequence[Sequence[Move]]) -> Iterator[Named]:
    """The failures of a level, but for its slowness; the longest circle is the last."""
    made = result.actions - result.resets
    if made < LEAST_MOVES:
        return

    def named(failure: Failure, sentence: str, shown: Sequence[Move]) -> Named:
        return Named(failure, result.level, sentence, shown[0].entry.seq, shown[-1].entry.seq)

    clicks, blind = (sum(map(which, moves)) for which in (_is_click, _is_blind))
    if clicks >= MANY * made and blind >= MANY * clicks:
        sentence = f"{blind} of {clicks} clicks were on the background and changed nothing."
        yield named(Failure.BLIND_CLICKS, sentence, _longest(moves, _is_blind))
    elif result.no_ops >= MANY * made:
        streak = _longest(moves, lambda move: move.counts and not move.entry.changed)
        sentence = f"{result.no_ops} of {made} actions changed nothing, {len(streak)} of them in a row."
        yield named(Failure.NO_EFFECT, sentence, streak)
    if circles and sum(map(len, circles)) >= MANY * (made - result.no_ops):
        states = len({move.entry.state_hash for move in circles[-1]})
        sentence = f"It visited the same {states} states again for {len(circles[-1])} actions."
        yield named(Failure.CIRCLE, sentence, circles[-1])
    if not result.completed and made >= LEAST_WANDERING and result.unique_states > MANY * made:
        sentence = f"{made} actions led to {result.unique_states} states, and none completed the level."
        yield named(Failure.WANDERING, sentence, moves)


def _is_click(move: Move) -> bool:
    return move.entry.action == _CLICK


def _is_blind(move: Move) -> bool:
    return move.on_background and not move.entry.changed


def _longest(moves: Sequence[Move], which: Callable[[Move], bool]) -> list[Move]:
    return max((list(group) for yes, group in groupby(moves, which) if yes), key=len)


def _circles(opening: bytes, moves: Sequence[Move]) -> Iterator[list[Move]]:
    """Stretches of at least LEAST_CIRCLE actions that changed something and led to no state that was new on
    the level, among at most half as many states: who walks back a long way once goes in no circle."""
    seen, stretch = {opening}, list[Move]()
    for move in (*moves, None):
        if move is not None and move.entry.state_hash in seen and not move.entry.level_completed:
            stretch += [move] if move.entry.changed else []
            continue
        states = {one.entry.state_hash for one in stretch}
        if len(stretch) >= LEAST_CIRCLE and len(states) <= len(stretch) / 2:
            yield stretch
        stretch = []
        if move is not None:
            seen.add(move.entry.state_hash)


def _reuse(moves: Sequence[Move], effective: Collection[Kind]) -> tuple[int, int]:
    """How many kinds of action that had an effect on an earlier level were tried on this one, and how many of
    them had one at the first try."""
    first: dict[Kind, bool] = {}
    for move in moves:
        if move.counts and move.kind in effective:
            first.setdefault(move.kind, move.entry.changed)
    return len(first), sum(first.values())


def _effects(moves: Sequence[Move]) -> Iterator[Effect]:
    """Of each action of a run, in their order."""
    tried = defaultdict[int, list[tuple[bytes, bool]]](list)
    for before, move in pairwise(moves):
        if move.entry.action > RESET:  # an action that is not known has no effect of its own
            tried[move.entry.action].append((before.entry.state_hash, move.entry.changed))
    for action, tries in sorted(tried.items()):
        alive = {state for state, changed in tries if changed}
        states = {state for state, _ in tries}
        without = sum(not changed for _, changed in tries)
        yield Effect(action, len(tries), without, len(states), len(states - alive))


class Part(StrEnum):
    """A part of a key's environments, so that what an agent learned on some is tried on others."""

    DEVELOPMENT = "development"
    HELD_OUT = "held out"
    FINAL = "final"


HELD_OUT_SHARE, FINAL_SHARE = 0.25, 0.12


def drawn(codes: Collection[str], seed: str) -> dict[Part, list[str]]:
    """The parts, each sorted: who knows the seed draws the same, by Python's `random.Random(seed)`.

    Of at least three environments each part has one.
    """
    shuffled = random.Random(seed).sample(sorted(codes), len(codes))
    final = max(1, round(FINAL_SHARE * len(codes)))
    held_out = final + max(1, round(HELD_OUT_SHARE * len(codes)))
    return {
        Part.DEVELOPMENT: sorted(shuffled[held_out:]),
        Part.HELD_OUT: sorted(shuffled[final:held_out]),
        Part.FINAL: sorted(shuffled[:final]),
    }
