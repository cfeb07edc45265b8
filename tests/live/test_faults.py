"""The short form of `make faults`: nothing that people were given is lost, and no time is charged for it."""

from pathlib import Path

import pytest

from tools.faults.kinds import HOSTS, Kind
from tools.faults.processes import kill_server, killing, stopping
from tools.faults.run import attempt
from tools.faults.world import World, embedded

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
