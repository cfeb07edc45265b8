"""The unmodified official client plays here, and its scorecards are those of the official local server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live.arena import Agent, make_games, new_key, official_server, without_ids
from tests.live.games import WALK
from tests.live.seeder import Seeder
from tests.live.server import Server

CODES = ["wk01", "ck01", "cl01", "vq37"]
NAMES = {code: f"{code}-00000001" for code in CODES}
OPENED: dict[str, Any] = {"source_url": "https://example.org/agent", "tags": ["first"], "opaque": {"a": [1]}}

type Step = tuple[int, dict[str, int]] | int | str


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_games(tmp_path_factory.mktemp("games"), CODES)


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, templates: Any, seeder: Seeder, games: Path
) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("arena"), templates.empty, seeder, GAMES_DIR=str(games))
    server.seed(sets=dict.fromkeys(CODES, "public"), games=str(games))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def ours(server: Server) -> int:
    return server.start()


@pytest.fixture(scope="module")
def theirs(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with official_server(games, tmp_path_factory.mktemp("official")) as port:
        yield port


def play(agent: Agent, card: str, code: str, steps: list[Step]) -> list[Any]:
    """Plays; a 0 is a RESET with the guid, "new" one without. What was answered, without ids."""
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


LOSE = [1, 3]
SCENES: dict[str, list[tuple[str, list[Step]]]] = {
    "two levels, then a level reset and a full one": [("wk01", ["new", *WALK[:6], 1, 0, 0, 4, 0])],
    "a whole environment, and once more after the end": [("wk01", ["new", *WALK, 4, 0, *WALK[:3]])],
    "a lost level": [("wk01", ["new", 1, 4, 0, *WALK[:3], 4])],
    "actions that are not available": [("wk01", ["new", 5, 7, (6, {"x": 3, "y": 4}), *WALK[:3], 5])],
    "two runs of one environment, and another": [
        ("wk01", ["new", *WALK[:4]]),
        ("wk01", ["new", *WALK[:10]]),
        ("ck01", ["new", 1, 2]),
    ],
    "clicks": [("cl01", ["new", (6, {"x": 10, "y": 20}), (6, {"x": 63, "y": 0}), 0])],
    "an environment of the product": [("vq37", ["new", 1, 2, 3, 4, 2, 2, 0, 1, 4])],
    "nothing played": [],
}


@pytest.mark.parametrize("scene", SCENES)
def test_answers_and_scorecards_are_those_of_the_official_server(
    server: Server, ours: int, theirs: int, scene: str
) -> None:
    results = []
    for agent in (Agent(ours, new_key(server)), Agent(theirs, "any")):
        card = agent.open(**OPENED)
        answers = [play(agent, card, code, steps) for code, steps in SCENES[scene]]
        of_games = [agent.get(f"/scorecard/{card}/{NAMES[code]}").json() for code, _ in SCENES[scene]]
        open_card = agent.get(f"/scorecard/{card}").json()
        results.append(
            (answers, without_ids(of_games), without_ids(open_card), without_ids(agent.close(card)))
        )
    for mine, official in zip(*results, strict=True):
        assert mine == official
