"""People who play on machines through their proxy, and what they say of it."""

import asyncio
import random
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

from tools.faults.person import Person
from tools.machines.installation import NAME

_PATIENCE_SECONDS = 120.0


@dataclass
class Room:
    """People at stations, each with a connection through TLS to the proxy at `address`."""

    people: list[Person]
    notes: Path
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def until_all_play(self) -> None:
        """Waits until everybody was given a turn from now on."""
        began = time.monotonic()
        while waiting := [person for person in self.people if person.last_at < began]:
            for task in self.tasks:
                if task.done():
                    task.result()
            assert time.monotonic() - began < _PATIENCE_SECONDS, [person.closes for person in waiting]
            await asyncio.sleep(0.05)

    def said(self) -> str:
        """What happened to them until now; forgets it for the next report."""
        gaps = sorted(gap for person in self.people for gap in person.gaps)
        closes = sorted({code for person in self.people for code in person.closes})
        thrown_out = sum(person.elsewhere for person in self.people)
        went_back = sum(len(person.went_back) for person in self.people)
        turns = sum(person.acknowledged for person in self.people)
        without = ""
        if gaps:
            middle = quantiles(gaps, n=100, method="inclusive") if len(gaps) > 1 else gaps * 99
            without = (
                f"; seconds without play p50 {middle[49]:.2f}, p90 {middle[89]:.2f}, most {gaps[-1]:.2f}"
            )
        for person in self.people:
            person.gaps.clear()
            person.closes.clear()
        return (
            f"{len(self.people)} people, {turns} turns given; "
            f"{len(gaps)} connections ended {closes}{without}; "
            f"{thrown_out} people thrown out of a level, {went_back} saw less than before"
        )


@asynccontextmanager
async def room(
    seated: list[dict[str, Any]], address: str, certificate: Path, notes: Path, rate: float = 1.5
) -> AsyncIterator[Room]:
    """These people play until the block ends."""
    context = ssl.create_default_context(cafile=str(certificate))
    connecting: dict[str, Any] = {"host": address, "port": 443, "ssl": context, "proxy": None}
    with notes.open("a", buffering=1) as lines:
        people = [
            Person(
                443,
                one["session"],
                one["seat"],
                lines,
                rate,
                random.Random(at),
                root=f"https://{NAME}",
                connecting=connecting,
            )
            for at, one in enumerate(seated)
        ]
        found = Room(people, notes)
        found.tasks = [asyncio.create_task(person.live()) for person in people]
        try:
            await found.until_all_play()
            for person in people:
                person.gaps.clear()
                person.closes.clear()
            yield found
        finally:
            for task in found.tasks:
                task.cancel()
            await asyncio.gather(*found.tasks, return_exceptions=True)
