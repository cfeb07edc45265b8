"""The unmodified official client plays here, and its scorecards are those of the official local server."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from arc_agi import OperationMode
from arc_agi.scorecard import EnvironmentScorecard
from arcengine import FrameDataRaw, GameAction

from engine.play.actions import CLICK
from tests.live.arena import PUBLIC, Agent, Arena, arcade, new_key, official_server, without_ids
from tests.live.games import WALK

pytestmark = pytest.mark.once

NAMES = {code: f"{code}-00000001" for code in PUBLIC}
OPENED: dict[str, Any] = {"source_url": "https://example.org/agent", "tags": ["first"], "opaque": {"a": [1]}}

type Step = tuple[int, dict[str, int]] | int | str


@pytest.fixture(scope="module")
def theirs(arena: Arena, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with official_server(arena.games, tmp_path_factory.mktemp("official")) as port:
        yield port


def play(agent: Agent, card: str, code: str, steps: list[Step]) -> list[Any]:
    """Plays; a 0 is a RESET with the guid, "new" one without. The answers without ids."""
    guid, answers = "", []
    for step in steps:
        if step == "new":
            answer = agent.reset(card, NAMES[code])
        elif step == 0:
            answer = agent.reset(card, NAMES[code], guid)
        else:
            action, cell = step if isinstance(step, tuple) else (int(step), {})
            answer = agent.act(action, NAMES[code], guid, **cell, reasoning={"step": str(step)})
        guid = answer.json().get("guid", guid)
        reply = without_ids(answer.json())
        answers.append((answer.status_code, reply if answer.ok else reply["error"]))
    return answers


SCENES: dict[str, list[tuple[str, list[Step]]]] = {
    "two levels, then a level reset and a full one": [("wk01", ["new", *WALK[:6], 1, 0, 0, 4, 0])],
    "a whole environment, and once more after the end": [("wk01", ["new", *WALK, 4, 0, *WALK[:3]])],
    "a lost level": [("wk01", ["new", 1, 3, 4, 0, *WALK[:3], 4])],
    "actions that are not available": [("wk01", ["new", 5, 7, (6, {"x": 3, "y": 4}), *WALK[:3], 5])],
    "two runs of one environment, and another": [
        ("wk01", ["new", *WALK[:4]]),
        ("wk01", ["new", *WALK[:10]]),
        ("ck01", ["new", (6, {"x": 2, "y": 20}), 7]),
    ],
    "clicks": [("cl01", ["new", (6, {"x": 10, "y": 20}), (6, {"x": 63, "y": 0}), 0])],
    "an environment of the product": [("ws72", ["new", 1, 2, 3, 4, 2, 2, 0, 1, 4])],
    "nothing played": [],
}


@pytest.mark.parametrize("scene", SCENES)
def test_answers_and_scorecards_are_those_of_the_official_server(
    arena: Arena, theirs: int, scene: str
) -> None:
    results = []
    for agent in (arena.agent(), Agent(theirs, "any")):
        card = agent.open(**OPENED)
        answers = [play(agent, card, code, steps) for code, steps in SCENES[scene]]
        of_games = [agent.get(f"/scorecard/{card}/{NAMES[code]}").json() for code, _ in SCENES[scene]]
        open_card = agent.get(f"/scorecard/{card}").json()
        results.append(
            (answers, without_ids(of_games), without_ids(open_card), without_ids(agent.close(card)))
        )
    for mine, official in zip(*results, strict=True):
        assert mine == official


CLICKED = {"game_id": NAMES["cl01"], "guid": "GUID", "y": 2}
DIFFERENCES: list[tuple[str, Any, tuple[int, str], tuple[int, str]]] = [
    ("cmd/ACTION6", CLICKED | {"x": 5.0}, (400, "VALIDATION_ERROR"), (200, "")),
    ("cmd/ACTION6", CLICKED | {"x": True}, (400, "VALIDATION_ERROR"), (200, "")),
    ("cmd/ACTION6", CLICKED | {"x": "5"}, (400, "VALIDATION_ERROR"), (400, "GAME_NOT_STARTED_ERROR")),
    ("cmd/ACTION6", CLICKED, (400, "VALIDATION_ERROR"), (500, "")),
    ("cmd/ACTION1", {"game_id": NAMES["cl01"]}, (400, "VALIDATION_ERROR"), (400, "SERVER_ERROR")),
    ("cmd/RESET", {"game_id": NAMES["cl01"]}, (400, "VALIDATION_ERROR"), (400, "SERVER_ERROR")),
    ("cmd/ACTION8", {}, (404, "NOT_FOUND"), (404, "")),
    ("scorecard/open", {"tags": None}, (200, ""), (500, "")),
    ("scorecard/open", {"tags": [1]}, (400, "VALIDATION_ERROR"), (500, "")),
    ("scorecard/open", {"competition_mode": "yes"}, (400, "VALIDATION_ERROR"), (200, "")),
    ("scorecard/open", {"opaque": "x" * 20_000}, (400, "VALIDATION_ERROR"), (400, "")),
    ("scorecard/open", [], (400, "VALIDATION_ERROR"), (400, "")),
    ("scorecard/close", {"card_id": "none"}, (404, "SERVER_ERROR"), (404, "VALIDATION_ERROR")),
]
"""Requests that docs/api.md says are answered in another way: status and code, "" without one, of both."""


def test_answers_that_differ_differ_as_the_document_says(arena: Arena, theirs: int) -> None:
    for agent, which in ((arena.agent(), 2), (Agent(theirs, "any"), 3)):
        guid = agent.reset(agent.open(), NAMES["cl01"]).json()["guid"]
        for row in DIFFERENCES:
            body = {**row[1], "guid": guid} if "guid" in row[1] else row[1]
            answer = agent.post(f"/{row[0]}", body)
            coded = not answer.ok and answer.headers["Content-Type"] == "application/json"
            code = answer.json().get("error", "") if coded else ""
            assert (answer.status_code, code if code.isupper() else "") == row[which], row[:2]


def random_requests(draws: Random) -> list[dict[str, Any]]:
    """Requests of an agent; `run` is the number of a run that was begun. Some name what is not there."""
    requests: list[dict[str, Any]] = [{"action": 0, "code": "wk01"}]
    runs = ["wk01"]
    for _ in range(80):
        number = draws.randrange(len(runs))
        code = runs[number] if draws.random() < 0.95 else draws.choice(PUBLIC)
        match draws.choices(("act", "reset", "begin", "read", "wrong"), (70, 10, 6, 10, 4))[0]:
            case "act":
                cell = {"x": draws.randrange(64), "y": draws.randrange(64)}
                action = draws.choice((*WALK, *range(1, 8)))
                requests.append({"action": action, "code": code, "run": number, "cell": cell})
            case "reset":
                requests.append({"action": 0, "code": runs[number], "run": number})
            case "begin":
                runs.append(draws.choice(PUBLIC))
                requests.append({"action": 0, "code": runs[-1]})
            case "read":
                requests.append({"read": draws.choice(("", *PUBLIC))})
            case "wrong":
                requests.append(draws.choice([{"action": 0, "code": "zz99"}, {"action": 1, "code": code}]))
    return requests


def answers_to(agent: Agent, requests: list[dict[str, Any]]) -> list[Any]:
    """Status and content of each answer, of an error its code; the last one is the closed card."""
    card, guids, found = agent.open(), list[str](), list[Any]()
    for request in requests:
        name = NAMES.get(request.get("code", ""), "zz99-00000001")
        guid = guids[request["run"]] if "run" in request else ""
        if "read" in request:
            game = request["read"] and f"/{NAMES[request['read']]}"
            answer = agent.get(f"/scorecard/{card}{game}")
        elif request["action"] == 0:
            answer = agent.reset(card, name, guid)
        else:
            cell = request.get("cell", {}) if request["action"] == CLICK else {}
            answer = agent.act(request["action"], name, guid or str(uuid4()), **cell)
        if answer.ok and request.get("action") == 0 and not guid:
            guids.append(answer.json()["guid"])
        found.append(
            (answer.status_code, without_ids(answer.json()) if answer.ok else answer.json()["error"])
        )
    return [*found, without_ids(agent.close(card))]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_random_requests_are_answered_as_by_the_official_server(arena: Arena, theirs: int, seed: int) -> None:
    requests = random_requests(Random(seed))
    mine, official = (answers_to(agent, requests) for agent in (arena.agent(), Agent(theirs, "any")))
    for request, one, other in zip([*requests, "close"], mine, official, strict=True):
        assert one == other, request


def plays_with_the_client(
    port: int, key: str, mode: OperationMode, folder: Path
) -> tuple[list[Any], EnvironmentScorecard]:
    """Walks two levels, resets twice, loses and goes on with the official client; then closes the card."""
    client = arcade(port, key, mode, folder)
    environment = client.make("wk01")
    assert environment is not None
    frames = [environment.observation_space]
    for action in [*WALK[:6], 1, 0, 0, 1, 0]:
        one = GameAction.from_id(action)
        frames.append(
            environment.reset() if action == 0 else environment.step(one, reasoning={"output": "on"})
        )
    card = client.close_scorecard()
    assert card is not None
    return [_shown(frame) for frame in frames], card


def _shown(frame: FrameDataRaw | None) -> Any:
    assert frame is not None
    facts = frame.model_dump(exclude={"guid", "action_input"})
    return facts, [layer.tolist() for layer in frame.frame]


def test_the_official_client_plays_online(arena: Arena, theirs: int, tmp_path: Path) -> None:
    key = new_key(arena.server)
    frames, card = plays_with_the_client(arena.port, key, OperationMode.ONLINE, tmp_path)
    official_frames, official = plays_with_the_client(theirs, "any", OperationMode.ONLINE, tmp_path)
    assert frames == official_frames
    assert without_ids(card.model_dump()) == without_ids(official.model_dump())
    assert card.score > 0


def test_the_official_client_plays_a_competition(arena: Arena, tmp_path: Path) -> None:
    key = new_key(arena.server)
    _, card = plays_with_the_client(arena.port, key, OperationMode.COMPETITION, tmp_path)
    with official_server(arena.games, tmp_path, competition=True) as port:
        _, official = plays_with_the_client(port, "any", OperationMode.COMPETITION, tmp_path)
    mine, expected = without_ids(card.model_dump()), without_ids(official.model_dump())
    for one in (mine, expected):
        one["environments"].sort(key=lambda environment: environment["id"])
        one["tags_scores"].sort(key=lambda tag: tag["id"])
    assert mine == expected
    assert card.total_environments == len(PUBLIC)


def test_the_official_client_downloads_a_public_environment(arena: Arena, tmp_path: Path) -> None:
    client = arcade(arena.port, new_key(arena.server), OperationMode.NORMAL, tmp_path)
    environment = client.make("wk01")
    assert environment is not None
    frame = environment.step(GameAction.ACTION4)
    assert frame is not None
    assert frame.frame
