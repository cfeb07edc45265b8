"""The same source, seed and actions give the same turns in any process."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np

from engine.play.actions import Action
from engine.play.game import Game
from tests.engine.sources import MISBEHAVE, environment, written

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
