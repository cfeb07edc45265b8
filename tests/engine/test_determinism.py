"""The same source, seed and actions give arcengine's own turns in any process."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from arcengine import ActionInput, ARCBaseGame, FrameDataRaw, GameAction

from engine.play.actions import BOARD_SIZE, CLICK, RESET, Action
from engine.play.game import Game
from engine.play.performing import Answer, as_input, can_draw, declared_cells, perform
from engine.play.source import Source, load
from engine.prove.player import RandomPolicy
from tests.engine.sources import MISBEHAVE, environment, written
from tests.live.server import ROOT

PLAYED = [Action(number) for number in (1, 2, 5, 3, 0, 4, 5, 1)]
_PRINT_HASHES = """
import random, sys
import numpy as np
from engine.play.game import Game
from tests.engine.sources import environment
from tests.engine.test_determinism import PLAYED, hashes
random.seed(int(sys.argv[1])); np.random.seed(int(sys.argv[1]))
print("\\n".join(hashes(42)))
"""


def hashes(seed: int) -> list[str]:
    game, turn = Game.start(environment("rn01"), seed)
    return [turn.state_hash.hex(), *(game.act(action).state_hash.hex() for action in PLAYED)]


def test_other_processes_give_the_same_frames() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", _PRINT_HASHES, salt],
            env={**os.environ, "PYTHONHASHSEED": salt},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split()
        for salt in ("1", "2")
    ]
    assert outputs[0] == outputs[1] == hashes(42)


def test_another_seed_gives_another_game() -> None:
    assert hashes(1) != hashes(2)


def test_two_games_in_one_process_do_not_disturb_one_another() -> None:
    alone = hashes(7)
    game, turn = Game.start(environment("rn01"), 7)
    found = [turn.state_hash.hex()]
    for action in PLAYED:
        other, _ = Game.start(environment("rn01"), 8)
        other.act(Action(1))
        random.random()
        np.random.random()
        found.append(game.act(action).state_hash.hex())
        other.act(Action(2))
    assert found == alone


def test_a_list_that_arcengine_hands_out_by_default_stays_with_its_game() -> None:
    source = written(step="self._available_actions.append(7)")
    game, _ = Game.start(source, 0)
    other, _ = Game.start(source, 0)
    assert game.act(MISBEHAVE).available_actions == (1, 2, 3, 4, 5, 6, 7)
    assert other.act(Action(1)).available_actions == (1, 2, 3, 4, 5, 6)
    third, _ = Game.start(source, 0)
    assert third.turn.available_actions == (1, 2, 3, 4, 5, 6)


SOURCES = [environment(name) for name in ("wk01", "ck01", "cl01", "an01")]
SOURCES += [load(ROOT / "games" / name) for name in ("ws72", "tb46", "tz85")]
CLICKED = "def _get_valid_actions(self): return [ActionInput(id=GameAction.ACTION6, data={'x': 3, 'y': 4})]"


@pytest.mark.parametrize("action", [Action(RESET), Action(1), Action(7), Action(CLICK, 3, 63)])
def test_an_action_is_what_arcengines_constructor_makes_and_new_each_time(action: Action) -> None:
    made = as_input(action)
    expected = ActionInput(id=GameAction.from_id(action.id), data=action.data)
    assert made == expected
    assert made.model_fields_set == expected.model_fields_set
    assert made.model_dump_json() == expected.model_dump_json()
    made.data["x"] = 9
    assert as_input(action) == expected


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.environment_id)
def test_an_answer_says_what_arcengine_says(source: Source) -> None:
    ours, theirs = _constructed(source), _constructed(source)
    player, policy = Game.start(source, 2)[0], RandomPolicy(2, "both")
    for _ in range(120):
        action = policy.choose(player)
        player.act(action)
        if theirs._state.value in ("GAME_OVER", "WIN"):
            action = Action(RESET)
        np.random.seed(1)
        answer = perform(ours, as_input(action))
        np.random.seed(1)
        expected = theirs.perform_action(
            ActionInput(id=GameAction.from_id(action.id), data=action.data), raw=True
        )
        assert isinstance(answer, Answer)
        assert _facts(answer) == _facts(expected)


def test_what_an_environment_does_in_place_of_arcengine_is_kept() -> None:
    rules = _constructed(written())
    rules.__dict__["perform_action"] = lambda given, raw: "something else"
    assert perform(rules, as_input(Action(1))) == "something else"
    lost = _constructed(written(step="self.lose()"))
    perform(lost, as_input(MISBEHAVE))
    assert not isinstance(perform(lost, as_input(Action(1))), (Answer, FrameDataRaw))


def test_an_action_without_end_is_refused_after_as_many_frames() -> None:
    rules = _constructed(written(step="return"))
    with pytest.raises(ValueError, match="Action took too many frames") as ours:
        perform(rules, as_input(MISBEHAVE))
    with pytest.raises(ValueError, match=str(ours.value)):
        _constructed(written(step="return")).perform_action(as_input(MISBEHAVE), raw=True)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.environment_id)
def test_declared_places_are_those_arcengine_lists(source: Source) -> None:
    game, policy = Game.start(source, 4)[0], RandomPolicy(4, "both")
    for _ in range(60):
        assert list(declared_cells(game.state[0])) == _listed(game.state[0])
        game.act(policy.choose(game))


@pytest.mark.parametrize(
    "change",
    [
        "sprite._tags = ['sys_click', 'sys_every_pixel']; sprite.pixels = np.array([[-1, 3], [0, -1]])",
        "sprite._tags = ['sys_place']; sprite.set_rotation(90); sprite.pixels = np.array([[-1, 3]], np.int8)",
        "sprite._tags = ['sys_click']; sprite.pixels = np.full((2, 2), -1, np.int8)",
        "self._placeable_sprite = sprite; self.current_level._placeable_areas = []",
        "self._available_actions = [1, 6, 6]; sprite._tags = ['sys_click']; self.camera.resize(20, 10)",
    ],
)
@pytest.mark.parametrize("methods", ["", CLICKED, "def _is_sprite_clickable_now(self, sprite): return False"])
def test_declared_places_of_unusual_sprites_are_those_arcengine_lists(change: str, methods: str) -> None:
    source = written(
        step=f"from arcengine import ActionInput, GameAction; globals().update(locals()); "
        f"sprite = self.current_level.get_sprites()[0]; {change}",
        methods=methods,
    )
    game, _ = Game.start(source, 0)
    game.act(MISBEHAVE)
    rules = game.state[0]
    assert list(declared_cells(rules)) == _listed(rules)
    on_board = [(x, y) for x, y in _listed(rules) if 0 <= x < BOARD_SIZE and 0 <= y < BOARD_SIZE]
    assert [(one.x, one.y) for one in game.declared_clicks()] == list(dict.fromkeys(on_board))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import numpy as np\nfrom arcengine import Sprite\nx = np.zeros(3)", False),
        ("\ufeffimport math", False),
        ("import random", True),
        ("import numpy as np\nnp.random.rand()", True),
        ("import numpy as np\nnp.\U0001d4fbandom.rand()", True),  # Python reads this letter as an r
        ("import numpy as np\ngetattr(np, 'ran' + 'dom')", True),
        ("import numpy as np\nnp.__dict__['ran' 'dom']", True),
        ("import uuid\nuuid.uuid1()", True),
        ("from . import other", True),
        ("import math, os", True),
        ("x = 1; import os", True),
        ("from math import sqrt; import os", True),
        ("from collections import abc as x\nimport os", True),
    ],
)
def test_a_source_can_draw_unless_nothing_in_it_leads_to_a_generator(text: str, expected: bool) -> None:
    assert can_draw(text) is expected


def _constructed(source: Source) -> ARCBaseGame:
    return Game.start(source, 2)[0].state[0]


def _facts(answer: Any) -> list[Any]:
    names = "state levels_completed win_levels full_reset available_actions".split()
    return [[frame.tobytes() for frame in answer.frame], *(getattr(answer, name) for name in names)]


def _listed(rules: ARCBaseGame) -> list[tuple[Any, Any]]:
    return [(one.data["x"], one.data["y"]) for one in rules._get_valid_actions() if one.id.value == CLICK]
