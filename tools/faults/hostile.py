"""Environments that attack while their neighbours play: those of `tests.engine.attacks`, in real hosts.

Each environment here holds some attacks. Its action 5 does the one whose turn it is by the number of actions
before. Whatever the attack, it ends its attempt as a fault, with the code that says what it was.
"""

import asyncio
import json
import platform
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine.confine.process import PROJECT
from tests.engine.attacks import HARMS, INTERRUPTED, LEAK, READS, TAKES_THE_HOST_ALONG, UNDO
from tests.engine.hostile import PRELUDE
from tools.faults.person import Person
from tools.faults.world import World

_LETTERS = "abcdefgh"
_ENVIRONMENTS = len(_LETTERS)
_PEOPLE = 6
_PATIENCE_SECONDS = 180.0
_CAUGHT = ("forbidden_operation", "code_replaced")
"""How attacks of the kernel end, as Python undid what it forbids: refused, or found to have undone it."""

_TEXT = """
import os, random, sys, time
import numpy as np
from arcengine import ARCBaseGame, Camera, Level, Sprite

ATTACKS = {attacks!r}
FACTS = {facts!r}

class {name}(ARCBaseGame):
    def __init__(self):
        self.actions, self.attacks = 0, False
        levels = [Level(sprites=[Sprite([[9]], name="dot")]) for _ in range(6)]
        super().__init__("{code}", levels, Camera())

    def step(self):
        self.actions += self.action.id.value > 0 and not self.attacks
        move = {{1: (0, -1), 2: (0, 1), 3: (-1, 0), 4: (1, 0)}}.get(self.action.id.value)
        if move:
            self.current_level.get_sprites()[0].move(*move)
        if self.action.id.value == 5:
            self.attacks = True
            names = {{**globals(), **FACTS, "self": self}}
            exec(ATTACKS[self.actions % len(ATTACKS)], names)
        self.complete_action()
"""


type Endings = tuple[str, ...]


async def hostile_environments(world: World) -> int:
    """A few people go from one hostile environment to the next; counts the attacks that were made."""
    attacks = await asyncio.to_thread(_attacks)
    names = sorted(attacks)
    world.dice.shuffle(names)
    held = {f"x{letter}01": names[place::_ENVIRONMENTS] for place, letter in enumerate(_LETTERS)}
    with TemporaryDirectory(dir=world.folder) as games, _unix_socket(Path(games) / "socket") as path:
        facts = _facts(world, path)
        for code, some in held.items():
            _write(Path(games) / "environments" / code, [attacks[name][0] for name in some], facts)
        new = await world.seat(_PEOPLE, games=Path(games) / "environments", pool=list(held), rate=6)
        await _until_over(new)
    await world.leave(new)
    made = await asyncio.to_thread(_attempts, world, new)
    done = [(held[code][(actions + 1) % len(held[code])], fault) for code, actions, fault in made]
    # Attempts of one version share a host, so one may be told what another attack replaced there.
    wrong = [
        f"{name}: {fault or 'no fault'}"
        for name, fault in done
        if fault not in (*attacks[name][1], "code_replaced")
    ]
    assert not wrong, f"{len(wrong)} of {len(made)} attacks ended otherwise: {wrong}"
    return len(made)


def _attacks() -> dict[str, tuple[str, Endings]]:
    """Source text and how its attempt may end, by name."""
    in_hosts = {**INTERRUPTED, **TAKES_THE_HOST_ALONG}
    attacks: dict[str, tuple[str, Endings]] = {
        name: (text, (code,)) for name, (text, code) in in_hosts.items()
    }
    attacks["leaks"] = (f"for _ in range(60):\n    {LEAK}", ("memory_exceeded", "deadline_exceeded"))
    texts = {name: text for name, (text, _) in READS.items()} | (HARMS if _is_confined() else {})
    undone = {f"{name}, undone": (f"{UNDO}\n{PRELUDE}\n{text}", _CAUGHT) for name, text in texts.items()}
    return attacks | undone


def _is_confined() -> bool:
    """Whether the kernel has all that keeps harm from this machine, and its calls have the numbers named."""
    command = [sys.executable, "-m", "engine.confine.kernel"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=PROJECT).stdout
    lacking = [line for line in said.splitlines() if not line.startswith("user: ")]
    return platform.machine() == "x86_64" and not lacking


@contextmanager
def _unix_socket(path: Path) -> Iterator[str]:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        yield str(path)


def _facts(world: World, path: str) -> dict[str, Any]:
    """What the attacks name: the server that people play at."""
    folder = world.product.installation.folder
    return {
        "server": world.product.web()[0],
        "port": world.product.port,
        "key": str(folder / "secret_key"),
        "database": str(folder / "playtest.sqlite3"),
        "folder": str(folder),
        "project": str(PROJECT),
        "path": path,
    }


def _write(folder: Path, attacks: list[str], facts: dict[str, Any]) -> None:
    folder.mkdir(parents=True)
    code = folder.name
    text = _TEXT.format(attacks=attacks, facts=facts, name=code.capitalize(), code=code)
    (folder / f"{code}.py").write_text(text)
    (folder / "metadata.json").write_text(json.dumps({"game_id": code, "title": "Hostile"}))


async def _until_over(people: list[Person]) -> None:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _PATIENCE_SECONDS
    while not all(person.over for person in people):
        assert loop.time() < deadline, "people did not come to the end of the hostile environments"
        await asyncio.sleep(0.2)


def _attempts(world: World, people: list[Person]) -> list[tuple[str, int, str]]:
    """Environment, number of actions before the attack, and code of the fault, of each attempt."""
    sessions = ", ".join(str(person.session) for person in people)
    return [
        (code, actions, fault)
        for code, actions, fault in world.product.installation.rows(
            "SELECT e.code, a.actions, a.fault_code FROM play_attempt a JOIN studio_environment e "
            f"ON e.id = a.environment_id WHERE a.session_id IN ({sessions})"
        )
    ]
