"""The pool gives each version its own hosts, up to its limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from playtest.play import hosts
from playtest.play.hosts import HostedGame, HostLost, HostPool
from tests.engine.sources import RIGHT, environment, moves, written
from tests.play.processes import wait_for_the_end

pytestmark = pytest.mark.asyncio(loop_scope="module")

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
    sources = [written(step=f"self.number = {number}") for number in range(20)]
    games = [game for game, _ in await asyncio.gather(*(pool.start(source, 0) for source in sources))]
    assert len({game.process for game in games}) == 20
    assert [turn.seq for turn in await asyncio.gather(*(game.act(moves("4")[0]) for game in games))] == [
        1
    ] * 20
    await pool.close()
    assert pool.processes == ()
