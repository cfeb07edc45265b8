"""Every environment gives the same frames with every renderer; games use the fastest one."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from arcengine import Camera

from engine.errors import EngineError
from engine.play import render_build
from engine.play import rendering as render
from engine.play.actions import Action
from engine.play.game import Game
from engine.play.recording import read
from engine.play.rendering import Renderer
from engine.play.source import Source, load
from engine.play.turns import Turn
from engine.prove.player import RandomPolicy
from tests.engine.drawings import FASTER, drawing
from tests.engine.sources import ENVIRONMENTS

GAMES = Path(__file__).parents[2] / "games"
STEPS, FEW_STEPS = 60, {"nz01": 4}  # one action of it may draw a thousand frames
LEFT_OUT = {
    "im01": "has no game",
    "nc01": "has no game",
    "fk01": "harms its process",
    "lp01": "harms its process",
    "mm01": "harms its process",
    "pf01": "harms its process",
    "ft01": "harms its process",
    "tm01": "goes by the clock",
    "sl01": "computes for long",
}
PLAYED = sorted(folder for folder in ENVIRONMENTS.iterdir() if folder.name not in LEFT_OUT)
FIRST, *OTHERS = sorted(GAMES.glob("*/recordings/shortest.jsonl"))
"""The shortest win of each environment that comes with the product: they reach every level."""

type Shown = tuple[list[bytes], str, int, bytes] | str


@pytest.mark.parametrize("folder", PLAYED, ids=lambda folder: folder.name)
def test_random_play_is_the_same_with_every_renderer(folder: Path) -> None:
    source = load(folder)
    expected = random_play(source, Renderer.STOCK)
    assert len(expected) >= 5 or isinstance(expected[-1], str)
    for renderer in FASTER:
        assert random_play(source, renderer) == expected, renderer


@pytest.mark.parametrize(
    "file",
    [FIRST, *(pytest.param(file, marks=pytest.mark.long) for file in OTHERS)],
    ids=lambda file: f"{file.parts[-3]}-{file.stem}",
)
def test_recordings_are_the_same_with_every_renderer(file: Path) -> None:
    source = load(file.parents[1])
    actions = [turn.action for turn in read(file.read_text().splitlines()).turns[1:]]
    expected = recorded_play(source, actions, Renderer.STOCK)
    assert len(expected) == len(actions) + 1
    for renderer in FASTER:
        assert recorded_play(source, actions, renderer) == expected, renderer


def test_the_compiled_renderer_was_built_if_a_compiler_exists(tmp_path: Path) -> None:
    assert render_build.built().exists() or render_build.build(tmp_path), "make development builds it"


def test_games_are_drawn_by_the_fastest_available_renderer() -> None:
    assert (Renderer.COMPILED in render.renderers()) == render_build.built().exists()
    assert render.use() == render.renderers()[-1]
    assert Camera.render.__module__.startswith("engine.play.rendering")


def test_only_the_build_command_of_the_engine_reads_environment_variables() -> None:
    files = Path(render.__file__).parent.rglob("*.py")
    reading = [file.name for file in files if re.search(r"\benviron\b|\bgetenv\b", file.read_text())]
    assert reading == ["render_build.py"]


def test_a_build_succeeds_or_gives_its_reason(tmp_path: Path) -> None:
    assert render_build.build(tmp_path, ["no-such-compiler"]) == "there is no C compiler (no-such-compiler)"
    failing = [sys.executable, "-c", 'raise SystemExit("an error of its own")']
    assert render_build.build(tmp_path, failing) == "an error of its own"
    assert list(tmp_path.iterdir()) == []


def test_a_renderer_that_fails_to_load_or_draws_differently_is_not_used(tmp_path: Path) -> None:
    spoiled = render_build.built(tmp_path)
    assert render_build.loaded(spoiled) is None
    spoiled.write_bytes(b"\x7fELF, but no more of it")
    assert render_build.loaded(spoiled) is None
    wrong = ModuleType("wrong")
    wrong.__dict__["frame"] = lambda camera, sprites: np.zeros((64, 64), dtype=np.int8)
    before = Camera.render
    assert not render._draws_alike(render._STOCK, wrong)
    assert Camera.render is before


def random_play(source: Source, renderer: Renderer) -> list[Shown]:
    policy = RandomPolicy(5, "both")
    shown: list[Shown] = []
    with drawing(renderer):
        try:
            game, turn = Game.start(source, 3)
            shown.append(seen(turn))
            for _ in range(FEW_STEPS.get(source.game_id[:4], STEPS)):
                shown.append(seen(game.act(policy.choose(game))))
        except EngineError as error:
            shown.append(f"{error.code}: {error.message}")
    return shown


def recorded_play(source: Source, actions: list[Action], renderer: Renderer) -> list[Shown]:
    with drawing(renderer):
        game, turn = Game.start(source, 1)
        return [seen(turn), *(seen(game.act(action)) for action in actions)]


def seen(turn: Turn) -> Shown:
    return [frame.tobytes() for frame in turn.frames], turn.state, turn.level, turn.state_hash
