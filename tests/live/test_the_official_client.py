"""The unmodified official client plays here, and its scorecards are those of the official local server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from arc_agi import OperationMode
from arc_agi.scorecard import EnvironmentScorecard
from arcengine import FrameDataRaw, GameAction

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
    "an environment of the product": [("ke52", ["new", 1, 2, 3, 4, 2, 2, 0, 1, 4])],
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
