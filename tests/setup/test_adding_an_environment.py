"""The environment of docs/adding-an-environment.md is imported and behaves as documented."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from engine.play.actions import Action
from engine.play.game import Game
from engine.play.source import load
from engine.play.turns import GAME_OVER, WIN

PAGE = Path(__file__).parents[2] / "docs" / "adding-an-environment.md"
BLOCK = re.compile(r"^```(?P<name>[\w.]+)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
FILES = {
    "json": "metadata.json",
    "python": "gk52.py",
    "win.jsonl": "recordings/win.jsonl",
    "loss.jsonl": "recordings/loss.jsonl",
}

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Writes the page's code blocks to the files that it names."""
    environment = tmp_path / "gk52"
    (environment / "recordings").mkdir(parents=True)
    blocks = {found["name"]: found["body"] for found in BLOCK.finditer(PAGE.read_text())}
    for block, file in FILES.items():
        (environment / file).write_text(blocks[block])
    return environment


def actions(folder: Path, name: str) -> list[Action]:
    return [Action(number) for number in json.loads((folder / "recordings" / name).read_text())]


def test_the_environment_of_the_page_is_imported(folder: Path) -> None:
    answer = StringIO()
    call_command("import_environments", str(folder), stdout=answer)
    assert answer.getvalue().splitlines() == ["gk52: imported"]


def test_the_recordings_of_the_page_win_and_lose(folder: Path) -> None:
    ends = {}
    for name in ("win.jsonl", "loss.jsonl"):
        game, _ = Game.start(load(folder), 0)
        for action in actions(folder, name):
            game.act(action)
        ends[name] = game.turn.state, game.turn.levels_completed
    assert ends == {"win.jsonl": (WIN, 6), "loss.jsonl": (GAME_OVER, 1)}


def test_the_chance_on_level_2_is_the_one_on_the_page(folder: Path) -> None:
    """The expected value is computed without the product's exploration."""
    rows = _board(folder, 2)
    start = next((x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "@")
    places, won = {start: 1.0}, 0.0
    for _ in range(5_000):
        then: dict[tuple[int, int], float] = {}
        for (x, y), chance in places.items():
            for dx, dy in ((0, -1), (0, 1), (-1, 0), (1, 0)):
                to = (x + dx, y + dy)
                inside = 0 <= to[0] < 8 and 0 <= to[1] < 8
                mark = rows[to[1]][to[0]] if inside else "#"
                if mark == "O":
                    won += chance / 4
                elif mark != "x":
                    at = (x, y) if mark == "#" else to
                    then[at] = then.get(at, 0.0) + chance / 4
        places = then
    assert round(1 / won / 1e6) == 90


def _board(folder: Path, level: int) -> list[str]:
    found = re.findall(r'^    "([^"]+)",$', (folder / "gk52.py").read_text(), re.MULTILINE)
    return str(found[level - 1]).split()
