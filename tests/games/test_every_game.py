"""Every environment of games/: card, packing, recordings, solutions and starts on a level."""

from __future__ import annotations

import json
import logging
import random
import shutil
from collections.abc import Iterable
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from arc_agi import Arcade, OperationMode
from arcengine import GameAction

from engine.errors import EnvironmentFault
from engine.play import source as sources
from engine.play.actions import CLICK, RESET, UNDO, Action
from engine.play.frames import encode
from engine.play.game import Game
from engine.play.packing import is_packed, modules_of, pack, unpack
from engine.play.recording import read
from engine.play.source import METADATA
from engine.play.turns import Turn
from engine.prove.search import solve
from playtest.rules.cards import CardContent, Prior, content_of, missing
from tests.games.plays import SEED, lines, shortest, winning_actions
from tests.games.rules import ENVIRONMENTS, GAMES, known, rules, source


def win(environment: str) -> list[Turn]:
    """The turn that ends each level where every level is won in the fewest actions."""
    turns, ends, its = [turn for _, turn in shortest(environment)], [], known(environment)
    at = 0
    for written in its.FEWEST:
        at += len([*its.actions(written)])
        ends.append(turns[at])
    return ends


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_known_solutions_win_every_level(environment: str) -> None:
    """Each shows an animation before the next level."""
    ends = win(environment)
    assert len(ends) >= 6
    assert ends[0].available_actions == known(environment).CONTROLS
    assert all(5 <= len(turn.frames) <= 60 for turn in ends)
    assert [turn.levels_completed for turn in ends] == list(range(1, len(rules(environment).LEVELS) + 1))
    assert all(turn.level_completed for turn in ends)
    assert ends[-1].state == "WIN"


LESS_QUICKLY = {("wz16", 7), ("tz85", 4), ("tb46", 8), ("ws72", 3), ("tz85", 3), ("tb46", 6)}
"""They take two thirds of the time of all."""


@pytest.mark.parametrize(
    ("environment", "level"),
    [
        pytest.param(name, level, marks=pytest.mark.long if (name, level) in LESS_QUICKLY else ())
        for name in ENVIRONMENTS
        for level in known(name).QUICKLY_SEARCHED
    ],
)
def test_no_shorter_solution_exists(environment: str, level: int) -> None:
    its = known(environment)
    found = solve(its.puzzle(rules(environment), level))
    assert found is not None
    assert len([*its.actions(" ".join(found))]) == len([*its.actions(its.FEWEST[level - 1])])


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_way_through_a_level_does_not_solve_the_next(environment: str) -> None:
    its = known(environment)
    for level, path in enumerate(its.FEWEST[:-1], start=2):
        game, turn = Game.start(source(environment), SEED, level=level)
        for action in its.actions(path):
            if turn.state != "GAME_OVER":
                turn = game.act(action)
                assert not turn.level_completed, level


CODES = sorted(folder.name for folder in GAMES.iterdir() if (folder / "metadata.json").exists())


def card(code: str) -> CardContent:
    return content_of(json.loads((GAMES / code / "card.json").read_text()))


@pytest.mark.parametrize("code", CODES)
def test_a_card_could_be_signed_and_names_the_controls_and_levels_of_its_environment(code: str) -> None:
    content = card(code)
    _, turn = Game.start(sources.load(GAMES / code), 0)
    assert missing(content) == []
    assert content.actions == sorted(turn.available_actions)
    assert content.levels <= turn.levels
    assert len({one.level for one in content.mechanics}) >= 3


def test_every_prior_is_in_one_of_them() -> None:
    assert {prior for code in CODES for prior in card(code).priors} == {prior.value for prior in Prior}


def test_every_set_of_controls_is_in_one_of_them() -> None:
    controls = {frozenset(card(code).controls) for code in CODES}
    wanted = (
        {"directions"},
        {"click"},
        {"directions", "click"},
        {"directions", "interact"},
        {"click", "undo"},
    )
    assert controls >= {frozenset(one) for one in wanted}


PACKED = [name for name in ENVIRONMENTS if is_packed(GAMES / name)]
LONGEST_MODULE = 400  # lines
PLAYED = 60  # actions


@pytest.mark.parametrize("environment", PACKED)
def test_the_source_and_its_version_are_those_of_the_modules(environment: str) -> None:
    assert source(environment).text == pack(environment, modules_of(GAMES / environment))
    assert source(environment).text == pack(environment, unpack(source(environment).text))
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


OUTCOMES = ("win", "shortest", "loss")


def committed(environment: str, outcome: str) -> str:
    return (GAMES / environment / "recordings" / f"{outcome}.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_recording_is_what_its_script_plays_and_ends_as_it_is_named(environment: str, outcome: str) -> None:
    text = committed(environment, outcome)
    assert "".join(lines(environment, outcome)) == text
    turns = read(text.splitlines()).turns
    assert all(turn.state_hash is not None for turn in turns)
    lost = "NOT_FINISHED" if known(environment).CANNOT_BE_LOST else "GAME_OVER"
    assert turns[-1].state == (lost if outcome == "loss" else "WIN")


def test_a_typical_action_is_a_small_message() -> None:
    """A `turn` of docs/wire.md: 14 bytes of facts and the frames as they are sent."""
    sizes: list[int] = []
    for environment in ENVIRONMENTS:
        frame = None
        for _, turn in shortest(environment):
            sizes.append(14 + len(encode(turn.frames, frame)))
            frame = turn.frames[-1]
    assert median(sizes) < 200


def seen(turn: Turn) -> tuple[object, ...]:
    return turn.state_hash, turn.state, turn.level, turn.levels, turn.levels_completed, turn.available_actions


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_game_started_on_a_level_equals_one_that_reached_it(environment: str) -> None:
    (_, turn), *reached = shortest(environment)
    started, first = Game.start(source(environment), SEED, level=1)
    assert seen(first) == seen(turn)
    levels = {1}
    for action, after in reached:
        before, turn = turn, after
        again = started.act(action)
        assert seen(again) == seen(turn)
        assert all(map(lambda one, other: bool((one == other).all()), again.frames, turn.frames))
        if turn.level != before.level:
            levels.add(turn.level)
            started, first = Game.start(source(environment), SEED, level=turn.level)
            assert seen(first) == seen(turn)
    assert levels == set(range(1, turn.levels + 1))


def test_a_level_that_does_not_exist_is_refused() -> None:
    with pytest.raises(EnvironmentFault, match="There is no level 99") as refusal:
        Game.start(source(ENVIRONMENTS[0]), SEED, level=99)
    assert refusal.value.code == "level_not_startable"


def levels(environments: Iterable[str]) -> list[tuple[str, int]]:
    return [(name, level) for name in environments for level in range(1, len(known(name).FEWEST) + 1)]


def short_of(cases: Iterable[tuple[str, int]]) -> list[object]:
    """Levels 1, 4 and the last of each environment in the suite, the others in `make test-long`."""
    wanted = {(name, level) for name in ENVIRONMENTS for level in (1, 4, len(known(name).FEWEST))}
    return [case if case in wanted else pytest.param(*case, marks=pytest.mark.long) for case in cases]


def random_action(choice: random.Random, available: tuple[int, ...]) -> Action:
    number = choice.choice(available)
    return Action(number, choice.randrange(64), choice.randrange(64)) if number == CLICK else Action(number)


def at_level(environment: str, level: int) -> Game:
    """Begun on the level, which is as if it had been reached: a test above shows it."""
    return Game.start(source(environment), SEED, level=level)[0]


@pytest.mark.parametrize("steps", [200, pytest.param(5_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_random_play_on_level_2_gives_valid_frames_and_stays_on_it(environment: str, steps: int) -> None:
    choice = random.Random(7)
    game = at_level(environment, 2)
    available = game.turn.available_actions
    for _ in range(steps):
        over = game.turn.state == "GAME_OVER"
        turn = game.act(Action(RESET) if over else random_action(choice, available))
        assert turn.available_actions == available
        assert turn.levels_completed == 1
        for frame in turn.frames:
            assert frame.shape == (64, 64)
            assert frame.max() <= 15


CLICKED = {"wz16": [Action(CLICK, 36, 4), Action(CLICK, 36, 60)]}
"""What can be clicked on level 1, where a click hits it too rarely."""


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_first_level_cannot_be_lost(environment: str) -> None:
    choice = random.Random(3)
    game = at_level(environment, 1)
    for _ in range(200):
        places = CLICKED.get(environment)
        action = random_action(choice, game.turn.available_actions)
        turn = game.act(choice.choice(places) if action.id == CLICK and places else action)
        assert turn.state == "NOT_FINISHED"
        if turn.level > 1:
            game = at_level(environment, 1)


@pytest.mark.parametrize(("environment", "level"), short_of(levels(ENVIRONMENTS)))
def test_a_reset_at_any_moment_restores_the_start_of_the_level(environment: str, level: int) -> None:
    choice = random.Random(level)
    game = at_level(environment, level)
    began = game.turn.frames[-1]
    for _ in range(4):
        for _ in range(choice.randrange(15)):
            if game.turn.state == "NOT_FINISHED":
                game.act(random_action(choice, game.turn.available_actions))
        if game.turn.level != level:
            game = at_level(environment, level)
        turn = game.act(Action(RESET))
        assert np.array_equal(turn.frames[-1], began)
        assert turn.state == "NOT_FINISHED"


@pytest.mark.parametrize(
    ("environment", "level"), levels([name for name in ENVIRONMENTS if UNDO in known(name).CONTROLS])
)
def test_undo_goes_back_to_the_start_of_the_level(environment: str, level: int) -> None:
    its, game = known(environment), at_level(environment, level)
    seen = [game.turn.state_hash]
    for action in [*its.actions(its.FEWEST[level - 1])][:-1]:
        if game.act(action).changed:
            seen.append(game.turn.state_hash)
    for expected in reversed(seen[:-1]):
        assert game.act(Action(UNDO)).state_hash == expected
    assert not game.act(Action(UNDO)).changed
