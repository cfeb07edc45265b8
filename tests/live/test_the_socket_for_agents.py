"""Agents over the WebSocket play by the rules of REST, whatever is sent and whenever the connection ends."""

import json
import os
import re
import struct
import subprocess
import sys
import time
import uuid
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as connect_socket

from engine.play.frames import Frame, decode
from engine.play.turns import STATES
from tests.live.arena import Agent, Arena, without_ids
from tests.live.games import WALK
from tests.live.server import ROOT

pytestmark = pytest.mark.once

WALKED = "wk01-00000001"
ACTION, TURN = struct.Struct("<BBBBIQ16s"), struct.Struct("<BBHIIBBBB16s")


class Shown(NamedTuple):
    """One turn as a client reads it."""

    flags: int
    request: int
    sequence: int
    state: str
    levels_completed: int
    available: list[int]
    frames: list[Frame]


class Client:
    """A client written from docs/api.md."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self._number = 0
        self._shown: dict[bytes, Frame] = {}

    def ask(self, path: str, method: str = "POST", *, key: str = "", **body: Any) -> dict[str, Any]:
        """The text answer of a request."""
        self._number += 1
        asked = {"id": self._number, "method": method, "path": path, "body": body}
        self.socket.send(json.dumps(asked | ({"idempotency_key": key} if key else {})))
        answer = self.read()
        assert answer["id"] == self._number
        return answer

    def act(self, guid: str, action: int, x: int = 0, y: int = 0, *, key: int = 0) -> Any:
        """A turn, or the text answer of an action that was refused."""
        self._number += 1
        self.socket.send(ACTION.pack(1, action, x, y, self._number, key, uuid.UUID(guid).bytes))
        answer = self.socket.recv(20)
        if isinstance(answer, str):
            assert json.loads(answer)["id"] == self._number
            return json.loads(answer)
        turn = self.turn(answer)
        assert turn.request == self._number
        return turn

    def start(self, game: str = WALKED, **opened: Any) -> tuple[str, str]:
        """A card and a run on it; its opening is read."""
        card = self.ask("/api/scorecard/open", **opened)["body"]["card_id"]
        begun = self.ask("/api/cmd/RESET", game_id=game, card_id=card)
        assert begun["status"] == 200
        assert self.turn().sequence == 0
        return card, begun["body"]["guid"]

    def read(self) -> dict[str, Any]:
        return dict(json.loads(self.socket.recv(20)))

    def turn(self, message: Any = None) -> Shown:
        message = message or self.socket.recv(20)
        _, flags, count, request, sequence, _, completed, state, available, guid = TURN.unpack_from(message)
        payload = zlib.decompress(message[TURN.size :]) if flags & 8 else message[TURN.size :]
        frames = decode(payload, self._shown.get(guid))
        assert len(frames) == count
        self._shown[guid] = frames[-1]
        actions = [action for action in range(1, 8) if available >> action & 1]
        return Shown(flags, request, sequence, STATES[state], completed, actions, frames)


class Both(NamedTuple):
    """The socket and REST with one key."""

    client: Client
    agent: Agent
    connect: Callable[..., Client]
    key: str
    key_pk: int


FORWARDED = {"X-Forwarded-For": "10.1.2.3"}
"""On the machine of a server that only it can reach there is no limit."""


@pytest.fixture
def open_socket(arena: Arena) -> Iterator[Callable[..., Client]]:
    address = f"ws://127.0.0.1:{arena.port}/api/socket"
    with ExitStack() as opened:

        def connect(key: str | None) -> Client:
            headers = FORWARDED if key is None else {"X-API-Key": key} | FORWARDED
            made = connect_socket(address, additional_headers=headers, max_size=None, close_timeout=1)
            return Client(opened.enter_context(made))

        yield connect


@pytest.fixture
def make_both(arena: Arena, open_socket: Callable[..., Client]) -> Callable[..., Both]:
    def make(per_minute: int = 1_000_000, sets: str = "public") -> Both:
        made = arena.server.seed(key=[sets], per_minute=per_minute)
        client = open_socket(made["key"])
        return Both(client, Agent(arena.port, made["key"]), open_socket, made["key"], made["pk"])

    return make


@pytest.fixture
def both(make_both: Callable[..., Both]) -> Both:
    return make_both()


def send_and_read(socket: ClientConnection, message: bytes) -> None:
    socket.send(message)
    socket.recv(20)


def closed_with(socket: ClientConnection) -> int | None:
    """The code with which the server closes; the messages before it are read."""
    try:
        while True:
            socket.recv(20)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def actions_of(agent: Agent, card: str) -> int:
    return int(agent.get(f"/scorecard/{card}").json()["total_actions"])


def refused(answer: Any) -> tuple[int, str]:
    """Status and code of an answer that is a refusal with a sentence."""
    assert isinstance(answer, dict), answer
    assert answer["body"]["message"]
    return answer["status"], answer["body"]["error"]


def test_the_same_actions_have_the_same_result_as_over_rest(both: Both) -> None:
    clicks = [(6, x, y) for x, y in ((3, 5), (40, 20), (63, 0))]
    for game, played in ((WALKED, [*WALK[:7], 5, 0, 0, 4]), ("ws72", [1, 2, 3, 4, 0])):
        actions = [(action, 0, 0) for action in played] + clicks
        card, guid = both.client.start(game, tags=["same"])
        told = both.agent.open(tags=["same"])
        rest = both.agent.reset(told, game).json()["guid"]
        for action, x, y in actions:
            turn = both.client.act(guid, action, x, y)
            cell = {"x": x, "y": y} if action == 6 else {}
            answer = (
                both.agent.reset(told, game, rest)
                if action == 0
                else both.agent.act(action, game, rest, **cell)
            )
            said, headers = answer.json(), answer.headers
            assert [frame.tolist() for frame in turn.frames] == said["frame"]
            assert (turn.state, turn.levels_completed) == (said["state"], said["levels_completed"])
            assert turn.available == said["available_actions"]
            assert [bool(turn.flags & bit) for bit in (4, 16)] == [
                name in headers for name in ("X-Full-Reset", "X-Unavailable-Action")
            ]
        mine = both.client.ask("/api/scorecard/close", card_id=card)["body"]
        assert without_ids(mine) == without_ids(both.agent.close(told))
        assert mine["total_actions"] > 5


def test_a_run_goes_on_over_rest_and_comes_back(both: Both) -> None:
    card, guid = both.client.start()
    assert both.client.act(guid, 4).sequence == 1
    over_rest = both.agent.act(4, WALKED, guid).json()
    turn = both.client.act(guid, 4)  # its first frame does not follow what the socket has shown
    assert (turn.sequence, turn.levels_completed, over_rest["levels_completed"]) == (3, 1, 0)
    answer = both.client.ask("/api/cmd/ACTION2", game_id=WALKED, guid=guid, reasoning={"output": "down"})
    assert "frame" not in answer["body"]
    assert answer["body"]["action_input"]["reasoning"] == {"output": "down"}
    assert both.client.turn().frames[-1].tolist() == both.agent.act(5, WALKED, guid).json()["frame"][-1]
    assert actions_of(both.agent, card) == 5


@pytest.mark.parametrize("key", ["wrong", "x" * 3_000])
def test_a_wrong_key_is_refused_at_the_handshake(open_socket: Any, key: str) -> None:
    client = open_socket(key)
    assert refused(client.read()) == (401, "UNAUTHORIZED")
    assert closed_with(client.socket) == 4001


@pytest.mark.parametrize("first", ['{"key": "wrong"}', '{"key": 5}', '{"id": 1}', "[]", "{", b"\0" * 32])
def test_without_a_key_nothing_is_answered(open_socket: Any, first: str | bytes) -> None:
    client = open_socket(None)
    client.socket.send(first)
    assert refused(client.read()) == (401, "UNAUTHORIZED")
    assert closed_with(client.socket) == 4001


def test_the_key_may_be_the_first_message(make_both: Callable[..., Both]) -> None:
    both = make_both(per_minute=600)
    client = both.connect(None)
    client.socket.send(json.dumps({"key": both.key}))
    assert client.read() == {"id": None, "status": 200, "headers": {}, "body": {"per_minute": 600}}
    assert client.ask("/api/healthcheck", "GET")["body"] == "okay"
    assert {one["game_id"] for one in client.ask("/api/games", "GET")["body"]} > {WALKED}


def test_a_revoked_key_is_noticed_over_the_socket_and_over_rest(both: Both, arena: Arena) -> None:
    card, guid = both.client.start()
    assert both.client.act(guid, 4).sequence == 1
    arena.server.seed(revoke=both.key_pk)
    time.sleep(5.1)  # as long as a process remembers a key
    assert refused(both.client.act(guid, 4)) == (401, "UNAUTHORIZED")
    assert closed_with(both.client.socket) == 4001
    assert both.agent.act(4, WALKED, guid).status_code == 401
    assert last_seq(arena, guid) == [(1,)]
    assert card


def last_seq(arena: Arena, guid: str) -> list[tuple[int]]:
    """The last seq of each play of a run, the longest first."""
    return arena.server.rows(
        "SELECT max(seq) FROM play_entry JOIN arena_play USING (attempt_id)"
        " JOIN arena_run ON run_id = arena_run.id"
        f" WHERE guid IN ('{guid}', '{guid.replace('-', '')}') GROUP BY attempt_id ORDER BY 1 DESC"
    )


GUID = uuid.UUID(int=7).bytes
GARBAGE: list[str | bytes] = [
    b"",
    b"\x01",
    b"\0" * 32,
    ACTION.pack(1, 8, 0, 0, 1, 0, GUID),
    ACTION.pack(1, 6, 64, 0, 1, 0, GUID),
    ACTION.pack(1, 1, 1, 0, 1, 0, GUID),
    ACTION.pack(1, 1, 0, 0, 1, 0, GUID) + b"\0",
    "",
    "{",
    "[" * 50_000,
    "[]",
    "{}",
    '{"id": -1}',
    '{"id": 4294967296, "path": "/api/games"}',
    '{"id": true}',
    '{"id": 1, "path": 5}',
    '{"id": 1, "path": "/api/games"}',
    '{"id": 1, "method": "GET", "path": "/api/games", "headers": {}}',
    '{"id": 1, "method": "GET", "path": "/staff/"}',
    '{"id": 1, "path": "/api/scorecard/open", "body": [1]}',
    '{"id": 1, "path": "/api/scorecard/open", "body": {"opaque": NaN}}',
    '{"id": 1, "path": "/api/scorecard/open", "body": {"opaque": "\\ud800"}}',
    '{"id": 1, "path": "/api/scorecard/open", "idempotency_key": "' + "x" * 65 + '"}',
    '{"id": 1, "path": "/api/cmd/ACTION6", "body": {"game_id": "wk01", "guid": "GUID"}}',
    '{"id": 1, "path": "/api/cmd/ACTION1", "body": {"game_id": "ck01", "guid": "GUID"}}',
    '{"id": 1, "path": "/api/cmd/ACTION1", "body": {"game_id": "wk01", "guid": "GUID", "card_id": "x"}}',
    '{"id": 1, "path": "/api/cmd/RESET", "body": {"game_id": "wk01"}}',
]


def test_garbage_is_refused_and_changes_nothing(both: Both) -> None:
    card, guid = both.client.start()
    for message in GARBAGE:
        both.client.socket.send(message.replace("GUID", guid) if isinstance(message, str) else message)
        answer = both.client.read()
        assert refused(answer)[0] in (400, 404, 405), message
    assert both.client.act(guid, 4).sequence == 1
    assert actions_of(both.agent, card) == 1


def test_a_huge_message_ends_the_connection_alone(both: Both) -> None:
    card, guid = both.client.start()
    long = json.dumps({"id": 5, "path": "/api/scorecard/open", "body": {"opaque": "x" * 200_000}})
    both.client.socket.send(long)
    assert refused(both.client.read()) == (400, "VALIDATION_ERROR")
    answer = both.client.ask("/api/cmd/ACTION4", game_id=WALKED, guid=guid, reasoning="x" * (16_384 - 2))
    assert answer["status"] == 200
    assert both.client.turn().sequence == 1
    for length in (300_000, 10_000_000):
        client = both.connect(both.key)
        with pytest.raises(ConnectionClosed):
            send_and_read(client.socket, b"\0" * length)
    assert both.client.act(guid, 4).sequence == 2
    assert actions_of(both.agent, card) == 2


def test_a_repetition_after_a_lost_answer_is_carried_out_once(both: Both, arena: Arena) -> None:
    client = both.client
    card = client.ask("/api/scorecard/open", key="open")["body"]["card_id"]
    assert client.ask("/api/scorecard/open", key="open")["body"]["card_id"] == card
    guids = set()
    for _ in range(2):
        guids.add(client.ask("/api/cmd/RESET", key="begin", game_id=WALKED, card_id=card)["body"]["guid"])
        client.turn()
    (guid,) = guids
    first = client.act(guid, 4, key=0xABC)
    client.socket.socket.close()
    again = both.connect(both.key)
    repeated = again.act(guid, 4, key=0xABC)
    assert (repeated.sequence, repeated.flags & 32) == (1, 32)
    assert (repeated.frames[-1] == first.frames[-1]).all()
    over_rest = both.agent.act(4, WALKED, guid, headers={"Idempotency-Key": f"{0xABC:016x}"})
    assert over_rest.headers["X-Repeated-Request"] == "true"
    assert refused(again.act(guid, 1, key=0xABC))[0] == 400
    resets = [again.act(guid, 0, key=key) for key in (1, 2, 2)]
    assert [turn.sequence for turn in resets] == [2, 0, 0]
    assert [turn.flags & 36 for turn in resets] == [0, 4, 36]
    assert last_seq(arena, guid) == [(2,), (0,)]


def test_both_ways_count_against_one_limit(make_both: Callable[..., Both]) -> None:
    began = time.monotonic()
    both = make_both(per_minute=24)  # five at once after a rest, so that the sixth waits 2.5 s from the first
    _, guid = both.client.start()
    assert both.agent.get("/games", headers=FORWARDED).status_code == 200
    assert both.client.act(guid, 2).sequence == 1
    assert both.agent.get("/games", headers=FORWARDED).status_code == 200
    assert time.monotonic() - began > 2.4


def test_messages_that_nobody_waits_for_close_the_connection(both: Both, arena: Arena) -> None:
    _, guid = both.client.start()
    message = ACTION.pack(1, 2, 0, 0, 1, 0, uuid.UUID(guid).bytes)
    with suppress(ConnectionClosed):  # it may be closed while they are still being sent
        for _ in range(2_000):
            both.client.socket.send(message)
    assert closed_with(both.client.socket) == 4008
    taken = last_seq(arena, guid)[0][0]
    assert both.connect(both.key).act(guid, 2).sequence >= taken + 1


def test_the_client_in_the_document_plays(both: Both, arena: Arena) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/api.md").read_text(), re.DOTALL)
    environment = {"SOCKET_URL": f"ws://127.0.0.1:{arena.port}/api/socket", "ARC_API_KEY": both.key}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == [*map(str, range(1, 11)), "10"]
