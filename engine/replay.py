"""Rebuilds a game from its entries and says how far they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from engine.actions import RESET, Action
from engine.errors import ActionError, EnvironmentFault
from engine.frames import Frame
from engine.game import Game
from engine.source import Source
from engine.turns import WIN, Turn


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """An action and what is known of its turn, if anything. Entry 0 is the opening RESET."""

    action: Action
    state_hash: bytes | None = None
    frames: tuple[Frame, ...] | None = None

    def agrees(self, turn: Turn) -> bool:
        """Whether the turn is the one that was recorded."""
        if self.state_hash is not None and self.state_hash != turn.state_hash:
            return False
        return self.frames is None or _same(self.frames, turn.frames)


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first entry that does not hold: another turn came of it (`actual`), or none (`error`)."""

    seq: int
    expected: bytes | None
    actual: bytes | None = None
    error: ActionError | EnvironmentFault | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Replay:
    """How far the entries hold: how many are `valid`, the `turn` after them, and why the next is not."""

    valid: int
    turn: Turn | None
    divergence: Divergence | None


def turns(
    source: Source, seed: int, entries: Iterable[Entry], *, as_arcengine: bool = False
) -> Iterator[Turn | Divergence]:
    """The turns of the longest valid prefix, one at a time, then the divergence if there is one.

    Playing stops at the turn that wins: what follows it is not played.
    Raises SourceError for an environment that does not start, ValueError if entry 0 is no RESET.
    """
    game: Game | None = None
    for seq, entry in enumerate(entries):
        try:
            if game is None:
                game, turn = _open(source, seed, entry, as_arcengine)
            else:
                turn = game.act(entry.action)
        except (ActionError, EnvironmentFault) as error:
            yield Divergence(seq, entry.state_hash, error=error)
            return
        if not entry.agrees(turn):
            yield Divergence(seq, entry.state_hash, turn.state_hash)
            return
        yield turn
        if turn.state == WIN:
            return


def replay(source: Source, seed: int, entries: Iterable[Entry], *, as_arcengine: bool = False) -> Replay:
    """Plays all entries, as `turns` does, and keeps only the end."""
    valid, last = 0, None
    for step in turns(source, seed, entries, as_arcengine=as_arcengine):
        if isinstance(step, Divergence):
            return Replay(valid, last, step)
        valid, last = valid + 1, step
    return Replay(valid, last, None)


def _open(source: Source, seed: int, entry: Entry, as_arcengine: bool) -> tuple[Game, Turn]:
    if entry.action.id != RESET:
        raise ValueError(f"entry 0 must be the opening RESET, not {entry.action.name}")
    return Game.start(source, seed, as_arcengine=as_arcengine)


def _same(recorded: tuple[Frame, ...], played: tuple[Frame, ...]) -> bool:
    return len(recorded) == len(played) and all(map(np.array_equal, recorded, played))
