"""Splitting: unbiased against exact values of complete graphs, intervals that hold, and when it stops."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from random import Random
from typing import Any

import pytest

from engine.play.actions import Action
from engine.play.source import Source
from engine.prove.chance import INTERIM_RUNS, Question, Runs
from engine.prove.exploration.snapshot_check import RestoreMethod
from engine.prove.masks import nothing
from engine.prove.player import Player
from engine.prove.random_play import _is_promising, answer
from engine.prove.splitting import KnownWin, Splitting
from tests.engine.mazes import Rooms, maze, report_of

LEVEL, BUDGET = 2, 20
LONG: Rooms = {room: (room + 1, "loss", "loss" if room % 2 else room) for room in range(6)} | {
    6: ("win", "loss")
}
"""Seven right doors in a row; in every other room a third door leads back into it."""
BACK: Rooms = {room: (room + 1, 0) for room in range(7)} | {7: ("win", 0)}
"""Eight right doors in a row; every other one leads back to the start."""


def splitting(
    source: Source, rooms: int, seed: int, *, chance: float = 0.0, particles: int = 40
) -> Splitting:
    player = Player(source)
    game = player.start(0, LEVEL)
    frames = [game.turn.frames[-1], *(player.act(game, Action(1)).frames[-1] for _ in range(rooms - 1))]
    known = KnownWin(frames, nothing())
    return Splitting(player, LEVEL, seed, BUDGET, known=known, particles=40, chance=chance)


def exact(rooms: Rooms) -> float:
    within: Any = report_of(maze(rooms), budget=BUDGET)["p_win_within"]
    assert within["exact"]
    return float(within["upper"])


@pytest.mark.parametrize(("rooms", "replays"), [(LONG, False), (BACK, True)])
def test_the_estimate_is_that_of_the_graph_and_its_interval_holds(rooms: Rooms, replays: bool) -> None:
    right = exact(rooms)
    one = splitting(maze(rooms), len(rooms), 2, chance=right)
    assert one._method != RestoreMethod.REPLAY
    if replays:
        one._method = RestoreMethod.REPLAY
    runs = one.runs(lambda number: None)
    interval = runs.interval()
    assert interval.lower <= right <= interval.upper
    assert interval.estimate == pytest.approx(right, rel=0.5)


def test_it_stops_as_soon_as_it_is_decided() -> None:
    far_below = splitting(maze(LONG), len(LONG), 3, chance=0.05).runs(lambda number: None)
    assert len(far_below.hits) == INTERIM_RUNS[0]
    assert far_below.interval().upper <= 0.05
    far_above = splitting(maze(BACK), len(BACK), 3, chance=exact(BACK) / 50).runs(lambda number: None)
    assert len(far_above.hits) < INTERIM_RUNS[-1]
    assert far_above.interval().lower > exact(BACK) / 50


def test_rare_stages_are_bounded_by_the_games_they_began_with() -> None:
    never = Runs(100, 2, ((20, 0),) * 5, (0,) * 5).interval()
    assert (never.estimate, never.lower) == (0, 0)
    assert 0.2 * 3 / 100 < never.upper < 0.2 * 6 / 100
    nobody = Runs(100, 1, ((0,),) * 10, (0,) * 10).interval()
    assert 3 / 1000 < nobody.upper < 6 / 1000


def test_the_upper_bound_holds_nearly_always_whatever_the_shares_are() -> None:
    draw = Random(5)
    for shares in ((0.2, 0.2, 0.2), (0.3, 0.02), (0.15, 0.15, 0.004), (0.001,)):
        missed = 0
        for _ in range(200):
            hits = []
            for _ in range(INTERIM_RUNS[0]):
                run: list[int] = []
                for share in shares:
                    run.append(sum(draw.random() < share for _ in range(60)))
                    if not run[-1]:
                        break
                hits.append(tuple(run))
            wins = tuple(run[-1] if len(run) == len(shares) else 0 for run in hits)
            interval = Runs(60, len(shares), tuple(hits), wins).interval()
            missed += not interval.lower <= prod(shares) <= interval.upper
        assert missed <= 12, shares


def asked(**fields: Any) -> Question:
    win = tuple([Action(1)] * len(LONG))
    return Question(LEVEL, 4, BUDGET, 1e-2, needed=(310, 400), win=win, **fields)


def test_a_level_is_tried_and_then_split_unless_it_is_won_often() -> None:
    hard = answer(Player(maze(LONG)), asked(), lambda done: None)
    assert hard["clicks"] == "uniform"
    assert hard["tries"] == 300
    assert len(hard["splitting"]["hits"]) in INTERIM_RUNS
    assert hard["informed"] is None
    easy = answer(Player(maze({0: ("win", "loss")})), asked(), lambda done: None)
    assert (len(easy["wins"]), easy["splitting"]) == (2, None)
    assert answer(Player(maze({0: ("win", "loss")})), asked(), lambda done: None) == easy


def test_where_nobody_makes_progress_tries_go_on() -> None:
    hidden = maze({0: (0, "loss")}, step="self.won = self.won + (index == 0)", prepare="self.won = 0")
    found = answer(Player(hidden), asked(), lambda done: None)
    assert (found["splitting"], found["tries"]) == (None, 310)


def test_what_more_games_would_not_decide_is_tried_on() -> None:
    """Half of the games come to the second room, and none out of it."""
    room = maze({0: (1, "loss"), 1: (1, "loss")})
    found = answer(Player(room), replace(asked(), chance=1e-4), lambda done: None)
    assert (found["tries"], found["splitting"]["particles"], found["splitting"]["stages"]) == (310, 100, 2)
    runs = Runs(100, 2, ((50, 0),) * 20, (0,) * 20)
    assert (_is_promising(runs, 400, 1e-3), _is_promising(runs, 400, 1e-4)) == (True, False)
    assert runs.grown(4) == Runs(400, 2, ((200, 0),) * 20, (0,) * 20)
    assert runs.grown(4).interval().upper == pytest.approx(runs.interval().upper / 4, rel=0.01)
