"""Games on engine hosts give the same turns and are rebuilt from their actions."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import pytest
import pytest_asyncio

from engine.confine.answers import nothing_of
from engine.confine.process import ProcessLimits
from engine.errors import ActionError, EnvironmentFault, HostError, SourceError
from engine.play.actions import Action
from engine.play.frames import decode, keyframe
from engine.play.game import Game
from engine.play.source import Source, from_parts
from playtest.play.hosts.fork_server import ForkServer
from playtest.play.hosts.game import HostedGame
from playtest.play.hosts.pool import HostPool
from playtest.play.hosts.process import HostChecks, HostLost, HostProcess
from tests.engine.sources import MISBEHAVE, RESET, RIGHT, WALK_WINS, environment, lamps, moves, written
from tests.play.processes import runs, wait_for_the_end

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.programs]

WALK = environment("wk01")
WIN = moves("".join(WALK_WINS))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[HostPool]:
    pool = HostPool(1)
    yield pool
    await pool.close()


def hashes(source: Source, seed: int, actions: list[Action]) -> list[bytes]:
    game, opening = Game.start(source, seed)
    return [opening.state_hash, *(game.act(action).state_hash for action in actions)]


@pytest.mark.parametrize(
    ("environment_id", "actions"),
    [
        ("wk01", [RESET, *WIN]),
        ("ck01", [*lamps(1), *lamps(2)[:1], Action(7), *lamps(2)]),
        ("rn01", moves("1520")),
    ],
)
async def test_a_hosted_game_gives_the_same_turns_as_a_local_one(
    pool: HostPool, environment_id: str, actions: list[Action]
) -> None:
    source = environment(environment_id)
    game, local = Game.start(source, 5)
    hosted, turn = await pool.start(source, 5)
    shown = None
    for seq, action in enumerate([None, *actions]):
        if action is not None:
            local, turn = game.act(action), await hosted.act(action)
        assert (turn.seq, turn.state, turn.level, turn.levels) == (
            seq,
            local.state,
            local.level,
            local.levels,
        )
        assert (turn.levels_completed, turn.level_completed) == (
            local.levels_completed,
            local.level_completed,
        )
        assert (turn.available_actions, turn.changed) == (local.available_actions, local.changed)
        assert (turn.full_reset, turn.state_hash) == (local.full_reset, local.state_hash)
        frames = decode(turn.frames.payload, shown)
        assert len(frames) == turn.frame_count == len(local.frames)
        assert all(map(np.array_equal, frames, local.frames))
        shown = frames[-1]
    again = await hosted.keyframe()
    assert (again.frame_count, again.seq) == (1, len(actions))
    assert again.frames.payload == keyframe(local.frames[-1])
    await hosted.stop()


async def test_a_new_level_starts_with_a_keyframe(pool: HostPool) -> None:
    hosted, _ = await pool.start(WALK, 0, WIN[:2])
    game, _ = Game.start(WALK, 0)
    for action in WIN[:3]:
        game.act(action)
    turn = await hosted.act(WIN[2])
    assert turn.level_completed
    assert turn.frames.payload.endswith(keyframe(game.turn.frames[-1]))


async def test_a_game_is_rebuilt_from_its_actions(pool: HostPool) -> None:
    actions = moves("43" * 60 + "444")
    expected = hashes(WALK, 3, actions)
    hosted, turn = await pool.start(WALK, 3, actions, expected_hashes=expected)
    assert (turn.seq, turn.level, turn.frame_count) == (123, 2, 1)
    assert turn.state_hash == expected[-1]
    assert (await hosted.act(moves("2")[0])).seq == 124


@pytest.mark.parametrize("wrong", [0, 1, 77])
async def test_a_rebuild_with_another_result_names_the_entry(pool: HostPool, wrong: int) -> None:
    actions = moves("43" * 40)
    expected = hashes(WALK, 0, actions)
    expected[wrong] = bytes(8)
    with pytest.raises(EnvironmentFault) as raised:
        await pool.start(WALK, 0, actions, expected_hashes=expected)
    assert raised.value.code == "diverged"
    assert (raised.value.details["seq"], raised.value.details["expected"]) == (wrong, "00" * 8)


async def test_a_rebuild_with_an_impossible_action_names_the_entry(pool: HostPool) -> None:
    with pytest.raises(EnvironmentFault) as raised:
        await pool.start(WALK, 0, [RIGHT, Action(5)])
    assert (raised.value.code, raised.value.details["seq"]) == ("diverged", 2)


async def test_a_refused_action_changes_nothing(pool: HostPool) -> None:
    hosted, _ = await pool.start(WALK, 0)
    with pytest.raises(ActionError) as raised:
        await hosted.act(MISBEHAVE)
    assert raised.value.code == "action_unavailable"
    assert hosted.alive
    assert (await hosted.act(RIGHT)).seq == 1


async def test_an_environment_that_does_not_start_says_why(pool: HostPool) -> None:
    broken = from_parts({"game_id": "xx01"}, "import nothing_of_this_name", "somewhere/xx01.py")
    with pytest.raises(SourceError) as raised:
        await pool.start(broken, 0)
    assert (raised.value.code, raised.value.details["file"]) == ("import_failed", "somewhere/xx01.py")
    assert raised.value.message.startswith("somewhere/xx01.py: ")


async def test_an_agent_can_reset_the_whole_game(pool: HostPool) -> None:
    hosted, _ = await pool.start(WALK, 0, WIN, as_arcengine=True)
    assert (await hosted.act(RESET)).full_reset


async def test_games_on_the_same_host_continue_during_a_rebuild(pool: HostPool) -> None:
    slow = written(draw="time.sleep(0.005)")
    neighbour, _ = await pool.start(slow, 0)
    rebuilding = asyncio.create_task(pool.start(slow, 0, moves("43" * 100)))
    await asyncio.sleep(0.05)
    for _ in range(8):
        await neighbour.act(RIGHT)
    assert not rebuilding.done()
    assert (await rebuilding)[0].process == neighbour.process
    assert (await rebuilding)[1].seq == 200


async def test_games_are_spread_over_the_hosts_and_stay_on_theirs() -> None:
    pool = HostPool(2)
    games = [(await pool.start(WALK, 0))[0] for _ in range(4)]
    assert len(set(pool.processes)) == 2
    os.kill(pool.processes[0], signal.SIGKILL)
    outcomes = [await moved(game) for game in games]
    assert sorted(outcomes) == [False, False, True, True]
    await pool.close()


async def moved(game: HostedGame) -> bool:
    try:
        await game.act(RIGHT)
    except HostLost:
        return False
    return True


async def test_a_host_killed_from_outside_is_not_a_fault(pool: HostPool) -> None:
    hosted, _ = await pool.start(written(step="time.sleep(0.5)"), 0)
    lost = hosted.process
    assert lost is not None
    playing = asyncio.create_task(hosted.act(MISBEHAVE))
    await asyncio.sleep(0.05)
    os.kill(lost, signal.SIGKILL)
    with pytest.raises(HostLost):
        await playing
    assert not hosted.alive
    expected = hashes(WALK, 0, WIN[:4])
    _, turn = await pool.start(WALK, 0, WIN[:4], expected_hashes=expected)
    assert turn.state_hash == expected[-1]
    assert lost not in pool.processes


async def test_a_cancelled_call_ends_its_own_game_only(pool: HostPool) -> None:
    neighbour, _ = await pool.start(WALK, 0)
    hosted, _ = await pool.start(written(step="time.sleep(0.2)"), 0)
    playing = asyncio.create_task(hosted.act(MISBEHAVE))
    await asyncio.sleep(0.05)
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert not hosted.alive
    with pytest.raises(HostLost):
        await hosted.act(RIGHT)
    assert (await neighbour.act(RIGHT)).seq == 1


async def test_a_stopped_game_is_lost_and_can_be_stopped_again(pool: HostPool) -> None:
    hosted, _ = await pool.start(WALK, 0)
    await hosted.stop()
    await hosted.stop()
    with pytest.raises(HostLost):
        await hosted.keyframe()


INVALID: list[tuple[dict[str, Any], str]] = [
    ({"op": "dance"}, "bad_request"),
    ({"op": "load", "digest": "", "metadata": {"game_id": "wk01"}, "text": "", "path": ""}, "bad_request"),
    ({"op": "start", "game": 1, "digest": "", "seed": 0, "as_arcengine": False}, "unknown_source"),
    ({"op": "keyframe", "game": 1}, "unknown_game"),
]


async def test_a_host_refuses_invalid_requests_and_goes_on() -> None:
    forks = ForkServer(ProcessLimits())
    host = HostProcess(forks, HostChecks(), lambda _: None)
    for request, code in INVALID:
        error = await host.send(request, 10, nothing_of)
        assert isinstance(error, HostError)
        assert error.code == code
    await host.close()
    await forks.close()


async def test_the_forking_process_starts_before_there_is_a_loop_and_forks_then() -> None:
    used, unused = ForkServer(ProcessLimits()), ForkServer(ProcessLimits())
    for forks in (used, used, unused):
        forks.launch()
    process, other = used.pid, unused.pid
    assert process is not None
    assert other is not None
    host = HostProcess(used, HostChecks(), lambda _: None)
    assert isinstance(await host.send({"op": "dance"}, 10, nothing_of), HostError)
    assert used.pid == process
    await host.close()
    for forks in (used, unused):
        await forks.close()
    assert not runs(process)
    assert not runs(other)


async def test_closing_the_pool_ends_its_processes() -> None:
    pool = HostPool(1, deadline_seconds=60)
    hosted, _ = await pool.start(written(step="time.sleep(60)"), 0)
    (process,) = pool.processes
    playing = asyncio.create_task(hosted.act(MISBEHAVE))
    await asyncio.sleep(0.05)
    await pool.close()
    with pytest.raises(HostLost):
        await playing
    with pytest.raises(HostLost):
        await pool.start(WALK, 0)
    assert not runs(process)


_SERVER = """
import asyncio, sys
import django
django.setup()
from playtest.play.hosts.pool import HostPool
from tests.engine.sources import MISBEHAVE, written

async def main():
    pool = HostPool(1, deadline_seconds=600)
    games = [(await pool.start(written(step=step), 0))[0] for step in sys.argv[1:]]
    print(pool.fork_server, *(game.process for game in games), flush=True)
    await asyncio.gather(*(game.act(MISBEHAVE) for game in games))

asyncio.run(main())
"""


STUBBORN = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
IN_C = "sum(range(10**13))"


async def test_a_host_does_not_outlive_its_server() -> None:
    pipe = asyncio.subprocess.PIPE
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", _SERVER, STUBBORN, IN_C, stdout=pipe)
    assert server.stdout is not None
    processes = {int(number) for number in (await server.stdout.readline()).split()}
    assert len(processes) == 3
    assert all(runs(process) for process in processes)
    server.kill()
    await server.wait()
    for process in processes:
        await asyncio.to_thread(wait_for_the_end, process)


async def test_hosts_end_with_the_forking_process_and_are_forked_again() -> None:
    pool = HostPool(1, deadline_seconds=600)
    hosted, _ = await pool.start(written(step=IN_C), 0)
    neighbour, _ = await pool.start(WALK, 0)
    lost, forked_by = pool.processes, pool.fork_server
    playing = asyncio.create_task(hosted.act(MISBEHAVE))
    await asyncio.sleep(0.1)
    assert forked_by is not None
    os.kill(forked_by, signal.SIGKILL)
    with pytest.raises(HostLost):
        await playing
    for process in lost:
        await asyncio.to_thread(wait_for_the_end, process)
    with pytest.raises(HostLost):
        await neighbour.act(RIGHT)
    again, _ = await pool.start(WALK, 0)
    assert (await again.act(RIGHT)).seq == 1
    assert pool.fork_server not in (None, forked_by)
    await pool.close()
