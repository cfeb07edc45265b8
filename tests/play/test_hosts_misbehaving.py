"""A misbehaving environment ends its own attempt only; the others continue.

Others of its version share its host and are rebuilt when that is lost; other versions notice nothing.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

import pytest
import pytest_asyncio

from engine.errors import EnvironmentFault, SourceError
from engine.play.actions import Action
from engine.play.game import Game
from engine.play.source import Source
from playtest.play.hosts.game import HostedGame
from playtest.play.hosts.pool import HostPool
from playtest.play.hosts.process import HostLost
from tests.engine.attacks import INTERRUPTED, LEAK, TAKES_THE_HOST_ALONG
from tests.engine.sources import MISBEHAVE, RIGHT, UP, environment, lamps, moves, written

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.programs]

SECRETS = {"SECRET_KEY": "not-to-be-seen", "DATABASE_URL": "postgres://someone:hidden@nowhere/"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[HostPool]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SECRETS.items():
            patch.setenv(name, value)
        pool = HostPool(
            1,
            deadline_seconds=0.6,
            start_deadline_seconds=1.2,
            grace_seconds=0.3,
            memory_megabytes=100,
            host_memory_megabytes=1000,
        )
        yield pool
        await pool.close()


@dataclass
class Person:
    """A person during an attempt."""

    source: Source
    actions: list[Action]
    game: HostedGame
    made: int = 0

    async def play_on(self, pool: HostPool) -> bool:
        """Makes the next action; rebuilds a lost game first and returns whether it did."""
        here = True
        try:
            turn = await self.game.act(self.actions[self.made])
        except HostLost:
            here, expected = False, hashes(self.source, self.actions[: self.made])
            made = self.actions[: self.made]
            self.game, turn = await pool.start(self.source, 0, made, expected_hashes=expected)
            assert turn.state_hash == expected[-1]
            turn = await self.game.act(self.actions[self.made])
        self.made += 1
        assert turn.state_hash == hashes(self.source, self.actions[: self.made])[-1]
        return here


def hashes(source: Source, actions: list[Action]) -> list[bytes]:
    game, opening = Game.start(source, 0)
    return [opening.state_hash, *(game.act(action).state_hash for action in actions)]


@pytest_asyncio.fixture(loop_scope="module")
async def people(pool: HostPool) -> AsyncIterator[list[Person]]:
    """Two people during attempts at other environments."""
    played = [("wk01", moves("44422")), ("ck01", [*lamps(1), *lamps(2), *lamps(3)])]
    people = []
    for environment_id, actions in played:
        source = environment(environment_id)
        people.append(Person(source, actions, (await pool.start(source, 0))[0]))
    for person in people:
        for _ in range(2):
            await person.play_on(pool)
    yield people
    for person in people:
        await person.game.stop()


async def neighbour_at(pool: HostPool, source: Source) -> Person:
    """A person who plays the same version in the same process."""
    person = Person(source, moves("441424"), (await pool.start(source, 0))[0])
    for _ in range(2):
        await person.play_on(pool)
    return person


async def fault_of(pool: HostPool, source: Source, before: Sequence[Action] = (RIGHT,)) -> EnvironmentFault:
    """Returns the fault that ends the attempt at an environment whose ACTION5 misbehaves."""
    game, _ = await pool.start(source, 0)
    for action in before:
        await game.act(action)
    with pytest.raises(EnvironmentFault) as raised:
        await game.act(MISBEHAVE)
    assert not game.alive
    with pytest.raises(HostLost):
        await game.act(UP)
    return raised.value


ALONE = {name: attack for name, attack in INTERRUPTED.items() if attack[1] != "forbidden_operation"}
FORBIDDEN = [step for step, code in INTERRUPTED.values() if code == "forbidden_operation"]


@pytest.mark.parametrize(("step", "code"), ALONE.values(), ids=ALONE.keys())
async def test_an_environment_that_can_be_interrupted_ends_alone(
    pool: HostPool, people: list[Person], step: str, code: str
) -> None:
    source = written(step=step)
    neighbour = await neighbour_at(pool, source)
    fault = await fault_of(pool, source)
    assert fault.code == code
    assert [await person.play_on(pool) for person in (*people, neighbour)] == [True, True, True]


async def test_what_is_forbidden_ends_an_environment_alone(pool: HostPool, people: list[Person]) -> None:
    """Each is a method of one version; the number of moves to the right chooses it."""
    attacks = "\n".join(
        f"def attack_{number}(self):\n{indent(step, ' ' * 4)}" for number, step in enumerate(FORBIDDEN)
    )
    choose = "getattr(self, f'attack_{self.current_level.get_sprites()[0].x}')()"
    source = written(step=choose, methods=attacks)
    neighbour = await neighbour_at(pool, source)
    for number, step in enumerate(FORBIDDEN):
        fault = await fault_of(pool, source, moves("4" * number))
        assert fault.code == "forbidden_operation", step
    assert [await person.play_on(pool) for person in (*people, neighbour)] == [True, True, True]


@pytest.mark.parametrize(("step", "code"), TAKES_THE_HOST_ALONG.values(), ids=TAKES_THE_HOST_ALONG.keys())
async def test_an_environment_that_ends_its_host_is_the_only_one_at_fault(
    pool: HostPool, people: list[Person], step: str, code: str
) -> None:
    source = written(step=step)
    neighbour = await neighbour_at(pool, source)
    fault = await fault_of(pool, source)
    assert fault.code == code
    assert [await person.play_on(pool) for person in (*people, neighbour)] == [True, True, False]


async def test_an_environment_that_leaks_memory_is_found(pool: HostPool, people: list[Person]) -> None:
    game, _ = await pool.start(written(step=LEAK), 0)
    with pytest.raises(EnvironmentFault) as raised:
        await act_often(game, 100)
    assert raised.value.code == "memory_exceeded"
    assert [await person.play_on(pool) for person in people] == [True, True]


async def act_often(game: HostedGame, times: int) -> None:
    for _ in range(times):
        await game.act(MISBEHAVE)


async def test_an_environment_that_prints_affects_no_other(pool: HostPool, people: list[Person]) -> None:
    talk = "print('x' * 10_000_000)\nsys.stderr.write('y' * 10_000_000)\nos.write(1, b'z' * 100_000)"
    game, _ = await pool.start(written(step=talk), 0)
    assert (await game.act(MISBEHAVE)).seq == 1
    assert [await person.play_on(pool) for person in people] == [True, True]


async def test_an_environment_can_import_installed_packages_and_read_their_files(pool: HostPool) -> None:
    modules = "import colorsys, statistics, this, numpy.polynomial, concurrent.futures, zoneinfo"
    reads = "import importlib.resources\nopen(importlib.resources.files('numpy') / '__init__.py').read()"
    absent = "try: import nothing_of_this_name\nexcept ImportError: pass"
    game, _ = await pool.start(written(step=f"{modules}\n{reads}\n{absent}"), 0)
    assert (await game.act(MISBEHAVE)).seq == 1
    await game.stop()


async def test_an_environment_that_reads_input_gets_none(pool: HostPool) -> None:
    fault = await fault_of(pool, written(step="input()"))
    assert "EOFError" in fault.message


async def test_an_environment_cannot_read_the_servers_secrets(pool: HostPool) -> None:
    fault = await fault_of(pool, written(step="raise RuntimeError(dict(os.environ))"))
    assert "PYTHONHASHSEED" in fault.message
    for name, value in SECRETS.items():
        assert name not in str(fault.details) + fault.message
        assert value not in str(fault.details) + fault.message


@pytest.mark.parametrize(
    ("construct", "error"), [("while True: pass", "deadline_exceeded"), ("os._exit(0)", "host_died")]
)
async def test_an_environment_that_misbehaves_in_its_constructor_ends_alone(
    pool: HostPool, people: list[Person], construct: str, error: str
) -> None:
    with pytest.raises(EnvironmentFault) as raised:
        await pool.start(written(construct=construct), 0)
    assert raised.value.code == error
    for person in people:
        await person.play_on(pool)


async def test_an_environment_whose_constructor_fails_is_a_broken_source(
    pool: HostPool, people: list[Person]
) -> None:
    with pytest.raises(SourceError) as raised:
        await pool.start(written(construct="1 / 0"), 0)
    assert raised.value.code == "construction_failed"
    assert [await person.play_on(pool) for person in people] == [True, True]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines processes so")
async def test_a_host_has_no_privilege_and_no_network(pool: HostPool, people: list[Person]) -> None:
    for process in (*pool.processes, pool.fork_server):
        lines = shown(f"{process}/status")
        status = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
        assert [status[name].strip("0") for name in ("CapEff", "CapPrm", "CapInh")] == ["", "", ""]
        assert status["NoNewPrivs"] == "1"
        assert (status["Seccomp"] == "2") == (process != pool.fork_server)
        interfaces = shown(f"{process}/net/dev")[2:]
        assert [line.partition(":")[0].strip() for line in interfaces] == ["lo"]


def shown(file: str) -> list[str]:
    """The lines of a file of /proc."""
    return (Path("/proc") / file).read_text().splitlines()
