"""What is committed of an environment made of several modules is packed from them, and stands alone."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import numpy as np
import pytest
from arc_agi import Arcade, OperationMode
from arcengine import GameAction

from engine.play.actions import RESET
from engine.play.game import Game
from engine.play.packing import is_packed, pack
from engine.play.source import METADATA
from tests.games.plays import SEED, winning_actions
from tests.games.rules import ENVIRONMENTS, GAMES, source

PACKED = [name for name in ENVIRONMENTS if is_packed(GAMES / name)]
LONGEST_MODULE = 400  # lines
PLAYED = 60  # actions


@pytest.mark.parametrize("environment", PACKED)
def test_the_source_and_its_version_are_those_of_the_modules(environment: str) -> None:
    assert source(environment).text == pack(GAMES / environment)
    assert source(environment).game_id == f"{environment}-{source(environment).digest[:8]}"


@pytest.mark.parametrize("file", sorted(GAMES.glob("*/*.py")) + sorted(GAMES.glob("*/source/*.py")))
def test_what_an_author_writes_is_short(file: Path) -> None:
    if not is_packed(file.parent):
        assert len(file.read_text().splitlines()) < LONGEST_MODULE


@pytest.mark.parametrize(
    "environment",
    [PACKED[0], *(pytest.param(name, marks=pytest.mark.long) for name in ENVIRONMENTS if name != PACKED[0])],
)
def test_the_official_toolkit_plays_the_folder_alone(environment: str, tmp_path: Path) -> None:
    """Source and metadata are enough, without the modules and the library beside them."""
    folder = tmp_path / "environments" / environment
    folder.mkdir(parents=True)
    for name in (f"{environment}.py", METADATA):
        shutil.copy(GAMES / environment / name, folder / name)
    arcade = Arcade(
        operation_mode=OperationMode.OFFLINE,
        environments_dir=str(folder.parent),
        recordings_dir=str(tmp_path / "recordings"),
        logger=logging.getLogger("silent"),
    )
    official = arcade.make(source(environment).game_id)
    assert official is not None
    game, turn = Game.start(source(environment), SEED)
    assert np.array_equal(official.reset().frame[-1], turn.frames[-1])
    for action in list(winning_actions(environment))[:PLAYED]:
        data = {} if action.x is None else {"x": action.x, "y": action.y}
        answer = official.step(GameAction.from_id(action.id), data=data)
        turn = game.act(action)
        assert len(answer.frame) == len(turn.frames)
        assert np.array_equal(answer.frame[-1], turn.frames[-1])
        assert answer.levels_completed == turn.levels_completed
    assert any(action.id == RESET for action in list(winning_actions(environment))[:PLAYED])
