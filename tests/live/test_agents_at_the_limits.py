"""Agents that send too much, wait too long or ask for recordings, and the examples of the document."""

import asyncio
import json
import re
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from engine.play.recording import read
from tests.live.arena import Agent, Arena
from tests.live.games import WALK
from tests.live.server import ROOT
from tests.live.station import Station

pytestmark = pytest.mark.once

WALKED, PRIVATE_GAME = "wk01-00000001", "ft01-00000001"


@pytest.fixture
def agent(arena: Arena) -> Agent:
    return arena.agent()


def key_of(agent: Agent) -> str:
    return str(agent.session.headers["X-API-Key"])


def started(agent: Agent, game: str = WALKED, **opened: Any) -> tuple[str, str]:
    """A card and a run on it."""
    card = agent.open(**opened)
    answer = agent.reset(card, game)
    assert answer.status_code == 200, answer.text
    return card, str(answer.json()["guid"])


def flood(port: int, key: str, guid: str, count: int) -> bytes:
    """Sends so many actions at once over one connection; everything that is answered."""
    body = json.dumps({"game_id": WALKED, "guid": guid})
    head = f"POST /api/cmd/ACTION2 HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\n"
    head += "X-Forwarded-For: 10.1.2.3\r\n"  # on the machine of the server alone there is no limit
    head += f"Content-Length: {len(body)}\r\n"
    last = f"{head}Connection: close\r\n\r\n{body}"
    with (
        socket.create_connection(("127.0.0.1", port), timeout=60) as connection,
        ThreadPoolExecutor(1) as pool,
    ):
        sent = pool.submit(connection.sendall, (f"{head}\r\n{body}" * (count - 1) + last).encode())
        answers = b"".join(iter(lambda: connection.recv(1 << 20), b""))
        sent.result()
    return answers


@pytest.mark.long
async def test_a_key_beyond_its_limit_is_refused_and_a_person_plays_on(arena: Arena) -> None:
    seeded = arena.server.seed(games=str(arena.games), pool=["wk01"], stage="playing")["people"][0]
    agent = arena.agent(per_minute=60)
    _, guid = await asyncio.to_thread(started, agent)
    async with Station(arena.port, seeded["seat"]) as person:
        await person.begin()
        pool, loop = ThreadPoolExecutor(40), asyncio.get_running_loop()
        floods = [loop.run_in_executor(pool, flood, arena.port, key_of(agent), guid, 3) for _ in range(40)]
        turns = [await person.act(action) for action in WALK]
        answers = b"".join([await one for one in floods])
    assert [turn.sequence for turn in turns] == list(range(1, len(WALK) + 1))
    assert turns[-1].state == 1  # won
    carried_out = answers.count(b"HTTP/1.1 200 ")
    assert 18 <= carried_out <= 60, "ten at once, and those that were held for their turn"
    assert answers.count(b"HTTP/1.1 429 ") == 120 - carried_out
    assert answers.count(b'"error":"RATE_LIMIT_EXCEEDED"') == 120 - carried_out
    waits = [int(wait) for wait in re.findall(rb"(?i)retry-after: (\d+)", answers)]
    assert len(waits) == 120 - carried_out
    assert 0 < min(waits) <= max(waits) <= 60
    assert entries(arena, guid) == carried_out


def entries(arena: Arena, guid: str) -> int:
    """How many actions of a run are recorded."""
    ((count,),) = arena.server.rows(
        "SELECT count(*) FROM play_entry WHERE seq > 0 AND attempt_id IN (SELECT attempt_id FROM arena_play"
        f" WHERE run_id IN (SELECT id FROM arena_run WHERE guid IN ('{guid}', '{guid.replace('-', '')}')))"
    )
    return int(count)


def test_a_card_closes_when_it_is_idle(agent: Agent, arena: Arena) -> None:
    """`tests/arena/api/test_cards_close.py` has all that closes one."""
    card, guid = started(agent)
    assert agent.act(4, WALKED, guid).ok
    arena.server.seed(card=card, used=14.5, opened=0.9)
    assert agent.get(f"/scorecard/{card}").json()["total_actions"] == 1
    assert agent.act(4, WALKED, guid).ok
    arena.server.seed(card=card, used=15, opened=1)
    assert agent.get(f"/scorecard/{card}").json()["total_actions"] == 2
    refusals = [
        agent.act(4, WALKED, guid),
        agent.reset(card, WALKED, guid),
        agent.reset(card, WALKED),
        agent.post("/scorecard/heartbeat", {"card_id": card}),
    ]
    assert [answer.status_code for answer in refusals] == [400] * 4
    assert all("15 minutes" in answer.json()["message"] for answer in refusals)
    assert agent.close(card)["total_actions"] == 2


def test_a_heartbeat_keeps_a_card_open(agent: Agent, arena: Arena) -> None:
    card = agent.open()
    arena.server.seed(card=card, used=14.9, opened=1)
    ids = f"('{card}', '{card.replace('-', '')}')"
    used = f"SELECT used_at FROM arena_scorecard WHERE card_id IN {ids}"
    ((before,),) = arena.server.rows(used)
    assert agent.post("/scorecard/heartbeat", {"card_id": card}).json() == {"card_id": card}
    ((after,),) = arena.server.rows(used)
    assert after > before
    assert agent.reset(card, WALKED).ok


def test_a_recording_has_every_play_of_a_run(agent: Agent, arena: Arena) -> None:
    card, guid = started(agent)
    assert agent.act(4, WALKED, guid, reasoning={"output": "right"}).ok
    assert [agent.reset(card, WALKED, guid).ok for _ in range(2)] == [True, True]  # the level, then all
    turns = [agent.act(action, WALKED, guid).json() for action in WALK]
    address = f"/recordings/{WALKED}/{guid}"
    answer = agent.get(address)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/x-ndjson")
    lines = [json.loads(line)["data"] for line in answer.text.splitlines()]
    names = [line["action_input"]["id"] for line in lines]
    assert names == ["RESET", "ACTION4", "RESET", "RESET", *(f"ACTION{action}" for action in WALK)]
    assert [line["full_reset"] for line in lines[:5]] == [True, False, False, True, False]
    assert lines[1]["action_input"]["reasoning"] == {"output": "right"}
    assert [line["frame"] for line in lines[4:]] == [turn["frame"] for turn in turns]
    assert {line["guid"] for line in lines} == {guid}
    recording = read(answer.text.splitlines())
    assert recording.turns[-1].state == "WIN"
    assert agent.get(f"/recordings/wk01/{guid}", headers={"Accept-Encoding": "identity"}).text == answer.text
    for stranger, path in (
        (arena.agent(), address),
        (agent, f"/recordings/ck01-00000001/{guid}"),
        (agent, f"/recordings/{WALKED}/{card}"),
        (agent, f"/recordings/{WALKED}/nothing"),
    ):
        assert stranger.get(path).status_code == 404


def test_a_private_set_gives_no_recording(arena: Arena) -> None:
    agent = arena.agent("private")
    _, guid = started(agent, PRIVATE_GAME)
    answer = agent.get(f"/recordings/{PRIVATE_GAME}/{guid}")
    assert (answer.status_code, answer.json()["error"]) == (404, "GAME_NOT_AVAILABLE_ERROR")


def test_the_examples_with_curl_in_the_document_work(agent: Agent, arena: Arena) -> None:
    document = (ROOT / "docs/api.md").read_text()
    commands = re.findall(r"^\$ (curl .*)$", document.partition("## Addresses")[0], re.MULTILINE)
    known = {"ws72-ba0c8c4d": "ws72-00000001"}
    answers = []
    for command in commands:
        for example, real in known.items():
            command = command.replace(example, real)
        environment = {
            "URL": f"http://127.0.0.1:{arena.port}/api",
            "KEY": key_of(agent),
            "PATH": "/usr/bin:/bin",
        }
        done = subprocess.run(
            command, shell=True, env=environment, capture_output=True, text=True, check=True
        )
        answers.append(json.loads(done.stdout))
        if "card_id" in answers[-1]:
            known.setdefault("1a5f0c53-...", answers[-1]["card_id"])
        if "guid" in answers[-1]:
            known.setdefault("8d0f...", answers[-1]["guid"])
    games, opened, *turns, closed = answers
    assert "ws72-00000001" in [game["game_id"] for game in games]
    assert list(opened) == ["card_id"]
    assert [turn["action_input"]["id"] for turn in turns] == [0, 1, 6]
    assert (closed["card_id"], closed["total_actions"]) == (opened["card_id"], 2)
