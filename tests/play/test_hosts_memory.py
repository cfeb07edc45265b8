"""A host that runs for days gives back the memory of games that ended, and of what games no longer use."""

from __future__ import annotations

import resource
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from engine.play.actions import Action
from engine.play.recording import read
from engine.play.source import Source, load
from playtest.play.hosts.game import HostedGame
from playtest.play.hosts.pool import HostPool
from tests.engine.sources import MISBEHAVE, written

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.programs]

GAMES = Path(__file__).parents[2] / "games"
STAYING = 4


@pytest_asyncio.fixture(loop_scope="module")
async def pool() -> AsyncIterator[HostPool]:
    pool = HostPool(1, memory_megabytes=200)
    yield pool
    await pool.close()


def megabytes(game: HostedGame) -> float:
    """The memory of a game's host."""
    pages = int(Path(f"/proc/{game.process}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def winning(source: Source, count: int) -> list[Action]:
    """The first actions of an environment's recorded win."""
    [recorded] = Path(source.path).parent.glob("**/*win.jsonl")
    return [turn.action for turn in read(recorded.read_text().splitlines()).turns[1 : count + 1]]


async def staying(pool: HostPool, source: Source) -> list[HostedGame]:
    """Games that go on while others end."""
    return [(await pool.start(source, seed))[0] for seed in range(STAYING)]


async def come_and_go(pool: HostPool, source: Source, actions: list[Action], times: int) -> list[int | None]:
    """Starts a game, plays it and ends it, several times; returns the processes of the hosts."""
    processes = []
    for seed in range(times):
        game, _ = await pool.start(source, seed, actions, as_arcengine=True)
        processes.append(game.process)
        await game.stop()
    return processes


async def test_games_that_have_ended_take_no_memory(pool: HostPool) -> None:
    source = load(next(path for path in GAMES.glob("tz85*") if path.is_dir()))
    actions = winning(source, 20)
    others = await staying(pool, source)
    await come_and_go(pool, source, actions, 3 * STAYING)
    before = megabytes(others[0])
    await come_and_go(pool, source, actions, 80)
    assert megabytes(others[0]) - before < 1


async def test_the_memory_of_a_large_game_is_given_back_when_it_ends(pool: HostPool) -> None:
    growing = written(step="self.cycle = [self, bytearray(b'.' * 80_000_000)]")
    *others, large = await staying(pool, growing)
    before = megabytes(large)
    await large.act(MISBEHAVE)
    assert megabytes(large) - before > 70
    await large.stop()
    await others[0].keyframe()
    assert megabytes(others[0]) - before < 10


async def test_cycles_that_a_long_game_leaves_are_collected(pool: HostPool) -> None:
    """Also those that it holds until after many collections."""
    step = """
cycle = [bytearray(b'.' * 20_000)]
cycle.extend([cycle] for _ in range(50))
self.kept = [*getattr(self, 'kept', ()), cycle][-200:]
"""
    game, _ = await pool.start(written(step=step), 0)
    for _ in range(400):
        await game.act(MISBEHAVE)
    before = megabytes(game)
    for _ in range(1_000):  # leave 20 MB
        await game.act(MISBEHAVE)
    assert megabytes(game) - before < 10


async def test_what_was_frozen_while_it_was_used_is_collected_later(pool: HostPool) -> None:
    """Each action replaces more objects than a host leaves unfrozen: 30 MB."""
    step = "self.kept = [[bytearray(350)] for _ in range(70_000)]\nself.kept.append(self.kept)"
    game, _ = await pool.start(written(step=step), 0)
    before = megabytes(game)
    for _ in range(12):
        await game.act(MISBEHAVE)
    assert megabytes(game) - before < 180
