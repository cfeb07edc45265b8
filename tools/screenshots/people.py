"""Simulated play for the pictures: recorded solutions with random actions before each level."""

import asyncio
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import batched, pairwise
from pathlib import Path
from typing import Any

from engine.play.actions import CLICK, Action
from engine.play.recording import Recording
from tests.live.server import Server
from tests.live.station import Station, Turn
from tools.games import won_in

PACE_SECONDS = 0.03  # the server takes no more than fifty messages a second from one page
MOST_DETOUR = 14
AT_ONCE = 5

type Solution = list[list[Action]]
"""The actions that complete each level, level by level."""


@dataclass(frozen=True)
class Crowd:
    """People who play some environments, by their ids.

    Of ten, `solvers` get to the end of each; the others leave after `least` levels or up to two more.
    """

    solutions: dict[str, Solution]
    solvers: int
    least: int

    @classmethod
    def at(cls, environments: Iterable[Path], *, solvers: int, least: int) -> "Crowd":
        won = {environment.name: solution_of(won_in(environment)) for environment in environments}
        return cls(won, solvers, least)

    def play(self, server: Server, port: int, people: Sequence[dict[str, Any]]) -> None:
        """Plays a few people at a time, each until no environment is left."""
        for group in batched(enumerate(people), AT_ONCE):
            asyncio.run(self._side_by_side(server, port, group))

    async def _side_by_side(
        self, server: Server, port: int, people: Iterable[tuple[int, dict[str, Any]]]
    ) -> None:
        await asyncio.gather(*(self._sit(server, port, person, number) for number, person in people))

    async def _sit(self, server: Server, port: int, person: dict[str, Any], number: int) -> None:
        chance = random.Random(number)
        async with Station(port, person["seat"]) as station:
            turn = await station.begin()
            for place in range(len(self.solutions)):
                if place:
                    turn = await station.begin_next()
                code = _environment(server, person["session"], station.attempt)
                await self._try(station, turn, code, number, chance)
                status = await station.hear_text("session")
                assert status["stage"] == ("over" if place + 1 == len(self.solutions) else "pause")

    async def _try(self, station: Station, turn: Turn, code: str, number: int, chance: random.Random) -> None:
        solution, place = self.solutions[code], sorted(self.solutions).index(code)
        if (number + 3 * place) % 10 < self.solvers:
            await _play(station, turn, solution, chance)
        else:
            await _play(station, turn, solution[: self.least + chance.randrange(3)], chance)
            await station.say("give_up", attempt=station.attempt)


def _environment(server: Server, session: int, number: int) -> str:
    """The id of the environment of an attempt, by its number in the session: no page tells it."""
    query = (
        "SELECT e.code FROM play_attempt a JOIN studio_environment e ON e.id = a.environment_id"
        f" WHERE a.session_id = {session} AND a.number = {number}"
    )
    return str(server.rows(query)[0][0])


def solution_of(won: Recording) -> Solution:
    solution: Solution = [[]]
    for before, turn in pairwise(won.turns):
        solution[-1].append(turn.action)
        if turn.levels_completed > before.levels_completed:
            solution.append([])
    return [level for level in solution if level]


async def _play(station: Station, turn: Turn, solution: Solution, chance: random.Random) -> None:
    for level in solution:
        if detour := chance.randrange(MOST_DETOUR):
            turn = await _stray(station, turn, detour, chance)
            if turn.level_completed:  # by luck
                continue
            await _act(station, Action(0))
        for action in level:
            turn = await _act(station, action)


async def _stray(station: Station, turn: Turn, actions: int, chance: random.Random) -> Turn:
    """Plays random actions until the level ends."""
    available = [action for action in range(1, 8) if turn.available >> action & 1]
    for _ in range(actions):
        action = chance.choice(available)
        cell = (chance.randrange(64), chance.randrange(64)) if action == CLICK else ()
        turn = await _act(station, Action(action, *cell))
        if turn.level_completed or turn.state:
            break
    return turn


async def _act(station: Station, action: Action) -> Turn:
    await asyncio.sleep(PACE_SECONDS)
    return await station.act(action.id, action.x or 0, action.y or 0)
