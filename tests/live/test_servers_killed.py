"""Processes and databases that end while people play: nothing is lost, no time is charged."""

import asyncio
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tools.faults.kinds import HOSTS, Kind
from tools.faults.processes import kill_server, killing, stopping
from tools.faults.run import attempt
from tools.faults.world import World, embedded, with_services

pytestmark = pytest.mark.once


KINDS = [
    Kind("server killed", "embedded", 1, kill_server, 1),
    Kind("engine host killed", "embedded", 2, killing(HOSTS), 0.3),
    Kind("engine host stopped", "embedded", 1, stopping(HOSTS, 0.5), 0.3),
]


async def everything(world: World) -> int:
    """One kind after the other; one audit of all that was given follows."""
    done = 0
    for kind in KINDS:
        for _ in range(kind.times):
            await world.play(world.some_time(0, kind.pause))
            done += await kind.happen(world)
            await world.until_all_play()
    return done


@pytest.mark.long
async def test_nothing_is_lost_when_processes_are_killed(tmp_path: Path, template: Path) -> None:
    async with embedded(tmp_path / "data", template, seed=1, processes=["web"]) as world:
        await world.seat(3)
        await world.until_all_play()
        result = await attempt(world, Kind("all", "embedded", 1, everything, 0), 1, rebuild=1)
        assert result.ok, (result.findings, result.went_back, result.failed)
        assert result.acknowledged > 0
        paused = world.product.installation.rows("SELECT details FROM play_event WHERE kind = 'paused'")
        assert len(paused) == 3, "the time without a server is charged to nobody"


STOPPED_SECONDS = 5.0


def pauses(world: World) -> list[tuple[str, datetime]]:
    return world.product.installation.rows(
        "SELECT kind, server_time FROM play_event WHERE kind IN ('paused', 'resumed') ORDER BY id"
    )


async def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that PostgreSQL's user may enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory(prefix="playtest-stopped-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def status(url: str, seat: str) -> int:
    try:
        with urlopen(Request(url, headers={"Cookie": f"seat={seat}"}), timeout=30) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


@pytest.mark.long
async def test_seconds_without_a_database_are_an_outage(folder: Path) -> None:
    async with with_services(folder, seed=1, processes=["web"]) as world:
        [person] = await world.seat(1, rate=20)
        await until(lambda: person.acknowledged > 5)
        world.services["postgresql"].signal(signal.SIGSTOP)
        await asyncio.sleep(STOPPED_SECONDS)
        before = person.acknowledged
        world.services["postgresql"].signal(signal.SIGCONT)
        await until(lambda: person.acknowledged > before + 5)
        (paused, start), (resumed, end) = pauses(world)
        assert (paused, resumed) == ("paused", "resumed")
        assert 3 < (end - start).total_seconds() < STOPPED_SECONDS + 3
        assert person.closes == []
        assert await world.audit(rebuild=1) == []


@pytest.mark.long
async def test_no_page_fails_once_the_database_was_restarted(folder: Path) -> None:
    """Connections that were kept in the pool have ended with it."""
    async with with_services(folder, seed=1, processes=["web"]) as world:
        [person] = (await world.seed(pool=["wk01"], stage="playing"))["people"]
        url = f"http://127.0.0.1:{world.product.port}/session/play/"
        at_once = [asyncio.to_thread(status, url, person["seat"]) for _ in range(24)]
        assert set(await asyncio.gather(*at_once)) == {200}
        world.services["postgresql"].kill()
        world.services["postgresql"].start()
        assert [await asyncio.to_thread(status, url, person["seat"]) for _ in range(12)] == [200] * 12
