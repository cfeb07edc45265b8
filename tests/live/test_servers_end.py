"""A server that is told to end gives its people to another; one that is killed is an outage."""

import asyncio
import errno
import os
import signal
import socket
import time
from collections.abc import Callable

import pytest

from tests.live.games import WALK
from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import Server
from tests.live.station import Station, same
from tests.setup.test_health import answers, ready
from tools.processes import children, send

RESTARTING = 4012


def ready_in_time(port: int) -> bool:
    """Whether `/readyz` says so after a while: the first engine host takes a moment."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while ready(port) == (503, ["no_engine_host"]) and time.monotonic() < deadline:
        time.sleep(0.1)
    return ready(port) == (200, [])


@pytest.mark.long
async def test_people_play_on_in_another_process(make_server: Callable[..., Server]) -> None:
    server = make_server()
    ports = server.start(), server.start()
    people = server.seed(pool=["wk01"], people=3)["people"]
    assert await asyncio.to_thread(ready_in_time, ports[0])
    before = [Station(ports[0], person["seat"]) for person in people]
    for station in before:
        await station.__aenter__()
        await station.begin()
        for action in WALK[:3]:
            await station.act(action)
    # One more action of each arrives before the process is told to end, or just after.
    await asyncio.gather(*(station.send_action(WALK[3]) for station in before))
    ending = server.processes.pop(ports[0])
    os.kill(ending.pid, signal.SIGTERM)
    assert [await station.hear_close() for station in before] == [RESTARTING] * 3
    began = time.monotonic()
    for station, person in zip(before, people, strict=True):
        async with Station(ports[1], person["seat"]) as again:
            turn = await again.begin()
            assert turn.sequence == station.sequence, "what was answered is kept, and nothing beside it"
            assert same(again.frame, station.frame)
            for action in WALK[turn.sequence :]:
                turn = await again.act(action)
            assert turn.state == 1
    assert time.monotonic() - began < PATIENCE_SECONDS
    assert await asyncio.to_thread(ending.wait, PATIENCE_SECONDS) == 0
    assert not answers(ports[0])
    assert "3 checked, 0 differ" in server.command("verify_attempts")
    kinds = [kind for (kind,) in server.rows("SELECT kind FROM play_event WHERE kind = 'disconnected'")]
    assert len(kinds) == 6, "each connection's end is recorded, also in the process that ended"


@pytest.mark.once
async def test_a_process_that_drains_refuses_connections_and_answers_what_arrived(
    make_server: Callable[..., Server],
) -> None:
    server = make_server(ENGINE_DEADLINE_SECONDS="30")
    port = server.start()
    people = server.seed(pool=["wk01"], people=2)["people"]
    async with Station(port, people[0]["seat"]) as waiting, Station(port, people[1]["seat"]) as other:
        await waiting.begin()
        await other.begin()
        ending = server.processes.pop(port)
        hosts = [host for fork_server in children(ending.pid) for host in children(fork_server)]
        assert all(send(host, signal.SIGSTOP) for host in hosts)
        await waiting.send_action(WALK[0])  # nobody answers it for now, so the process cannot end yet
        os.kill(ending.pid, signal.SIGTERM)
        assert await other.hear_close() == RESTARTING
        with socket.socket() as client:
            assert client.connect_ex(("127.0.0.1", port)) == errno.ECONNREFUSED
        assert ending.poll() is None
        assert all(send(host, signal.SIGCONT) for host in hosts)
        assert (await waiting.hear_turn()).sequence == 1
        assert await waiting.hear_close() == RESTARTING
    assert await asyncio.to_thread(ending.wait, PATIENCE_SECONDS) == 0


def pauses(server: Server) -> list[tuple[str, ...]]:
    return server.rows("SELECT kind FROM play_event WHERE kind IN ('paused', 'resumed') ORDER BY id")


@pytest.mark.long
def test_a_short_time_without_any_server_is_an_outage(make_server: Callable[..., Server]) -> None:
    server = make_server()
    ports = [server.start(), server.start()]
    server.seed(pool=["wk01"], stage="playing")
    for port in ports:
        server.kill(port)
    server.start(port=ports[0])
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not pauses(server) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert pauses(server) == [("paused",), ("resumed",)]
    assert "0 findings" in server.manage("audit")
