"""Random play of a level: the end of a try, repetition by seed, the state graphs' policy."""

from collections.abc import Iterator

import pytest

from engine.errors import EnvironmentFault
from engine.play.game import Game
from engine.play.source import Source
from engine.prove.player import Player, UniformPolicy, valid_actions
from engine.prove.random_play import MOST_FAULTS, Batch, End, play, play_try
from tests.engine.mazes import EIGHTH, Rooms, maze, report_of
from tests.engine.sources import environment

LEVEL = 2


def ignore(_done: int) -> None:
    """Ignores reports of progress."""


def batch(tries: int, budget: int, *, first: int = 0, seed: int = 1, level: int = LEVEL) -> Batch:
    return Batch(level, seed, first, tries, budget)


def ends(source: Source, tries: int, budget: int) -> Iterator[tuple[End, int]]:
    player = Player(source)
    return (play_try(player, batch(tries, budget), number) for number in range(tries))


def test_a_try_ends_with_the_level_or_its_budget() -> None:
    assert set(ends(maze({0: ("win", "win")}), 5, 3)) == {(End.WON, 1)}
    assert set(ends(maze({0: ("loss", "loss")}), 5, 3)) == {(End.LOST, 1)}
    assert set(ends(maze({0: ("loss", "loss")}), 5, 1)) == {(End.LOST, 1)}
    assert set(ends(maze({0: (0, 0)}), 5, 3)) == {(End.BUDGET, 3)}
    stuck = maze({0: (0, 0)}, step="if self._action_count == 2: self._available_actions = []")
    assert set(ends(stuck, 5, 3)) == {(End.STUCK, 2)}
    whole_game = play_try(Player(maze({0: ("win", "win")})), batch(1, 3, level=6), 0)
    assert whole_game == (End.WON, 1)


def test_every_try_begins_on_the_level_in_the_same_state() -> None:
    tires = maze(
        {0: (0, 0)}, step="ROOMS['played'] = ROOMS.get('played', 0) + 1\nif ROOMS['played'] > 40: to = 'loss'"
    )
    assert play(Player(tires), batch(10, 30), ignore)["lost"] == 0
    assert play(Player(tires), batch(10, 41), ignore)["lost"] == 10


def test_tries_do_not_depend_on_how_they_are_divided_into_batches() -> None:
    player = Player(environment("rn01"))
    whole = play(player, batch(12, 20), ignore)
    first, rest = (play(player, batch(6, 20, first=at), ignore) for at in (0, 6))
    assert first["wins"] + rest["wins"] == whole["wins"]
    assert all(first[name] + rest[name] == whole[name] for name in ("tries", "lost", "stuck", "actions"))
    assert play(player, batch(12, 20), ignore) == whole


def test_a_win_is_reported_with_its_try_and_actions() -> None:
    found = play(Player(maze(EIGHTH)), batch(400, 10), ignore)
    assert {actions for _, actions in found["wins"]} == {3}
    assert len(found["wins"]) + found["lost"] == found["tries"] == 400
    again = [play_try(Player(maze(EIGHTH)), batch(400, 10), number) for number, _ in found["wins"]]
    assert set(again) == {(End.WON, 3)}
    assert play(Player(maze(EIGHTH)), batch(400, 10, seed=2), ignore) != found


def test_random_play_wins_as_often_as_the_state_graph_computes() -> None:
    game, _ = Game.start(environment("ck01"), 0, level=LEVEL)
    player = UniformPolicy(7)
    drawn = [player.choose(game) for _ in range(4_000)]
    valid = valid_actions(game)
    assert set(drawn) == set(valid)
    assert min(drawn.count(action) for action in valid) > 0.8 * 4_000 / len(valid)
    rooms: Rooms = {0: (1, 2, 0), 1: ("loss", 0, "win"), 2: (2, "loss", 1)}
    exact = report_of(maze(rooms), budget=6)["p_win_within"]
    won = len(play(Player(maze(rooms)), batch(4_000, 6), ignore)["wins"])
    assert won / 4_000 == pytest.approx(float(exact["upper"]), abs=0.03)  # type: ignore[index]


def test_a_level_without_valid_actions_is_reported() -> None:
    game, _ = Game.start(maze({0: ("loss", "loss")}), 0)
    game.act(valid_actions(game)[0])
    with pytest.raises(ValueError, match="no action is valid"):
        UniformPolicy(1).choose(game)


def test_a_try_in_which_the_environment_fails_does_not_count() -> None:
    half = maze({0: ("loss", "loss")}, step="if index == 0: raise KeyError('half')")
    found = play(Player(half), batch(MOST_FAULTS, 9), ignore)
    assert found["faults"] == {"environment_raised": MOST_FAULTS - found["tries"]}
    assert 0 < found["tries"] == found["lost"] < MOST_FAULTS
    with pytest.raises(EnvironmentFault, match="half"):
        play(Player(half), batch(20 * MOST_FAULTS, 9), ignore)


def test_progress_is_reported_after_every_try() -> None:
    done: list[int] = []
    play(Player(maze({0: ("loss", "win")})), batch(4, 2, first=9), done.append)
    assert done == [1, 2, 3, 4]
