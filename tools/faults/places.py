"""One installation for all the faults of a place, one kind after another."""

import argparse
import asyncio
import subprocess
from contextlib import AsyncExitStack
from pathlib import Path

from tests.databases import make_template
from tools.faults.kinds import KINDS, Kind, Place
from tools.faults.run import Result, attempt, table
from tools.faults.world import World, embedded, with_services

DISK_MEGABYTES = 192


def chosen(options: argparse.Namespace) -> list[Kind]:
    """The kinds that the command names."""
    return [kind for kind in KINDS if not options.only or any(word in kind.name for word in options.only)]


def run_place(folder: Path, place: Place, options: argparse.Namespace) -> list[Result]:
    """Lets everything happen at this place that the command names, and prints a line for each kind."""
    return asyncio.run(_try(folder, place, options))


async def _try(folder: Path, place: Place, options: argparse.Namespace) -> list[Result]:
    results: list[Result] = []
    async with AsyncExitStack() as stack:
        world = await _begin(stack, folder / place, place, options.seed)
        await world.seat(options.people)
        await world.until_all_play()
        for kind in chosen(options):
            if kind.place != place:
                continue
            result = await attempt(world, kind, max(1, round(kind.times * options.share)))
            print(table([result]).splitlines()[-1], *_details(result), sep="\n", flush=True)
            results.append(result)
        results.append(await _play_all_again(world))
        print(table(results[-1:]).splitlines()[-1], *_details(results[-1]), sep="\n", flush=True)
    return results


async def _play_all_again(world: World) -> Result:
    """The last audit, with every attempt: after each kind only some are played again."""

    async def count(world: World) -> int:
        await world.leave(world.people)
        return int(world.product.installation.rows("SELECT count(*) FROM play_attempt")[0][0])

    name = "afterwards: attempts played again, all"
    return await attempt(world, Kind(name, "embedded", 1, count, 0), 1, rebuild=None)


async def _begin(stack: AsyncExitStack, folder: Path, place: Place, seed: int) -> World:
    if place == "services":
        return await stack.enter_async_context(with_services(folder, seed))
    await asyncio.to_thread(folder.mkdir)
    template = await asyncio.to_thread(make_template, folder)
    disk = folder / "disk"
    await asyncio.to_thread(disk.mkdir)
    if _mount(disk):
        stack.callback(lambda: subprocess.run(["umount", "-l", disk], check=True))
    return await stack.enter_async_context(embedded(disk / "data", template, seed, DISK_FREE_MEGABYTES="8"))


def _mount(folder: Path) -> bool:
    """A small file system of its own, where that is allowed, so that its disk can be filled."""
    size = f"size={DISK_MEGABYTES}m"
    command = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def _details(result: Result) -> list[str]:
    """What was found, and what did not come to an end."""
    found = [str(finding) for finding in [*result.findings, *result.went_back][:10]]
    return [*found, result.failed] if result.failed else found
