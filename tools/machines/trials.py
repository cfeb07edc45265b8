"""What is tried: each prints lines that docs/deploy.md repeats."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from tools.faults.world import ENDLESS
from tools.machines import monitoring, pages
from tools.machines.installation import DEPLOY, PORTS, WORKERS, Installation
from tools.machines.machine import Machine
from tools.machines.people import Room, room

_BEFORE_SECONDS, _AFTER_SECONDS = 10.0, 25.0
_NOTES = "acknowledged.jsonl"


async def one_machine(installation: Installation, people: int) -> None:
    """Everything on one machine: pages, a rolling restart, monitoring, backup and restore."""
    machine = installation.machine()
    installation.database(machine)
    installation.product(machine, installation.environment())
    installation.prepare(machine)
    installation.start(machine, *WORKERS)
    installation.proxy(machine)
    say("", *pages.check(installation, machine))
    async with seated(installation, machine, people) as found:
        began = time.monotonic()
        await asyncio.to_thread(machine.run, f"{DEPLOY}/rolling-restart", *map(str, PORTS))
        took = time.monotonic() - began
        await found.until_all_play()
        say(f"rolling restart of two processes in {took:.0f} s: ", found.said())
        await asyncio.to_thread(machine.run, "systemctl", "start", "playtest-backup.service")
        say("", *await monitoring.watch(installation, machine))
        said = machine.run("promtool", "test", "rules", f"{DEPLOY}/monitoring/playtest-alerts.test.yml")
        say("promtool test rules: ", said.split()[-1])
    say("audit: ", audited(machine))
    backup = machine.shell("ls -d /var/backups/playtest/playtest-* | tail -1").strip()
    machine.shell(
        "su postgres -c 'createdb --owner playtest restored'; install -d -o playtest /var/lib/restored"
    )
    for command in (f"restore {backup}", "audit --rebuild"):
        said = machine.shell(
            "cp /etc/playtest/environment /etc/playtest/kept;"
            "sed -i 's#/playtest$#/restored#' /etc/playtest/environment;"
            f"{DEPLOY}/manage {command} || code=$?;"
            "mv /etc/playtest/kept /etc/playtest/environment; exit ${code:-0}"
        )
        say(f"{command.split()[0]} of the backup: ", said.strip().splitlines()[-1])


async def three_machines(installation: Installation, people: int) -> None:
    """One with PostgreSQL, Redis and nginx, two with web processes and workers; one of these goes away."""
    center = installation.machine()
    installation.database(center, listen=f"127.0.0.1,{center.address}")
    first, second = installation.machine(), installation.machine()
    for machine, workers in ((first, WORKERS), (second, WORKERS[:-1])):
        installation.product(machine, installation.environment_of(machine, center))
        if machine is first:
            installation.prepare(machine)
        installation.start(machine, *workers)
    installation.proxy(
        center, [f"{one.address}:{port}" for one in (first, second) for port in installation.ports]
    )
    async with seated(installation, first, people, center) as found:
        for what, machine, away, back in (  # everybody is on the other one afterwards
            ("is stopped by systemctl", second, _stop, _start),
            ("is killed", first, Machine.kill, installation.again),
            ("is unplugged", second, Machine.unplug, Machine.plug_in),
        ):
            await asyncio.to_thread(away, machine)
            await asyncio.sleep(_AFTER_SECONDS)
            await found.until_all_play()
            say(f"a machine {what}: ", found.said())
            await asyncio.to_thread(back, machine)
    say("audit: ", audited(first))


def _stop(machine: Machine) -> None:
    machine.run("systemctl", "stop", "playtest.target")


def _start(machine: Machine) -> None:
    machine.run("systemctl", "start", "playtest.target")


@asynccontextmanager
async def seated(
    installation: Installation, machine: Machine, people: int, proxy: Machine | None = None
) -> AsyncIterator[Room]:
    """People who have sat down and play through the proxy until the block ends."""
    folder = installation.folder
    seats = installation.seat(machine, people, ENDLESS)
    certificate, notes = folder / "certificates" / "fullchain.pem", folder / "notes" / _NOTES
    async with room(seats, (proxy or machine).address, certificate, notes) as found:
        await asyncio.sleep(_BEFORE_SECONDS)
        say("before: ", found.said())
        yield found


def audited(machine: Machine) -> str:
    command = (f"{DEPLOY}/manage", "audit", "--rebuild", "--acknowledged", f"/srv/notes/{_NOTES}")
    return machine.run(*command).strip().splitlines()[-1]


def say(before: str, *lines: str) -> None:
    for line in lines:
        sys.stdout.write(f"{before}{line}\n")
        sys.stdout.flush()


TRIALS: dict[str, Callable[[Installation, int], Coroutine[Any, Any, None]]] = {
    "one-machine": one_machine,
    "three-machines": three_machines,
}
