"""The pool gives each version its own hosts, up to its limits."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from engine.confine.answers import marshalled_of, nothing_of
from engine.confine.process import ProcessLimits
from engine.errors import HostError, SourceError
from playtest.play.hosts import pool as hosts
from playtest.play.hosts.fork_server import ForkServer
from playtest.play.hosts.game import HostedGame
from playtest.play.hosts.pool import HostPool
from playtest.play.hosts.process import HostChecks, HostLost, HostProcess
from tests.engine.sources import MISBEHAVE, RIGHT, environment, moves, written
from tests.play.processes import wait_for_the_end, wait_until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.programs]

WALK, CLICK, NOISE = environment("wk01"), environment("ck01"), environment("rn01")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[HostPool]:
    """A pool of at most two hosts for a version and three in all."""
    pool = HostPool(2, most=3)
    yield pool
    await pool.close()


async def start(pool: HostPool, *sources: object) -> list[HostedGame]:
    return [(await pool.start(source, 0))[0] for source in sources]  # type: ignore[arg-type]


async def stop(*games: HostedGame) -> None:
    for game in games:
        await game.stop()


async def test_a_host_holds_games_of_one_version_only(pool: HostPool) -> None:
    walk, click, again = await start(pool, WALK, CLICK, WALK)
    assert walk.process == again.process
    assert walk.process != click.process
    await stop(walk, click, again)


async def test_a_version_with_many_games_gets_another_host_but_no_third(pool: HostPool) -> None:
    games = await start(pool, *[WALK] * 6)
    spread = [game.process for game in games]
    assert [spread.count(process) for process in dict.fromkeys(spread)] == [3, 3]
    await stop(*games)


async def test_hosts_behind_others_have_a_lower_priority() -> None:
    pool = HostPool(1, behind=True)
    try:
        [game] = await start(pool, WALK)
        assert game.process is not None
        assert os.getpriority(os.PRIO_PROCESS, game.process) >= 5
    finally:
        await pool.close()


async def test_the_first_games_have_a_host_each_which_ends_with_them_and_others_share() -> None:
    pool = HostPool(1, own=2, most=6)
    try:
        first, second, third, fourth = await start(pool, *[WALK] * 4)
        assert len({first.process, second.process, third.process}) == 3
        assert third.process == fourth.process
        assert second.process is not None
        await second.stop()
        await asyncio.to_thread(wait_for_the_end, second.process)
        agent, _ = await pool.start(WALK, 0, shares=True)
        assert agent.process == third.process
        (again,) = await start(pool, WALK)
        assert again.process not in {first.process, second.process, third.process}
        assert (await again.act(RIGHT)).seq == 1
    finally:
        await pool.close()


@pytest.mark.parametrize(("coming", "hosts"), [(2, 2), (3, 1)])
async def test_games_share_from_the_first_where_more_are_coming_than_can_have_a_host(
    coming: int, hosts: int
) -> None:
    pool = HostPool(1, own=2, most=6)
    try:
        games = [(await pool.start(WALK, 0, coming=coming))[0] for _ in range(2)]
        assert len({game.process for game in games}) == hosts
    finally:
        await pool.close()


async def test_hosts_of_single_games_leave_half_of_the_places_to_other_versions() -> None:
    pool = HostPool(1, own=100, most=4)
    try:
        games = await start(pool, WALK, WALK, WALK, CLICK)
        assert len({game.process for game in games}) == 4
    finally:
        await pool.close()


PATCHES = {
    "a name added to a class": "from arcengine import Sprite\nSprite.weight = 3",
    "a function of NumPy": "np.zeros = np.ones",
    "how chance is seeded": "random.seed = print",
}


@pytest.mark.parametrize("step", PATCHES.values(), ids=PATCHES.keys())
async def test_what_a_game_changed_of_what_its_neighbours_use_is_reported_when_it_is_let_go(
    pool: HostPool, step: str, caplog: pytest.LogCaptureFixture
) -> None:
    source = written(step=step)
    neighbour, game = await start(pool, source, source)
    await game.act(MISBEHAVE)
    await game.stop()
    with pytest.raises(HostLost):
        await neighbour.act(RIGHT)
    assert f"environment fault of version {source.digest}: The environment changed" in caplog.text
    (again,) = await start(pool, source)
    assert (await again.act(RIGHT)).seq == 1
    await again.stop()


async def test_a_version_without_a_host_replaces_a_host_without_games(pool: HostPool) -> None:
    walk, click, noise = await start(pool, WALK, CLICK, NOISE)
    await stop(click)
    (other,) = await start(pool, written())
    assert len(set(pool.processes)) == 3
    assert click.process not in pool.processes
    assert [(await game.act(action)).seq for game, action in ((walk, RIGHT), (other, RIGHT))] == [1, 1]
    await stop(walk, noise, other)


async def test_a_version_shares_its_host_if_no_other_is_free(pool: HostPool) -> None:
    games = await start(pool, WALK, CLICK, NOISE, WALK, WALK)
    assert games[0].process == games[3].process == games[4].process
    await stop(*games)


async def test_a_version_without_a_free_host_is_refused_until_one_is_free(pool: HostPool) -> None:
    games = await start(pool, WALK, CLICK, NOISE)
    with pytest.raises(HostLost, match="games of other versions"):
        await pool.start(written(), 0)
    await stop(games[1])
    (other,) = await start(pool, written())
    assert (await other.act(RIGHT)).seq == 1
    await stop(games[0], games[2], other)


async def test_hosts_idle_for_long_end_and_busy_ones_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "IDLE_SECONDS", 0.2)
    pool = HostPool(1)
    walk, click = await start(pool, WALK, CLICK)
    await stop(click)
    assert click.process is not None
    await asyncio.to_thread(wait_for_the_end, click.process)
    assert pool.processes == (walk.process,)
    (again,) = await start(pool, CLICK)
    assert again.process != click.process
    assert (await walk.act(RIGHT)).seq == 1
    await pool.close()


async def test_all_versions_can_start_at_once() -> None:
    pool = HostPool(1)
    sources = [written(step=f"self.number = {number}") for number in range(8)]
    games = [game for game, _ in await asyncio.gather(*(pool.start(source, 0) for source in sources))]
    assert len({game.process for game in games}) == 8
    turns = await asyncio.gather(*(game.act(RIGHT) for game in games))
    assert [turn.seq for turn in turns] == [1] * 8
    await pool.close()
    assert pool.processes == ()


async def test_a_host_whose_games_use_half_of_its_memory_takes_no_other() -> None:
    large = written(construct="self.held = bytearray(b'.') * 220_000_000")
    pool = HostPool(1, host_memory_megabytes=400)
    try:
        first, second = await start(pool, large, large)
        assert first.process != second.process
        assert (await first.act(RIGHT)).seq == 1
    finally:
        await pool.close()


async def _all_act(games: list[HostedGame]) -> None:
    for action in moves("3434"):
        for game in games:
            await game.act(action)


async def test_a_game_that_finds_no_memory_because_of_others_is_moved() -> None:
    growing = written(draw="self.held = [*getattr(self, 'held', ()), bytearray(b'.') * 40_000_000]")
    pool = HostPool(1, memory_megabytes=250, host_memory_megabytes=400)
    try:
        games = await start(pool, growing, growing)
        with pytest.raises(HostLost):
            await _all_act(games)
        moved, turn = await pool.start(growing, 0, moves("34"))
        assert turn.seq == 2
        assert moved.process not in {game.process for game in games}
    finally:
        await pool.close()


async def test_hosts_are_forked_ahead_and_taken_for_the_next_versions() -> None:
    pool = HostPool(1, spare=2)
    pool.spares.keep()
    await asyncio.to_thread(wait_until, lambda: len(pool.spares.processes) == 2)
    compiles, plays = pool.spares.processes
    await pool.codes.code_of(WALK)
    (walk,) = await start(pool, WALK)
    assert walk.process == plays
    await asyncio.to_thread(wait_for_the_end, compiles)  # it runs no environment afterwards
    assert (await walk.act(RIGHT)).seq == 1
    await asyncio.to_thread(wait_until, lambda: len(pool.spares.processes) == 2)
    await pool.close()
    assert pool.spares.processes == ()


async def test_a_source_that_does_not_compile_is_refused_with_its_reason() -> None:
    pool = HostPool(1)
    for _ in range(2):
        with pytest.raises(SourceError, match="line"):
            await pool.start(written(methods="def"), 0)
    await pool.close()


async def test_a_host_that_has_loaded_a_source_compiles_nothing_for_others() -> None:
    forks = ForkServer(ProcessLimits())
    host = HostProcess(forks, HostChecks(), lambda _: None)
    compile_it = {"op": "compile", "text": "1", "name": "one"}
    assert await host.send(compile_it, 10, marshalled_of)
    loaded = {"digest": WALK.digest, "metadata": WALK.metadata, "text": WALK.text, "path": ""}
    await host.send({"op": "load", **loaded}, 10, nothing_of)
    assert isinstance(await host.send(compile_it, 10, marshalled_of), HostError)
    await host.close()
    await forks.close()
