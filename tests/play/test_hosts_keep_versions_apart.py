"""An environment that changes its process or its answers affects no other version.

Foreign code can undo all that Python forbids, so these do: what holds is that versions share no process, and
that nothing of an answer is believed before it was checked.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio

from engine.errors import EnvironmentFault
from engine.play.actions import Action
from engine.play.game import Game
from engine.play.source import Source
from engine.play.turns import EncodedTurn
from playtest.play.hosts.game import HostedGame
from playtest.play.hosts.pool import HostPool
from playtest.play.hosts.process import HostLost
from tests.engine.sources import MISBEHAVE, RIGHT, environment, lamps, moves, written

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.programs]

TAMPERS = {
    "patches the rules of all": "ARCBaseGame.step = ARCBaseGame.next_level = lambda self: 1 / 0",
    "patches how all are played": "ARCBaseGame.perform_action = lambda *given, **named: time.sleep(600)",
    "patches how all are drawn": "Camera.render = lambda self, sprites: np.zeros((64, 64), dtype=np.uint8)",
    "changes everybody's score": (
        "import gc\n"
        "for found in gc.get_objects():\n"
        "    if isinstance(found, ARCBaseGame) and found is not self:\n"
        "        found._score = 5"
    ),
    "changes everybody's chance": "random.seed = np.random.seed = lambda *given: None",
}

HOST = """
names = sys._getframe()
while "_described" not in names.f_globals or "Host" not in names.f_globals:
    names = names.f_back
host = names.f_globals
described, packed = host["_described"], host["packed"]
"""
FORGES = {
    "text for frames": "host['_described'] = lambda *given: described(*given) | {'frames': 'text'}",
    "no number": "host['packed'] = lambda answer: packed({**answer, 'number': None})",
    "the next request's number": (
        "host['packed'] = lambda answer: packed({**answer, 'number': answer.get('number', 0) + 1})"
    ),
    "an error that there is not": "host['packed'] = lambda answer: packed({**answer, 'error': {}})",
    "more than anybody reads": "host['packed'] = lambda answer: bytes([255, 255, 255, 127])",
    "an answer to nobody, before its own": (
        "host['packed'] = lambda answer: packed({**answer, 'number': 0}) + packed(answer)"
    ),
}
"""One of each kind; `tests/engine/test_answers.py` has every wrong field and every wrong error."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[HostPool]:
    pool = HostPool(1, grace_seconds=0.5)
    yield pool
    await pool.close()


@dataclass
class Person:
    """A person during an attempt."""

    source: Source
    actions: list[Action]
    game: HostedGame
    made: int = 0

    async def play_on(self) -> None:
        """Makes the next action and checks that its turn is the same as without neighbours."""
        turn = await self.game.act(self.actions[self.made])
        self.made += 1
        assert (turn.seq, turn.state_hash) == (self.made, state_hash(self.source, self.actions[: self.made]))


def state_hash(source: Source, actions: list[Action]) -> bytes:
    game, _ = Game.start(source, 0)
    for action in actions:
        game.act(action)
    return game.turn.state_hash


async def join(pool: HostPool, source: Source, actions: list[Action]) -> Person:
    person = Person(source, actions, (await pool.start(source, 0))[0])
    await person.play_on()
    return person


@pytest_asyncio.fixture(loop_scope="module")
async def people(pool: HostPool) -> AsyncIterator[list[Person]]:
    """People in other environments: one with keys, one with clicks, one with randomness."""
    played = [
        (environment("wk01"), moves("444222")),
        (environment("ck01"), [*lamps(1), *lamps(2)]),
        (environment("rn01"), moves("15215")),
    ]
    people = [await join(pool, source, actions) for source, actions in played]
    yield people
    for person in people:
        await person.game.stop()


@pytest.mark.parametrize("step", TAMPERS.values(), ids=TAMPERS.keys())
async def test_changes_in_the_process_of_a_version_do_not_affect_another(
    pool: HostPool, people: list[Person], step: str
) -> None:
    game, _ = await pool.start(written(step=f"from arcengine import Camera\n{step}"), 0)
    await game.act(MISBEHAVE)
    for person in people:
        await person.play_on()
        await person.play_on()
    await game.stop()
    assert not {person.game.process for person in people} & {game.process}


@pytest.mark.parametrize("step", FORGES.values(), ids=FORGES.keys())
async def test_an_invalid_answer_ends_the_attempt_that_sent_it(
    pool: HostPool, people: list[Person], step: str
) -> None:
    game, _ = await pool.start(written(step=HOST + step), 0)
    await game.act(RIGHT)
    with pytest.raises(EnvironmentFault) as raised:
        await game.act(MISBEHAVE)
    assert raised.value.code == "host_died"
    assert not game.alive
    for person in people:
        await person.play_on()


async def test_a_game_that_answers_twice_is_found_by_its_second_answer(pool: HostPool) -> None:
    """The first answer is accepted; a waiting neighbour is not blamed for the second."""
    source = written(step=HOST + "host['packed'] = lambda answer: packed(answer) * 2")
    neighbour, _ = await pool.start(source, 0)
    game, _ = await pool.start(source, 0)
    assert game.process == neighbour.process
    first, lost = await asyncio.gather(game.act(MISBEHAVE), neighbour.act(RIGHT), return_exceptions=True)
    assert isinstance(first, EncodedTurn)
    assert isinstance(lost, HostLost)
    assert not neighbour.alive
    assert game.alive
    with pytest.raises(EnvironmentFault) as raised:
        await game.act(RIGHT)
    assert raised.value.code == "host_died"
    assert not game.alive
    again, _ = await pool.start(source, 0)
    assert (await again.act(RIGHT)).seq == 1
