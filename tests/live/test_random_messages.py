"""Whatever arrives over a socket or at the API, nothing of the server fails, and it goes on serving."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest
import requests
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from playtest.arena.api.http import SOCKET_PATH
from tests.fuzz import values
from tests.live.arena import Arena
from tests.live.server import Server
from tests.live.station import action_message
from tests.live.test_idle_stations import cookies

pytestmark = pytest.mark.once

MESSAGES = int(os.environ.get("FUZZ_MESSAGES", "100"))
LONGEST = 6_000
KINDS = [
    *(
        "next",
        "give_up",
        "set_aside",
        "take_up",
        "finish",
        "prompt_answered",
        "observed",
        "ping",
        "act",
        "hello",
        "watch",
        "sees",
        "confirm",
    ),
    *("key", "RESET", "ACTION1", "subscribe", "auth", "view", "call", "received"),
]
NAMES = [
    *("type", "attempt", "answer", "event", "round_trip_ms", "sessions", "boards", "id", "path", "body"),
    *("game_id", "card_id", "guid", "key", "x", "y", "reasoning", "at", "sequence", "tags", "source_url"),
]
PATHS = [
    *("/scorecard/open", "/scorecard/close", "/scorecard/heartbeat", "/cmd/RESET", "/cmd/ACTION1"),
    *("/cmd/ACTION6", "/cmd/ACTION8", "/games", "/games/{}", "/games/{}/source", "/scorecard/{}"),
    *("/scorecard/{}/{}", "/recordings/{}/{}", "/healthcheck", "/openapi.json", "/{}", ""),
]


def message(chance: random.Random) -> str | bytes:
    kind = chance.random()
    if kind < 0.3:
        good = bytearray(action_message(chance.randint(0, 9), sequence=chance.randint(0, 3), attempt=1))
        for _ in range(chance.randint(0, 4)):
            good[chance.randrange(len(good))] = chance.randrange(256)
        return bytes(good[: chance.choice([len(good), len(good) - 1, 1])])
    if kind < 0.45:
        return chance.randbytes(chance.choice([0, 1, 22, 46, 2000]))
    if kind < 0.55:
        return chance.choice(["", "{", "[" * 3000, "null", "NaN", "\x00", '{"type":' * 200, "1" * 5000])
    fields = {name: chance.choice(values.JSON_VALUES) for name in chance.sample(NAMES, chance.randint(0, 4))}
    return json.dumps({"type": chance.choice(KINDS)} | fields)


def spoken(port: int, path: str, headers: dict[str, str], chance: random.Random, count: int) -> int:
    """Sends messages, over as many connections as that takes; how many were sent."""
    sent = 0
    while sent < count:
        with connect(
            f"ws://127.0.0.1:{port}{path}",
            origin=Origin(f"http://127.0.0.1:{port}"),
            additional_headers=headers,
        ) as socket:
            try:
                for _ in range(20):
                    socket.send(message(chance))
                    sent += 1
                socket.ping()
            except ConnectionClosed:
                sent += 1
    return sent


def test_no_message_of_a_page_fails(server: Server, port: int) -> None:
    chance = random.Random(os.environ.get("FUZZ_SEED", "1"))
    person: dict[str, Any] = server.seed(pool=["wk01"], stage="playing")["people"][0]
    lead = server.staff(port, "lead").cookie("sessionid")
    [station] = cookies(server, 7501)
    sockets = {
        "/ws/session/": f"seat={person['seat']}",
        "/ws/station/": f"station={station}",
        "/ws/wall/": f"sessionid={lead}",
    }
    before = len(server.log())
    for path, cookie in sockets.items():
        assert spoken(port, path, {"Cookie": cookie}, chance, MESSAGES) >= MESSAGES
    assert "Traceback" not in server.log()[before:]
    assert requests.get(f"http://127.0.0.1:{port}/healthz", timeout=20).status_code == 200


@pytest.mark.long
def test_no_request_of_an_agent_fails(arena: Arena) -> None:
    chance = random.Random(os.environ.get("FUZZ_SEED", "1"))
    agent = arena.agent("public")
    card = agent.open()
    guid = agent.reset(card, "wk01-00000001").json()["guid"]
    known = [card, guid, "wk01-00000001", "wk01"]
    for _ in range(MESSAGES):
        path = chance.choice(PATHS)
        while "{}" in path:
            path = path.replace("{}", values.part(chance, known), 1)
        body = values.body_of_json(chance, NAMES)
        if chance.random() < 0.5:
            given = {"game_id": "wk01-00000001", "card_id": card, "guid": guid}
            given[chance.choice(NAMES)] = chance.choice(values.JSON_VALUES)
            body = json.dumps(given).encode()
        method = chance.choice(["GET", "POST", "POST", "PUT", "HEAD"])
        query = values.part(chance, known)[:LONGEST]  # a longer line is cut off before it is read
        answer = agent.session.request(
            method,
            f"{agent.root}{path[:LONGEST]}?{query}",
            data=body,
            headers={"Content-Type": chance.choice(values.TYPES)},
            timeout=20,
        )
        assert answer.status_code < 500, (path, body[:300], answer.text[:300])
    key = agent.session.headers["X-API-Key"]
    port = int(agent.root.rpartition(":")[2].partition("/")[0])
    headers = {"X-API-Key": str(key)}
    assert spoken(port, SOCKET_PATH, headers, chance, MESSAGES) >= MESSAGES
    assert "Traceback" not in arena.server.log()
    fresh = agent.open()  # any request may have closed the other card
    assert agent.reset(fresh, "wk01-00000001").status_code == 200
