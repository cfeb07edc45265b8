"""The reference agents play on the real server, and their cards say what the formula says."""

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from playtest.rules.attempt import Outcome
from playtest.rules.score import LevelRun, environment_score
from playtest_agents.__main__ import main
from tests import make
from tests.arena.agents.stub import Answer, Asked, Stub, serving
from tests.live.arena import BASELINES, PUBLIC, Arena, new_key, official_server
from tests.live.games import WALK
from tests.live.server import ROOT, Server

pytestmark = pytest.mark.once

type Play = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def server(arena: Arena) -> Server:
    return arena.server


@pytest.fixture(scope="module")
def url(arena: Arena) -> str:
    return f"http://127.0.0.1:{arena.port}"


@pytest.fixture
def play(server: Server, url: str, capsys: pytest.CaptureFixture[str]) -> Play:
    """Plays an agent with a key of its own and returns what it prints as JSON; it leaves no card open."""

    def run(name: str, *arguments: str) -> dict[str, Any]:
        capsys.readouterr()
        before = cards(server)
        status = main([name, "--url", url, "--key", new_key(server), "--json", *arguments])
        printed = capsys.readouterr()
        assert cards(server, f"closed_at IS NULL AND id > {before}") == 0
        assert status == 0, printed.err
        return dict(json.loads(printed.out))

    return run


def cards(server: Server, which: str = "") -> int:
    """The newest card, as its primary key; 0 if there is none."""
    where = f" WHERE {which}" if which else ""
    return int(server.rows(f"SELECT max(id) FROM arena_scorecard{where}")[0][0] or 0)


def level_actions(folder: Path, which: str, *arguments: str) -> str:
    """The path of a file with what `manage.py level_actions` prints."""
    path = folder / f"{which}.json"
    printed = io.StringIO()
    call_command("level_actions", which, *arguments, stdout=printed)
    rows = json.loads(printed.getvalue())
    for row in rows:  # here its version has another id
        row["game_ids"].append("wk01-00000001")
    path.write_text(json.dumps(rows))
    return str(path)


def formula(code: str, actions: list[int]) -> float:
    """The score of an environment whose levels were all completed with these actions."""
    return environment_score([LevelRun(True, *pair) for pair in zip(actions, BASELINES[code], strict=True)])


@pytest.mark.django_db
def test_people_s_best_first_runs_score_what_the_formula_says(play: Play, tmp_path: Path) -> None:
    """The second person was faster on level 2 alone, and begins it with a RESET that did nothing."""
    study = make.study("wk01")
    slow = [*WALK[:3], 1, 0, *WALK[3:]]
    make.play(make.session(study), slow, Outcome.COMPLETED)
    fast = [1, 0, *WALK[:3], 0, *WALK[3:]]
    make.play(make.session(study), fast, Outcome.COMPLETED)
    path = level_actions(tmp_path, "best", "--study", str(study.pk))
    for arguments, second in (([], 3), (["--competition"], 4)):
        made = play("replay", "--file", path, "--environment", "wk01", *arguments)
        (environment,) = (row for row in made["environments"] if row["ended"] == "won")
        assert environment["actions"] == 15 + second
        assert environment["score"] == pytest.approx(formula("wk01", [3, second, 3, 3, 3, 3]))


@pytest.mark.django_db
def test_what_is_not_known_cannot_be_replayed(play: Play, tmp_path: Path) -> None:
    make.environment("wk01")
    path = level_actions(tmp_path, "best")
    with pytest.raises(AssertionError, match=r"nothing_to_replay: .* wk01-"):
        play("replay", "--file", path, "--environment", "wk01")
    with pytest.raises(CommandError, match="study_unknown"):
        level_actions(tmp_path, "best", "--study", "77")


def test_the_same_seed_plays_the_same(play: Play) -> None:
    made = [play("random", "--environment", "ws72", "--actions", "15", "--seed", "5") for _ in range(2)]
    assert made[0]["environments"] == made[1]["environments"]
    assert (made[0]["actions"], made[0]["environments"][0]["ended"]) == (15, "action_limit")


def test_the_frontier_agent_completes_a_small_environment(play: Play, server: Server) -> None:
    made = play("frontier", "--environment", "cl01", "--tag", "small")
    (environment,) = made["environments"]
    assert (environment["levels_completed"], environment["ended"]) == (6, "won")
    stored = server.rows(
        f"SELECT tags FROM arena_scorecard WHERE card_id = '{_hex(server, made['card_id'])}'"
    )
    assert {"frontier", "small"} <= set(_json(stored[0][0]))


def test_in_competition_mode_the_budget_ends_an_environment(play: Play) -> None:
    made = play("random", "--environment", "ck01", "--competition", "--seed", "1")
    assert made["environments"][0]["ended"] == "level_budget"
    assert "five times" in made["environments"][0]["note"]
    assert made["environments"][0]["actions"] == 5 * BASELINES["ck01"][0]


@pytest.mark.long
def test_frontier_plays_on_the_official_server(
    arena: Arena, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with official_server(arena.games, tmp_path) as port:
        server = ["--url", f"http://127.0.0.1:{port}", "--key", "k", "--json"]
        assert main(["frontier", *server, "--environment", "ws72", "--actions", "20"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in made["environments"]] == ["ws72-00000001"]
    assert (made["actions"], made["environments"][0]["score"]) == (20, 0.0)


def test_the_table_names_every_environment(
    server: Server, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["random", "--url", url, "--key", new_key(server), "--actions", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["environment", "levels", "actions", "score", "ended"]
    assert [line.split()[0].partition("-")[0] for line in lines[1:-1]] == sorted(PUBLIC)
    assert lines[-1].startswith("random: score 0.00, 8 actions in ")


def test_a_wrong_or_missing_key_has_a_code(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ARC_API_KEY", raising=False)
    for arguments, code in ((["--key", "wrong"], "key_refused"), ([], "key_missing")):
        assert main(["random", "--url", url, *arguments]) == 1
        assert capsys.readouterr().err.startswith(code)


@pytest.mark.long
def test_an_interrupted_run_closes_its_card(server: Server, url: str) -> None:
    command = ["-m", "playtest_agents", "random", "--url", url, "--key", new_key(server)]
    before, opened = server.rows("SELECT count(*) FROM play_entry")[0][0], cards(server)
    process = subprocess.Popen(
        [sys.executable, *command, "--actions", "1000000", "--json", "--environment", "ws72"],
        cwd=ROOT / "tools" / "agents", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while server.rows("SELECT count(*) FROM play_entry")[0][0] < before + 5:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=20)
    made = json.loads(printed)
    assert (process.returncode, made["interrupted"], made["environments"][0]["ended"]) == (
        130,
        True,
        "interrupted",
    )
    assert "interrupted: the card is closed." in errors
    assert cards(server, f"closed_at IS NULL AND id > {opened}") == 0


# The agent that asks a model.

USAGE = {
    "prompt_tokens": 1_000,
    "completion_tokens": 100,
    "prompt_tokens_details": {"cached_tokens": 400},
    "completion_tokens_details": {"reasoning_tokens": 60},
}


def completion(text: str, **more: Any) -> Answer:
    message = {"role": "assistant", "content": text, **more}
    return Answer({"choices": [{"index": 0, "message": message}], "usage": USAGE})


def ask(play: Play, stub: Stub, *arguments: str) -> dict[str, Any]:
    model = ("--endpoint", f"{stub.url}/v1", "--model", "small-1", "--environment", "wk01")
    return play("llm", *model, *arguments)


def test_a_model_plays_and_its_tokens_are_noted(
    play: Play, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first reply has no action, so the first action's note has the tokens of two replies."""
    monkeypatch.setenv("MODEL_KEY", "secret")
    replies = iter(["Let me think.", *(f"I choose ACTION{action}." for action in WALK)])
    prices = ("--input-price", "10", "--output-price", "50", "--cached-price", "1")
    with serving(lambda asked: completion(next(replies), reasoning_content="It is a walk.")) as stub:
        made = ask(play, stub, *prices, "--key-variable", "MODEL_KEY", "--request", '{"temperature": 0}')
    assert [row["ended"] for row in made["environments"]] == ["won"]
    assert made["malformed_replies"] == 1
    assert made["cost"] == pytest.approx(19 * (600 * 10 + 400 * 1 + 100 * 50) / 1e6)
    stored = server.rows("SELECT reasoning FROM play_agentnote WHERE reasoning <> '' ORDER BY id")
    notes = [json.loads(row[0]) for row in stored[-18:]]
    assert notes[0]["output"] == f"I choose ACTION{WALK[0]}."
    assert notes[0]["reasoning"] == "It is a walk."
    assert notes[0]["usage"] == {
        "input_tokens": 2_000, "input_tokens_details": {"cached_tokens": 800}, "output_tokens": 200,
        "output_tokens_details": {"reasoning_tokens": 120}, "total_tokens": 2_200,
    }  # fmt: skip
    assert sum(note["cost"]["total_cost"] for note in notes) == pytest.approx(made["cost"])
    assert {asked.path for asked in stub.asked} == {"/v1/chat/completions"}
    assert {asked.headers["Authorization"] for asked in stub.asked} == {"Bearer secret"}
    last = stub.asked[-1].body
    assert (last["model"], last["temperature"]) == ("small-1", 0)
    assert last["messages"][-2] == {"role": "assistant", "content": f"I choose ACTION{WALK[16]}."}


def test_a_model_s_level_ends_at_five_times_the_baseline(play: Play) -> None:
    """A lost level is reset without a question to the model, and the RESET counts."""
    with serving(lambda asked: completion("ACTION1")) as stub:
        made = ask(play, stub)
    assert (made["actions"], made["environments"][0]["ended"]) == (15, "level_budget")
    assert len(stub.asked) < 15
    assert "State: GAME_OVER" in stub.asked[-1].body["messages"][-1]["content"]
    assert made["cost"] == 0.0


@pytest.mark.parametrize(
    ("answer", "arguments", "ended", "replies"),
    [
        (completion("No idea."), (), "malformed_replies", 3),
        (completion("ACTION7 or RESET"), (), "malformed_replies", 3),
        (
            completion("ACTION2"),
            ("--cost-limit", "0.03", "--input-price", "10", "--output-price", "50"),
            "cost_limit",
            2,
        ),
    ],
)
def test_a_model_is_stopped(
    play: Play, answer: Answer, arguments: tuple[str, ...], ended: str, replies: int
) -> None:
    with serving(lambda asked: answer) as stub:
        made = ask(play, stub, *arguments)
    assert (made["environments"][0]["ended"], len(stub.asked)) == (ended, replies)


def refuses(asked: Asked) -> Answer:
    return Answer({"error": {"message": "no such model", "code": "model_not_found"}}, 404)


PRICED = ("--cost-limit", "1", "--input-price", "1", "--output-price", "1")


@pytest.mark.parametrize(
    ("answer", "arguments", "code"),
    [
        (refuses, (), "endpoint_refused: .*model_not_found"),
        (lambda asked: Answer({"choices": []}), (), "answer_malformed"),
        (lambda asked: Answer({"choices": [{"message": {"content": "ACTION2"}}]}), PRICED, "usage_missing"),
        (refuses, ("--cost-limit", "1"), "prices_missing"),
        (refuses, ("--model", ""), "endpoint_missing"),
    ],
)
def test_what_a_model_cannot_play_with_has_a_code_and_leaves_no_open_card(
    play: Play, answer: Callable[[Asked], Answer], arguments: tuple[str, ...], code: str
) -> None:
    with serving(answer) as stub, pytest.raises(AssertionError, match=code):
        ask(play, stub, *arguments)


def _hex(server: Server, card_id: str) -> str:
    """A UUID as the database writes it."""
    return card_id if server.database.startswith("postgres") else card_id.replace("-", "")


def _json(stored: Any) -> Any:
    return json.loads(stored) if isinstance(stored, str) else stored
