"""One installation with people who play, and the audit after each fault."""

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import mkdtemp
from typing import Any

from tests.databases import make_template
from tests.live.games import ENVIRONMENTS
from tests.live.seeder import ROOT, SeedingError
from tests.live.server import Server
from tools.faults.person import Person
from tools.faults.product import Product
from tools.faults.proxy import Proxy
from tools.faults.services import Service, postgresql, redis

PATIENCE_SECONDS = 120.0
PROCESSES = ("web", "worker", "exporter", "beat")
ENDLESS = ["qt01", "av01", "ck01", "an01", "rn01", "cl01"]
"""Environments that nobody finishes at random in minutes, of different kinds."""


@dataclass
class World:
    """The product, the people at its stations, and what they were given. `services` are by name.

    `notes` is a file on another disk than the data: what people were given is known when that one is full.
    """

    product: Product
    dice: random.Random
    folder: Path
    notes: Path
    services: dict[str, Service] = field(default_factory=dict)
    people: list[Person] = field(default_factory=list)
    proxy: Proxy | None = None
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)

    @property
    def acknowledged(self) -> int:
        return sum(person.acknowledged for person in self.people)

    @property
    def went_back(self) -> list[str]:
        return [one for person in self.people for one in person.went_back]

    async def seat(
        self, number: int, *, games: Path | None = None, pool: Sequence[str] = ENDLESS, rate: float = 3.0
    ) -> list[Person]:
        """More people begin to play environments of a folder (those of the tests); returns them."""
        if games is None:
            games = self.folder / "-".join(pool)
            for code in pool:
                await asyncio.to_thread(copytree, ENVIRONMENTS / code, games / code, dirs_exist_ok=True)
        seeded = await self.seed(games=str(games), pool=list(pool), people=number, have_places=True)
        new = [self._person(one, rate) for one in seeded["people"]]
        self.join(new)
        return new

    async def seed(self, **wanted: Any) -> dict[str, Any]:
        """Fill the database; once more if the connection that was kept for it had been broken."""
        try:
            return await asyncio.to_thread(self.product.installation.seed, **wanted)
        except SeedingError:
            return await asyncio.to_thread(self.product.installation.seed, **wanted)

    def _person(self, seeded: dict[str, Any], rate: float) -> Person:
        notes = self.notes.open("a", buffering=1)
        dice = random.Random(self.dice.random())
        port = self.product.port if self.proxy is None else self.proxy.port
        return Person(port, seeded["session"], seeded["seat"], notes, rate, dice)

    def join(self, people: list[Person]) -> None:
        self.people += people
        self._tasks += [asyncio.create_task(person.live()) for person in people]

    async def leave(self, people: list[Person]) -> None:
        """These people stop."""
        for person in people:
            task = self._tasks[self.people.index(person)]
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def play(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def some_time(self, least: float, most: float) -> float:
        return self.dice.uniform(least, most)

    async def until_all_play(self) -> float:
        """Wait until everybody was given a turn; the seconds that the last one waited."""
        began = time.monotonic()
        while True:
            waiting = [
                person
                for person, task in zip(self.people, self._tasks, strict=True)
                if not person.over and not task.done() and person.last_at < began
            ]
            if not waiting:
                return time.monotonic() - began
            if time.monotonic() - began > PATIENCE_SECONDS:
                places = [(person.session, person.closes[-3:]) for person in waiting]
                raise AssertionError(f"still waiting: {places}\n{self.product.said()[-3000:]}")
            await asyncio.sleep(0.05)

    async def audit(self, rebuild: int | None) -> list[dict[str, Any]]:
        """The findings of `manage.py audit` with all that people were given until now.

        So many attempts are played again, or all (None).
        """
        attempts = ["--rebuild"] if rebuild is None else ["--rebuild", str(rebuild)]
        environment = {**self.product.installation.environment, "NICE": "1"}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "manage.py", "audit", "--json", *attempts, "--hosts", "1",
            "--acknowledged", str(self.notes), cwd=ROOT, env=environment,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, error = await process.communicate()
        assert out, error.decode()
        return list(json.loads(out)["findings"])

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.proxy is not None:
            await self.proxy.stop()
        for person in self.people:
            person.notes.close()


@asynccontextmanager
async def embedded(
    folder: Path, template: Path, seed: int, *, processes: Sequence[str] = PROCESSES, **settings: str
) -> AsyncIterator[World]:
    """On SQLite, without Redis, as `make up` serves a small center."""
    async with _world(folder, template, seed, {}, settings, processes) as world:
        yield world


@asynccontextmanager
async def with_services(
    folder: Path, seed: int, *, processes: Sequence[str] = PROCESSES, **settings: str
) -> AsyncIterator[World]:
    """On a PostgreSQL and a Redis of its own."""
    database, database_url = await asyncio.to_thread(postgresql, folder / "postgresql")
    broker, redis_url = await asyncio.to_thread(redis, folder / "redis")
    services = {"postgresql": database, "redis": broker}
    before = {name: os.environ.get(name) for name in ("DATABASE_URL", "REDIS_URL")}
    os.environ |= {"DATABASE_URL": database_url, "REDIS_URL": redis_url}
    try:
        template = await asyncio.to_thread(make_template, folder)
        async with _world(folder / "data", template, seed, services, settings, processes) as world:
            yield world
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value
        for service in services.values():
            service.stop()


@asynccontextmanager
async def _world(
    folder: Path,
    template: Path,
    seed: int,
    services: dict[str, Service],
    settings: dict[str, str],
    processes: Sequence[str],
) -> AsyncIterator[World]:
    notes = await asyncio.to_thread(mkdtemp, prefix="playtest-notes-")
    installation = Server(folder, template, None, **settings)
    product = Product(installation, processes)
    world = World(product, random.Random(seed), folder, Path(notes) / "acknowledged.jsonl", services)
    try:
        await product.until_healthy()
        yield world
    finally:
        await world.close()
        product.stop()
        installation.stop()
        await asyncio.to_thread(rmtree, notes)
