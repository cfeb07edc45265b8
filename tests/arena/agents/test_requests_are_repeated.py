"""Agents without a server of ours: lost requests, replays, and what they import."""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, pairwise, repeat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest_agents.__main__ import main
from playtest_agents.client import Client
from playtest_agents.connection import MOST_TRIES, AgentError, Connection
from playtest_agents.game import Action, Choice
from playtest_agents.replay import ReplayAgent, ReplayPlayer, without_restarts
from tests.arena.agents.stub import Answer, Stub, serving
from tests.arena.agents.worlds import World, play, turn


class Script:
    """Answers in order, the last one again and again; remembers the pauses of the client."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = chain(answers, repeat(answers[-1]))
        self.pauses: list[float] = []

    def send(self, stub: Stub) -> object:
        with Connection(stub.url, {"X-API-Key": "key"}, sleep=self.pauses.append) as connection:
            return connection.post("/api/cmd/ACTION1", {"guid": "g"})

    def play(self) -> tuple[object, Stub]:
        with serving(lambda asked: next(self._answers)) as stub:
            return self.send(stub), stub


DONE = Answer({"done": True})
LOST = Answer(lost=True)


def keys(stub: Stub) -> list[str]:
    return [asked.headers["Idempotency-Key"] for asked in stub.asked]


@pytest.mark.parametrize("failure", [LOST, Answer(status=503), Answer("<html>", 502)])
def test_a_lost_request_is_sent_again_with_its_key(failure: Answer) -> None:
    script = Script(failure, failure, DONE)
    answer, stub = script.play()
    assert answer == {"done": True}
    assert len(stub.asked) == 3
    assert len(set(keys(stub))) == 1
    assert script.pauses == [0.25, 0.5]


def test_every_request_has_its_own_key_on_one_connection_with_cookies_and_the_api_key() -> None:
    with (
        serving(lambda asked: Answer(headers={"Set-Cookie": "process=2; Path=/"})) as stub,
        Connection(stub.url, {"X-API-Key": "key"}) as connection,
    ):
        for _ in range(3):
            connection.post("/api/cmd/ACTION1", {})
    assert len(set(keys(stub))) == 3
    assert len({asked.client for asked in stub.asked}) == 1
    assert [asked.headers.get("Cookie") for asked in stub.asked] == [None, "process=2", "process=2"]
    assert {asked.headers["X-API-Key"] for asked in stub.asked} == {"key"}


@pytest.mark.parametrize(
    ("header", "pause"),
    [({"Retry-After": "3"}, 3.0), ({"Retry-After": "900"}, 60.0), ({"Retry-After": "soon"}, 0.5), ({}, 0.5),
     ({"Retry-After": "-1"}, 0.0), ({"Retry-After": "nan"}, 0.5)],
)  # fmt: skip
def test_it_waits_as_long_as_a_busy_server_asks(header: dict[str, str], pause: float) -> None:
    script = Script(Answer({"error": "RATE_LIMIT_EXCEEDED"}, 429, header), DONE)
    _, stub = script.play()
    assert script.pauses == [pause]
    assert len(stub.asked) == 2


@pytest.mark.parametrize(
    ("answer", "code", "requests"),
    [
        (LOST, "server_unreachable", MOST_TRIES),
        (Answer(status=429), "rate_limited", 5),
        (Answer({"error": "UNAUTHORIZED", "message": "no"}, 401), "key_refused", 1),
        (Answer({"error": {"message": "used up", "code": "no_quota"}}, 402), "402 no_quota: used up", 1),
        (Answer({"error": "SERVER_ERROR", "message": "no"}, 400), "request_refused", 1),
        (Answer("<html>oops</html>", 500), "request_refused", 1),
        (Answer("<html>hello</html>"), "answer_malformed", 1),
    ],
)
def test_what_does_not_pass_has_a_code(
    answer: Answer, code: str, requests: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playtest_agents.connection.MOST_WAITS", 4)
    script = Script(answer)
    with serving(lambda asked: answer) as stub:
        with pytest.raises(AgentError, match=code):
            script.send(stub)
        assert len(stub.asked) == requests


@pytest.mark.parametrize("url", ["localhost:8000", "", "ftp://localhost", "http://", "http://[::1"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(AgentError, match="url_invalid"):
        Connection(url, {}).get("/")


@pytest.fixture
def answered() -> dict[str, object]:
    frame = [[0] * 64] * 64
    return {"guid": "g", "frame": [frame], "state": "NOT_FINISHED", "levels_completed": 0, "win_levels": 2,
            "available_actions": [1, 6]}  # fmt: skip


def malformed() -> Iterator[dict[str, object]]:
    yield {"frame": []}
    yield {"frame": [[[0] * 64] * 63]}
    yield {"frame": [[[16] * 64] * 64]}
    yield {"frame": "frame"}
    yield {"state": "SLEEPING"}
    yield {"guid": None}
    yield {"available_actions": [8]}
    yield {"available_actions": ["ACTION1"]}
    yield {"levels_completed": "1"}


@pytest.mark.parametrize("wrong", malformed())
def test_a_turn_that_is_none_is_refused(answered: dict[str, object], wrong: dict[str, object]) -> None:
    games = [{"game_id": "aa01-1"}]
    with (
        serving(lambda asked: Answer(games if asked.method == "GET" else answered | wrong)) as stub,
        Connection(stub.url, {}) as connection,
    ):
        client = Client(connection)
        with pytest.raises(AgentError, match="answer_malformed"):
            client.start("card", client.games()[0])


def test_environments_are_chosen_by_id_or_its_first_part() -> None:
    games = [{"game_id": "aa01-1", "baseline_actions": [3, 4]}, {"game_id": "bb02-2"}]
    with serving(lambda asked: Answer(games)) as stub, Connection(stub.url, {}) as connection:
        client = Client(connection)
        chosen = client.games(["bb02", "aa01-1", "bb02-2"])
        assert [(game.game_id, game.baseline) for game in chosen] == [("bb02-2", ()), ("aa01-1", (3, 4))]
        with pytest.raises(AgentError, match=r"environment_unknown.*aa01-1, bb02-2"):
            client.games(["cc03"])


WALK = [{1: 1, 2: 0}, {1: World.WON, 2: 1}]


def actions(*ids: int) -> list[Action]:
    return [Action(action) for action in ids]


def test_it_plays_level_after_level() -> None:
    player = ReplayPlayer({1: actions(1, 1), 2: actions(2, 1, 1)}, keeps_resets=False)
    assert play(World([WALK, WALK]), player) == (actions(1, 1, 2, 1, 1), "won")


def test_a_level_without_a_recording_ends_it() -> None:
    player = ReplayPlayer({1: actions(1, 1)}, keeps_resets=False)
    assert play(World([WALK, WALK]), player) == (actions(1, 1), "no_recording")


def test_a_recording_that_does_not_complete_its_level_ends_it() -> None:
    player = ReplayPlayer({1: actions(1, 2)}, keeps_resets=False)
    assert play(World([WALK]), player) == (actions(1, 2), "replay_differs")


def test_a_recording_that_completes_its_level_too_early_ends_it() -> None:
    player = ReplayPlayer({1: actions(1, 1, 2), 2: actions(1, 1)}, keeps_resets=False)
    assert play(World([WALK, WALK]), player) == (actions(1, 1), "replay_differs")


def test_resets_that_would_restart_the_game_are_left_out() -> None:
    recorded = {1: actions(0, 1, 0, 0, 1, 1)}
    world = World([WALK])
    assert play(world, ReplayPlayer(recorded, keeps_resets=False)) == (actions(1, 0, 1, 1), "won")
    assert world.full_restarts == 0


def test_in_competition_mode_they_are_played() -> None:
    choice = ReplayPlayer({1: actions(0, 1)}, keeps_resets=True).choose(turn())
    assert choice == Choice(Action(0))


@given(st.lists(st.integers(0, 7).filter(lambda action: action != 6)))
def test_only_resets_are_left_out(ids: list[int]) -> None:
    used = [action.id for action in without_restarts(actions(*ids))]
    assert [action for action in used if action] == [action for action in ids if action]
    assert used[:1] != [0]
    assert (0, 0) not in list(pairwise(used))
    assert without_restarts(actions(*used)) == actions(*used)


@pytest.mark.parametrize("content", ["", "{", "[{}]", '[{"game_ids": ["a"], "levels": {"1": [[6]]}}]'])
def test_what_is_no_file_of_actions_has_a_code(tmp_path: Path, content: str) -> None:
    path = tmp_path / "actions.json"
    path.write_text(content)
    with pytest.raises(AgentError, match="file_unreadable"):
        ReplayAgent(path)


def test_an_environment_without_a_recording_is_passed_over(
    tmp_path: Path, answered: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "actions.json"
    path.write_text('[{"game_ids": ["aa01-1"], "levels": {"1": [[1]]}}]')
    games = [{"game_id": "aa01-1"}, {"game_id": "bb02-2"}, {"game_id": "cc03-3"}]
    won = answered | {"card_id": "c", "state": "WIN", "levels_completed": 2}

    def ended(*codes: str) -> tuple[int, list[str]]:
        chosen = [word for code in codes for word in ("--environment", code)]
        options = ["--url", stub.url, "--key", "k", "--file", str(path), "--json", *chosen]
        status, printed = main(["replay", *options]), capsys.readouterr()
        found = json.loads(printed.out)["environments"] if printed.out else [{"ended": printed.err[:17]}]
        return status, [one["ended"] for one in found]

    with serving(lambda asked: Answer(games if asked.method == "GET" else won)) as stub:
        assert ended("bb02", "aa01") == (0, ["no_recording", "won"])
        assert [asked.body["game_id"] for asked in stub.asked if "RESET" in asked.path] == ["aa01-1"]
        asked = len(stub.asked)
        assert ended("bb02", "cc03") == (1, ["nothing_to_replay"])
        assert len(stub.asked) == asked + 1, "no card is opened"


TOOLS = Path(__file__).parents[3] / "tools" / "agents"
LISTS_MODULES = "import playtest_agents.__main__, sys; print(*{name.split('.')[0] for name in sys.modules})"


def test_they_import_nothing_of_ours() -> None:
    command = [sys.executable, "-P", "-c", f"import sys; sys.path.append({str(TOOLS)!r}); {LISTS_MODULES}"]
    found = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True).stdout.split()
    assert "playtest_agents" in found
    assert {"playtest", "engine", "django", "arcengine"} & set(found) == set()
