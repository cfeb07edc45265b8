"""The API answers bad input with a coded error, keeps sets apart, and counts nothing twice."""

import gzip
import http.client
import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests

from tests.live.arena import Agent, Arena, new_key
from tests.live.games import WALK
from tests.live.server import Server

pytestmark = pytest.mark.once

WALKED, PRIVATE_GAME = "wk01-00000001", "ft01-00000001"


@pytest.fixture
def agent(arena: Arena) -> Agent:
    return arena.agent()


def error(answer: requests.Response) -> tuple[int, str]:
    """Status and code of an error; every error is JSON with a sentence."""
    assert answer.headers["Content-Type"] == "application/json"
    body = answer.json()
    assert body["message"]
    return answer.status_code, body["error"]


def started(agent: Agent, game: str = WALKED, **opened: Any) -> tuple[str, str]:
    """A card and a run on it."""
    card = agent.open(**opened)
    answer = agent.reset(card, game)
    assert answer.status_code == 200, answer.text
    return card, str(answer.json()["guid"])


def actions_of(agent: Agent, card: str) -> int:
    return int(agent.get(f"/scorecard/{card}").json()["total_actions"])


def act_at_once(agent: Agent, game: str) -> None:
    """Actions of one run at the same moment are all counted."""
    card, guid = started(agent, game)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: agent.act(2, game, guid).status_code, range(40)))
    assert answers == [200] * 40
    assert actions_of(agent, card) == 40


def test_a_missing_or_wrong_key_is_refused(arena: Arena) -> None:
    headers: dict[str, str]
    forwarded = {"X-Forwarded-For": "10.1.2.3"}
    for headers in (
        forwarded,
        {"X-API-Key": ""} | forwarded,
        {"X-API-Key": "This machine, without a key"} | forwarded,
        {"X-API-Key": "wrong"},
        {"X-API-Key": "x" * 9_000},
    ):
        answer = requests.get(f"http://127.0.0.1:{arena.port}/api/games", headers=headers, timeout=20)
        assert error(answer) == (401, "UNAUTHORIZED")


def test_on_the_machine_of_a_server_of_its_own_no_key_is_needed(arena: Arena, agent: Agent) -> None:
    """Its key is for the public set; two slashes, as clients make them, are one.

    The official toolkit first asks for the value of such a key, and sends it from then on.
    """
    del agent.session.headers["X-API-Key"]
    agent.root = f"http://127.0.0.1:{arena.port}//api"
    listed = {one["game_id"] for one in agent.get("/games").json()}
    assert WALKED in listed
    assert not any(one.startswith(("ft01", "fk01")) for one in listed)
    card, guid = started(agent)
    agent.session.headers["X-API-Key"] = agent.get("/games/anonkey").json()["api_key"]
    assert agent.act(4, WALKED, guid).status_code == 200
    assert agent.close(card)["card_id"] == card
    assert arena.server.rows("SELECT COUNT(*) FROM arena_apikey WHERE name LIKE 'This machine%'") == [(1,)]


def test_requests_beyond_the_pace_are_held_and_then_refused_but_a_card_is_closed(arena: Arena) -> None:
    agent = arena.agent(per_minute=9)
    agent.session.headers["X-Forwarded-For"] = "10.1.2.3"
    card, _ = started(agent)  # these two at once; of the others one has its turn within eight seconds
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: agent.get("/games"), range(6)))
    refused = [answer for answer in answers if answer.status_code == 429]
    held = [answer.elapsed.total_seconds() for answer in answers if answer.status_code == 200]
    assert refused
    assert max(held) > 1.5, "some had to wait for their turn"
    assert all(1 <= int(answer.headers["Retry-After"]) <= 60 for answer in refused)
    assert agent.get(f"/scorecard/{card}").status_code == 200
    assert agent.close(card)["card_id"] == card


def test_a_request_with_another_host_is_refused_as_pages_refuse_it(arena: Arena) -> None:
    for path in ("/api/healthcheck", "/api/games", "/api/socket", "/staff/sign-in/"):
        answer = requests.get(
            f"http://127.0.0.1:{arena.port}{path}", headers={"Host": "elsewhere.example"}, timeout=20
        )
        assert answer.status_code == 400, path
        if path == "/api/games":
            assert error(answer) == (400, "HOST_UNKNOWN")


BAD_CELLS: list[dict[str, Any]] = [
    {},
    {"x": 1},
    {"y": 1},
    {"x": -1, "y": 0},
    {"x": 64, "y": 0},
    {"x": 1.0, "y": 2},
    {"x": True, "y": 2},
]
BAD_COMMANDS: list[tuple[str, Any]] = [
    *(("ACTION6", {"game_id": WALKED, "guid": "GUID", **cell}) for cell in BAD_CELLS),
    ("ACTION1", {"guid": "GUID"}),
    ("ACTION1", {"game_id": WALKED}),
    ("ACTION1", {"game_id": 7, "guid": "GUID"}),
    ("ACTION1", {"game_id": WALKED, "guid": ["GUID"]}),
    ("ACTION1", {"game_id": "ck01-00000001", "guid": "GUID"}),
    ("ACTION1", {"game_id": WALKED, "guid": "no such guid"}),
    ("ACTION1", {"game_id": WALKED, "guid": "GUID", "reasoning": "x" * 16_384}),
    ("ACTION1", {"game_id": WALKED, "guid": "GUID", "card_id": "another"}),
    ("RESET", {"game_id": WALKED}),
    ("RESET", {"game_id": WALKED, "card_id": "no such card"}),
    ("RESET", {"game_id": "zz99", "card_id": "CARD"}),
    ("RESET", {"game_id": WALKED, "card_id": "CARD", "guid": "00000000-0000-0000-0000-000000000000"}),
    ("RESET", []),
    ("RESET", "text"),
    ("RESET", None),
]


def test_a_bad_command_is_400_and_not_counted(agent: Agent) -> None:
    card, guid = started(agent)
    for name, body in BAD_COMMANDS:
        text = json.dumps(body).replace('"GUID"', f'"{guid}"').replace('"CARD"', f'"{card}"')
        answer = agent.session.post(f"{agent.root}/cmd/{name}", data=text, timeout=20)
        assert error(answer)[0] == 400, (name, body)
    assert actions_of(agent, card) == 0


BAD_CARDS: list[Any] = [
    {"tags": "agent"},
    {"tags": [1]},
    {"source_url": 5},
    {"opaque": "x" * 16_384},
    {"opaque": ["a\0b"]},
    {"opaque": "\ud800"},
    {"competition_mode": "yes"},
    {"strict": 1},
    [],
]
NO_OBJECTS = (b"", b"{", b"\xff\xfe", b'{"opaque": NaN}', b"[" * 100_000, b'{"opaque": 1e999}')


def test_a_bad_card_is_400(agent: Agent) -> None:
    for body in (*(json.dumps(card).encode() for card in BAD_CARDS), *NO_OBJECTS):
        answer = agent.session.post(f"{agent.root}/scorecard/open", data=body, timeout=20)
        assert error(answer)[0] == 400, body[:40]


def test_a_body_of_ten_megabytes_is_413(agent: Agent) -> None:
    answer = agent.session.post(f"{agent.root}/scorecard/open", data=b" " * 10_000_000, timeout=20)
    assert error(answer) == (413, "VALIDATION_ERROR")
    answer = agent.session.post(f"{agent.root}/scorecard/open", data=b" " * 500_000, timeout=20)
    assert error(answer) == (413, "VALIDATION_ERROR")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "", 404),
        ("GET", "/nothing", 404),
        ("GET", "/games/anonkey", 404),
        ("GET", "/games/zz99", 404),
        ("GET", "/games/zz99-1/source", 404),
        ("GET", "/scorecard/no-such-card", 404),
        ("GET", "/cmd/RESET", 405),
        ("POST", "/games", 405),
        ("DELETE", "/scorecard/open", 405),
        ("POST", "/cmd/ACTION8", 404),
    ],
)
def test_what_is_not_offered_is_json_too(agent: Agent, method: str, path: str, status: int) -> None:
    assert error(agent.session.request(method, agent.root + path, json={}, timeout=20))[0] == status


def test_another_keys_card_and_run_do_not_exist(agent: Agent, arena: Arena) -> None:
    card, guid = started(agent)
    stranger = arena.agent()
    assert error(stranger.get(f"/scorecard/{card}"))[0] == 404
    assert error(stranger.post("/scorecard/close", {"card_id": card}))[0] == 404
    assert error(stranger.post("/scorecard/heartbeat", {"card_id": card}))[0] == 404
    assert error(stranger.reset(card, WALKED))[0] == 400
    assert error(stranger.act(4, WALKED, guid))[0] == 400
    assert actions_of(agent, card) == 0


def test_a_closed_card_refuses_actions_and_is_read_again(agent: Agent) -> None:
    card, guid = started(agent)
    assert agent.act(4, WALKED, guid).ok
    last = agent.close(card)
    assert error(agent.act(4, WALKED, guid)) == (400, "SERVER_ERROR")
    assert error(agent.reset(card, WALKED))[0] == 400
    assert error(agent.reset(card, WALKED, guid))[0] == 400
    assert error(agent.post("/scorecard/heartbeat", {"card_id": card}))[0] == 400
    assert agent.close(card) == agent.get(f"/scorecard/{card}").json() == last
    assert last["total_actions"] == 1


def test_an_unavailable_action_is_counted_and_said_so_unless_the_card_is_strict(agent: Agent) -> None:
    card, guid = started(agent)
    for sent in range(2):
        answer = agent.act(5, WALKED, guid, headers={"Idempotency-Key": "no such action"})
        assert (answer.status_code, answer.headers.get("X-Unavailable-Action")) == (200, "true")
        assert ("X-Repeated-Request" in answer.headers) is bool(sent)
    assert "X-Unavailable-Action" not in agent.act(4, WALKED, guid).headers
    assert actions_of(agent, card) == 2
    card, guid = started(agent, strict=True)
    assert error(agent.act(5, WALKED, guid)) == (400, "VALIDATION_ERROR")
    assert agent.act(4, WALKED, guid).ok
    assert actions_of(agent, card) == 1


def test_a_repeated_request_is_carried_out_once_also_after_a_restart(arena: Arena) -> None:
    key, game = new_key(arena.server), WALKED
    agent = Agent(arena.port, key)
    opened = [agent.post("/scorecard/open", headers={"Idempotency-Key": "open"}).json() for _ in range(2)]
    assert opened[0] == opened[1]
    card = opened[0]["card_id"]
    begun = [agent.reset(card, game, headers={"Idempotency-Key": "begin"}) for _ in range(2)]
    first = [answer.json() for answer in begun]
    assert first[0] == first[1]
    assert [answer.headers.get("X-Repeated-Request") for answer in begun] == [None, "true"]
    assert begun[1].headers["X-Full-Reset"] == begun[0].headers["X-Full-Reset"] == "true"
    guid = first[0]["guid"]
    acted = [agent.act(4, game, guid, headers={"Idempotency-Key": "act"}) for _ in range(2)]
    assert acted[0].json() == acted[1].json()
    assert acted[1].headers["X-Repeated-Request"] == "true"
    assert error(agent.act(1, game, guid, headers={"Idempotency-Key": "act"}))[0] == 400
    agent.act(4, game, guid)
    resets = [agent.reset(card, game, guid, headers={"Idempotency-Key": f"reset {n}"}) for n in (1, 2, 2)]
    told = [(one.headers.get("X-Full-Reset"), one.headers.get("X-Repeated-Request")) for one in resets]
    assert told == [(None, None), ("true", None), ("true", "true")]
    assert resets[1].json()["frame"] == resets[2].json()["frame"] == first[0]["frame"]

    arena.server.kill(arena.port)
    arena.server.start(port=arena.port)
    agent = Agent(arena.port, key)
    again = agent.act(4, game, guid, headers={"Idempotency-Key": "act"})
    assert again.json() == acted[0].json()
    begun_again = agent.reset(card, game, headers={"Idempotency-Key": "begin"})
    assert (begun_again.json(), begun_again.headers["X-Repeated-Request"]) == (first[0], "true")
    of_game = agent.get(f"/scorecard/{card}/{game}").json()["cards"][game]
    assert (of_game["actions"], of_game["resets"], of_game["total_plays"]) == ([3, 0], [1, 0], 2)


@pytest.mark.postgresql
def test_two_processes_play_one_run_without_affinity(server: Server, port: int, other_port: int) -> None:
    server.seed(sets={"wk01": "public"})
    key = server.seed(key=["public"], per_minute=10_000)["key"]
    agents = [Agent(one, key) for one in (port, other_port)]
    game = agents[0].get("/games").json()[0]["game_id"]
    act_at_once(agents[0], game)
    card, guid = started(agents[0], game)
    frames = [agents[n % 2].act(action, game, guid).json() for n, action in enumerate(WALK[:7], start=1)]
    assert [frame["levels_completed"] for frame in frames] == [0, 0, 1, 1, 1, 2, 2]
    assert agents[1].reset(card, game, guid).json()["levels_completed"] == 2
    assert agents[0].reset(card, game, guid).json()["levels_completed"] == 0
    assert agents[1].act(4, game, guid).ok
    of_game = agents[0].get(f"/scorecard/{card}/{game}").json()["cards"][game]
    assert of_game["actions"] == [8, 1]
    agents[1].close(card)
    assert error(agents[0].act(4, game, guid))[0] == 400


def test_a_client_that_goes_away_leaves_its_action_counted_once(agent: Agent, arena: Arena) -> None:
    card, guid = started(agent)
    connection = http.client.HTTPConnection("127.0.0.1", arena.port)
    body = json.dumps({"game_id": WALKED, "guid": guid})
    connection.request(
        "POST", "/api/cmd/ACTION4", body, {"X-API-Key": str(agent.session.headers["X-API-Key"])}
    )
    deadline = time.monotonic() + 20
    while actions_of(agent, card) == 0 and time.monotonic() < deadline:
        time.sleep(0.05)
    connection.close()
    assert agent.act(4, WALKED, guid).ok
    assert actions_of(agent, card) == 2


def test_actions_of_one_run_at_the_same_moment_are_all_counted(agent: Agent) -> None:
    act_at_once(agent, WALKED)


def test_competition_mode(arena: Arena) -> None:
    agent = arena.agent()
    card, guid = started(agent, competition_mode=True)
    assert error(agent.post("/scorecard/open"))[0] == 409
    assert error(agent.get(f"/scorecard/{card}"))[0] == 403
    assert error(agent.get(f"/scorecard/{card}/{WALKED}"))[0] == 403
    assert error(agent.reset(card, WALKED))[0] == 400
    assert agent.reset(card, WALKED, guid).json()["frame"] == agent.reset(card, WALKED, guid).json()["frame"]
    closed = agent.close(card)
    assert (closed["total_actions"], closed["total_environments"], closed["score"]) == (2, 4, 0.0)
    assert agent.open(competition_mode=True)


def test_a_private_set_shows_nothing_but_totals(arena: Arena) -> None:
    assert {game["game_id"] for game in arena.agent().get("/games").json()} & {PRIVATE_GAME} == set()
    agent = arena.agent("private")
    games = agent.get("/games").json()
    assert {name for game in games for name in game} == {"game_id", "default_fps", "date_downloaded"}
    assert error(agent.get(f"/games/{PRIVATE_GAME}/source"))[0] == 404
    card, guid = started(agent, PRIVATE_GAME)
    assert {agent.act(5, PRIVATE_GAME, guid).status_code for _ in range(11)} == {200}, "its baseline is 2"
    assert error(agent.get(f"/scorecard/{card}"))[0] == 403
    assert error(agent.get(f"/scorecard/{card}/{PRIVATE_GAME}"))[0] == 403
    closed = agent.close(card)
    assert (closed["environments"], closed["tags_scores"], closed["total_actions"]) == ([], [], 11)
    assert agent.get(f"/scorecard/{card}").json() == closed
    assert agent.get(f"/scorecard/{card}/{PRIVATE_GAME}").json()["cards"] == {}


def test_a_fault_of_an_environment_ends_the_play_and_a_reset_begins_another(arena: Arena) -> None:
    agent = arena.agent("private")
    card, guid = started(agent, PRIVATE_GAME)
    assert error(agent.act(1, PRIVATE_GAME, guid)) == (500, "SERVER_ERROR")
    assert error(agent.act(5, PRIVATE_GAME, guid)) == (400, "GAME_NOT_STARTED_ERROR")
    assert agent.reset(card, PRIVATE_GAME, guid).ok
    assert agent.act(5, PRIVATE_GAME, guid).ok


def test_replies_are_compressed_on_request_over_one_connection(agent: Agent, arena: Arena) -> None:
    _, guid = started(agent)
    key, bodies = str(agent.session.headers["X-API-Key"]), []
    connection = http.client.HTTPConnection("127.0.0.1", arena.port)
    for encoding in ("gzip", "identity"):
        headers = {"X-API-Key": key, "Accept-Encoding": encoding}
        connection.request("POST", "/api/cmd/ACTION2", json.dumps({"game_id": WALKED, "guid": guid}), headers)
        answer = connection.getresponse()
        assert not answer.will_close
        body = answer.read()
        bodies.append(gzip.decompress(body) if answer.headers["Content-Encoding"] == "gzip" else body)
        assert len(body) < (2_000 if encoding == "gzip" else 20_000)
    connection.close()
    assert json.loads(bodies[0])["frame"]
    assert len(json.loads(bodies[1])["frame"][0]) == 64
